"""The chat of a game as one viewer may read it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, OuterRef, Subquery
from django.utils.translation import gettext as _

from accounts.database.statements import Statement
from accounts.models import User, Viewer
from games import marked
from games.models import (
    ChatLine,
    ChatLineQuerySet,
    Game,
    Mute,
    Seat,
    apart_from,
    facts_of,
    is_spectator,
    kept_out,
    needs_account_to_talk,
    seats_of,
)

SHOWN = 200


@dataclass(frozen=True)
class Line:
    """A line of the chat. `seat` is the number of its author's seat; None if they have left the table.

    A spectator's line has no seat. A line that moderators hide has no text.
    """

    id: int
    author: str
    seat: int | None
    is_you: bool
    is_of_spectator: bool
    text: str
    written_at: datetime
    is_hidden: bool
    may_report: bool


@dataclass(frozen=True)
class Other:
    """Another player or spectator, whose lines the viewer may hide."""

    name: str
    is_muted: bool


@dataclass(frozen=True)
class Chat:
    """The newest lines that the viewer may read, oldest first, and what the viewer may do.

    `concealed` are the lines by people whom the viewer has muted or keeps apart from, without their texts:
    they stay out of sight, but can be reported. `newest` is the id of the newest line, even if it is one of
    them; 0 if there is none. `read_to` is the id of the last line that the viewer has read: spectators have
    read all, and players what spectators have written.
    """

    lines: Sequence[Line]
    concealed: Sequence[Line]
    newest: int
    read_to: int
    others: Sequence[Other]
    is_player: bool
    is_spectator: bool  # who may write to the others
    is_of_spectators: bool  # whether only they read it now

    @property
    def title(self) -> str:
        """What it is called."""
        return _("Spectators' chat") if self.is_of_spectators else _("Chat")

    @property
    def is_closed(self) -> bool:
        """Whether the viewer has to sign up or log in to read it."""
        return self.is_of_spectators and not self.is_spectator

    @property
    def unread(self) -> int:
        """The number of lines by other players that the viewer has not read; 0 for spectators."""
        seen = [line.is_you or line.is_of_spectator or line.id <= self.read_to for line in self.lines]
        return seen.count(False)


def chat_of(game: Game, viewer: Viewer) -> Chat | None:
    """Return the chat of a game as `viewer` may read it; None if they may not, or if nobody can chat.

    Players may read always what players write, everybody else when a public game is over. What spectators
    write is for them only while the game runs, and for everybody after its end. Visitors and guests get a
    chat of spectators without lines. Runs up to five queries.
    """
    if game.is_solo:
        return None
    seats = [seat for seat in seats_of(game) if seat.user is not None]
    you = next((seat for seat in seats if seat.is_of(viewer)), None)
    watches = is_spectator(game, viewer)
    facts = facts_of(game, viewer.pk)
    stored: list[ChatLine] = []
    if "chat" in facts and (you or (game.is_over and game.is_public)):
        stored += _newest(ChatLine.objects.filter(game=game))
    if "spectators_lines" in facts and (watches or game.is_over):
        stored += _newest(ChatLine.objects.filter(watched=game))
    stored.sort(key=lambda line: line.pk)
    can_write = watches or (you is not None and len(seats) > 1)
    if not (stored or can_write or needs_account_to_talk(game, viewer)):
        return None
    mutes = Mute.objects.filter(user=viewer.pk).values_list("muted", flat=True)
    muted = set(mutes) if "mutes" in facts else set()
    numbers = {seat.user_id: seat.number for seat in seats}
    apart = set(apart_from(viewer.pk)) if "blocks" in facts else set()
    hidden = muted | apart
    lines = [_line(line, viewer, numbers) for line in stored if line.author_id not in hidden]
    concealed = [_line(line, viewer, numbers) for line in stored if line.author_id in hidden]
    authors = [line.author for line in stored if line.watched_id and line.author_id not in apart]
    others = dict.fromkeys([*(seat.user for seat in seats if you), *authors])
    newest = max((line.pk for line in stored), default=0)
    return Chat(
        lines=lines,
        concealed=[replace(line, text="") for line in concealed if line.may_report],
        newest=newest,
        read_to=you.chat_read_to if you else newest,
        others=[
            Other(marked.name(other.get_username()), other.pk in muted)
            for other in others
            if viewer.is_authenticated and other is not None and other != viewer
        ],
        is_player=you is not None,
        is_spectator=watches,
        is_of_spectators=you is None and game.is_running,
    )


def _newest(lines: ChatLineQuerySet) -> ChatLineQuerySet:
    # An author is usually a player of the game, so few lines need another query.
    return lines.prefetch_related("author").order_by("-pk")[:SHOWN]


def _line(line: ChatLine, viewer: Viewer, seats: dict[int | None, int]) -> Line:
    is_of_spectator = line.game_id is None
    nobody = _("a former spectator") if is_of_spectator else _("a former player")
    return Line(
        id=line.pk,
        author=marked.name(line.author.get_username()) if line.author else nobody,
        seat=None if is_of_spectator else seats.get(line.author_id),
        is_you=line.author_id is not None and line.author_id == viewer.pk,
        is_of_spectator=is_of_spectator,
        text="" if line.is_hidden else line.text,
        written_at=line.written_at,
        is_hidden=line.is_hidden,
        may_report=viewer.is_authenticated and line.author_id not in (None, viewer.pk) and not line.is_hidden,
    )


def is_muted(person: User, viewer: Viewer) -> bool:
    """Return whether `viewer` has muted this person."""
    return Mute.objects.filter(user=viewer.pk, muted=person).exists()


def unread_counts(viewer: User) -> dict[int, int]:
    """Return the number of unread lines of each game of `viewer` that has any, by its id."""
    unread = ChatLine.objects.unread_by(viewer).values_list("game")
    return dict(unread.annotate(lines=Count("pk", distinct=True)))


def newest_line(game: str = "game", chat: str = "game") -> Subquery:
    """Return the id of the newest line of players, for a query; `game` is its field with the id of a game.

    If `chat` is "watched", it is the newest line of spectators.
    """
    lines = ChatLine.objects.filter(**{chat: OuterRef(game)})
    return Subquery(lines.order_by("-pk").values("pk")[:1])


def newest_lines(viewers: Collection[tuple[str, int | None]]) -> dict[tuple[str, int | None], int]:
    """Return the id of the newest line that each of these viewers may read, or 0.

    Each viewer is the key of a game and the id of a user, or None for a visitor. Who reads no chat is left
    out. Lines that are hidden from a viewer count: their page asks for all lines up to this one. Runs up to
    four queries.
    """
    keys = {key for key, _user in viewers}
    games = {row.key: row for row in (_Newest(*row) for row in _newest_lines.rows(keys))}
    watched = {key for key, game in games.items() if game.is_running and game.of_spectators}
    people = {(key, user) for key, user in viewers if user is not None}
    players = set(_players.rows(keys, {user for _key, user in people}))
    spectators = _spectators({(key, user) for key, user in people - players if key in watched})
    newest: dict[tuple[str, int | None], int] = {}
    for viewer in viewers:
        game = games.get(viewer[0])
        if game is None:
            continue
        if viewer in players or game.is_read_by_all:
            newest[viewer] = game.of_players or 0
        if viewer in spectators or game.is_over:
            newest[viewer] = max(newest.get(viewer, 0), game.of_spectators or 0)
    return newest


class _Newest(NamedTuple):
    """The newest lines of players and of spectators in a game, and what says who reads them."""

    key: str
    status: str
    is_public: bool
    daily: int | None
    duplicate: int | None
    of_players: int | None
    of_spectators: int | None

    @property
    def is_running(self) -> bool:
        return self.status == Game.Status.RUNNING

    @property
    def is_over(self) -> bool:
        return self.status == Game.Status.OVER

    @property
    def is_read_by_all(self) -> bool:
        """Whether everybody reads what the players write. A game on a shared deal can be closed to others."""
        return self.is_over and self.is_public and self.daily is None and self.duplicate is None


_newest_lines = Statement(
    lambda keys: Game.objects.filter(key__in=keys).values_list(
        "key",
        "status",
        "is_public",
        "daily",
        "deal__duplicate",
        newest_line("pk"),
        newest_line("pk", "watched"),
    )
)
_players = Statement(
    lambda keys, users: (
        Seat.objects.filter(game__key__in=keys, user__in=users).order_by().values_list("game__key", "user")
    )
)


def _spectators(people: Collection[tuple[str, int]]) -> set[tuple[str, int]]:
    """Return which of these people without a seat are spectators of running games, as `is_spectator` does."""
    if not people:
        return set()
    keys, users = ({*part} for part in zip(*people, strict=True))
    accounts = set(User.objects.filter(pk__in=users, is_guest=False).values_list("pk", flat=True))
    return {one for one in people if one[1] in accounts} - kept_out(keys, users)
