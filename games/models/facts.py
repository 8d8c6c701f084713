"""What few games have: whether one has it, for one person, so that pages ask only for what exists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Exists, Q, QuerySet

from accounts.database.statements import Statement
from games.models.advice import Hint
from games.models.attendances import Attendance
from games.models.blocks import Block
from games.models.browsers import Browser
from games.models.calendars import HoursChange, Vacation
from games.models.chat import ChatLine, Mute
from games.models.games import Game
from games.models.notes import PrivateNote, TryLine
from games.models.notifications import SET_UP, Channel, Kind, Notification, NotificationChoice
from games.models.plans import Plan
from games.models.profiles import Follow
from games.models.ratings import PlayerRating
from games.models.seat_changes import SeatChange
from games.models.seat_offers import SeatOffer
from games.models.seats import Seat
from games.models.votes import Vote
from games.models.webhooks import Webhook

Rows = Callable[[int], QuerySet[Any]]


def _players(game: int) -> QuerySet[Any, Any]:
    """Return the ids of the people on the seats of a game."""
    return Seat.objects.filter(game=game, user__isnull=False).values("user")


# By fact: the rows of a game with this id. The fact is true if there is one.
OF_GAME: Mapping[str, Rows] = {
    "attendances": lambda game: Attendance.objects.filter(user__in=_players(game)),
    "bots": lambda game: Seat.objects.filter(game=game).played_by_bots(),
    "browsers": lambda game: Browser.objects.filter(user__in=_players(game)),
    "chat": lambda game: ChatLine.objects.filter(game=game),
    "choices": lambda game: NotificationChoice.objects.filter(user__in=_players(game)),
    "hint": lambda game: Hint.objects.filter(game=game),
    "hours": lambda game: HoursChange.objects.filter(user__in=_players(game)),
    "mails": lambda game: Notification.objects.pending().filter(
        user__in=_players(game), kind=Kind.TURN, channel=Channel.MAIL
    ),
    "messages": lambda game: Notification.objects.filter(game=game, channel__in=sorted(SET_UP)),
    "offers": lambda game: SeatOffer.objects.filter(game=game).running(),
    "plans": lambda game: Plan.objects.filter(game=game),
    "ratings": lambda game: PlayerRating.objects.filter(user__in=_players(game)),
    "spectators_lines": lambda game: ChatLine.objects.filter(watched=game),
    "seat_changes": lambda game: SeatChange.objects.filter(game=game),
    "vacations": lambda game: Vacation.objects.filter(user__in=_players(game)),
    "votes": lambda game: Vote.objects.filter(game=game),
    "webhooks": lambda game: Webhook.objects.filter(user__in=_players(game)),
}
# And for the ids of a game and a person.
OF_VIEWER: Mapping[str, Callable[[int, int], QuerySet[Any]]] = {
    "apart": lambda game, viewer: Block.objects.filter(
        Q(user=viewer, blocked__in=_players(game)) | Q(blocked=viewer, user__in=_players(game))
    ),
    "blocks": lambda _game, viewer: Block.objects.filter(Q(user=viewer) | Q(blocked=viewer)),
    "follows": lambda game, viewer: Follow.objects.filter(user=viewer, followed__in=_players(game)),
    "handed_over": lambda game, viewer: SeatChange.objects.filter(game=game, former=viewer),
    "lines": lambda game, viewer: TryLine.objects.filter(game=game, user=viewer),
    "mutes": lambda _game, viewer: Mute.objects.filter(user=viewer),
    "note": lambda game, viewer: PrivateNote.objects.filter(game=game, user=viewer),
    "takes_seat": lambda game, viewer: SeatOffer.objects.filter(game=game, taker=viewer).running(),
}
FACTS = frozenset({*OF_GAME, *OF_VIEWER})


def _facts(game: int, viewer: int) -> QuerySet[Any, Any]:
    exist = [Exists(rows(game)) for rows in OF_GAME.values()]
    exist += [Exists(rows(game, viewer)) for rows in OF_VIEWER.values()]
    return Game.objects.filter(pk=game).values_list(*exist)


_statement = Statement(_facts)


def facts_of(game: Game, viewer: int | None = None) -> frozenset[str]:
    """Return the names of the facts that are true, with one statement for each object `game` and person.

    Those `OF_VIEWER` are missing without the id of one. A table that was closed meanwhile has none. They are
    read again after `refresh_from_db` or `forget_facts`.
    """
    kept = game.__dict__.setdefault("_prefetched_objects_cache", {}).setdefault("facts", {})
    if viewer is None and kept:
        return frozenset(OF_GAME).intersection(*kept.values())
    if viewer not in kept:
        names = [*OF_GAME, *OF_VIEWER]
        kept[viewer] = frozenset(
            name
            for row in _statement.rows(game.pk, viewer)
            for name, is_true in zip(names, row, strict=True)
            if is_true
        )
    found: frozenset[str] = kept[viewer]
    return found


def forget_facts(game: Game) -> None:
    """Let the facts of a game be read again. Call this after a seat has got another person."""
    game.__dict__.get("_prefetched_objects_cache", {}).pop("facts", None)
