"""What open pages follow of all games of a person: how many wait for them, and when their lists change."""

from collections import Counter, defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import Case, Count, Q, QuerySet, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.database.statements import Statement
from games.models import DuplicateMatch, Game, Seat, SeatOffer, Seek, is_awaited
from games.queries.chat import newest_line
from games.queries.lists import open_tables


@dataclass(frozen=True)
class Overview:
    """The number of games that wait for the person, as `count_waiting`, and the version of their lists.

    The version changes whenever the lists do. It is no number: an older one cannot be told from a newer one.
    """

    turns: int
    lists: str = ""


def overview(user_id: int | None) -> Overview:
    """Return the overview of one person, or of a visitor who has not logged in."""
    return overviews([user_id])[user_id]


def overviews_without_lists(user_ids: Collection[int | None]) -> dict[int | None, Overview]:
    """Return the number of games that wait for each of these people, with one query."""
    turns = Counter(_waiting.rows({user_id for user_id in user_ids if user_id is not None}))
    return {user_id: Overview(turns[user_id]) for user_id in user_ids}


def _waiting_for(users: Collection[int]) -> QuerySet[Any, Any]:
    return _unfinished(users).filter(awaited=1, caretaker="").order_by().values_list("person", flat=True)


_waiting = Statement(_waiting_for)


def overviews(user_ids: Collection[int | None]) -> dict[int | None, Overview]:
    """Return the overview of each of these people, and of visitors (None), with five queries."""
    offers = SeatOffer.objects.listed().order_by("pk").values_list("pk", flat=True)
    matches = DuplicateMatch.objects.waiting().filter(is_public=True).annotate(entered=Count("entries"))
    entered = matches.order_by("pk").values_list("pk", "entered")
    seeks = Seek.objects.waiting(timezone.now()).values_list("user", "title", "pace")
    tables = _digest(
        [list(open_tables().values_list("key", "changes")), list(offers), list(entered), list(seeks)]
    )
    columns = (
        "newest_line",
        "chat_read_to",
        "game__key",
        "game__status",
        "game__version",
        "game__changes",
        "awaited",
        "caretaker",
    )
    users = [user_id for user_id in user_ids if user_id is not None]
    unfinished = _unfinished(users).annotate(newest_line=newest_line()).order_by("person", "game")
    rows: defaultdict[int | None, list[tuple[object, ...]]] = defaultdict(list)
    turns: defaultdict[int | None, int] = defaultdict(int)
    for user_id, number, *game, awaited, caretaker in unfinished.values_list("person", "number", *columns):
        rows[user_id].append((number, *game, awaited, caretaker))
        turns[user_id] += awaited is not None and not caretaker
    return {user_id: Overview(turns[user_id], _digest([rows[user_id], tables])) for user_id in user_ids}


def _unfinished(users: Collection[int]) -> QuerySet[Any, Any]:
    """Return the seats of these people in games that are not over, and those to which they are invited.

    Each has its `person`, and is `awaited` if it waits for them.
    """
    seats = Seat.objects.filter(Q(user__in=users) | Q(invited__in=users, joined_at=None, has_declined=False))
    return seats.exclude(game__status=Game.Status.OVER).annotate(
        person=Coalesce("user", "invited"), awaited=Case(When(is_awaited() | Q(user=None), then=1))
    )


def _digest(value: object) -> str:
    return sha256(repr(value).encode()).hexdigest()[:16]
