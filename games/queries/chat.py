"""The chat of a game as one viewer may read it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, OuterRef, Subquery
from django.utils.translation import gettext as _

from accounts.database.statements import Statement
from accounts.models import User, Viewer
from games import marked
from games.models import ChatLine, Game, Mute, Seat, apart_from, facts_of, seats_of

SHOWN = 200


@dataclass(frozen=True)
class Line:
    """A line of the chat. `seat` is the number of its author's seat; None if they have left the table.

    A line that moderators hide has no text.
    """

    id: int
    author: str
    seat: int | None
    is_you: bool
    text: str
    written_at: datetime
    is_hidden: bool
    may_report: bool


@dataclass(frozen=True)
class Other:
    """Another person in the game, whose lines the viewer may hide."""

    name: str
    is_muted: bool


@dataclass(frozen=True)
class Chat:
    """The newest lines that the viewer may read, oldest first, and what the viewer may do.

    `concealed` are the lines by people whom the viewer has muted or keeps apart from, without their texts:
    they stay out of sight, but can be reported. `newest` is the id of the newest line, even if it is one of
    them; 0 if there is none. `read_to` is the id of the last line that the viewer has read.
    """

    lines: Sequence[Line]
    concealed: Sequence[Line]
    newest: int
    read_to: int
    others: Sequence[Other]
    is_player: bool

    @property
    def unread(self) -> int:
        """The number of lines by others that the viewer has not read. Spectators have read everything."""
        unread = [line for line in self.lines if line.id > self.read_to and not line.is_you]
        return len(unread) if self.is_player else 0


def chat_of(game: Game, viewer: Viewer) -> Chat | None:
    """Return the chat of a game as `viewer` may read it; None if they may not, or if nobody can chat.

    Players may read it always, everybody else when a public game is over. Runs up to four queries.
    """
    if game.is_solo:
        return None
    seats = [seat for seat in seats_of(game) if seat.user is not None]
    you = next((seat for seat in seats if seat.is_of(viewer)), None)
    if you is None and not (game.is_over and game.is_public):
        return None
    facts = facts_of(game, viewer.pk)
    # An author is usually a player of the game, so few lines need another query.
    newest = ChatLine.objects.filter(game=game).prefetch_related("author").order_by("-pk")[:SHOWN]
    stored = list(reversed(newest)) if "chat" in facts else []
    if not stored and (you is None or len(seats) == 1):
        return None
    mutes = Mute.objects.filter(user=viewer.pk).values_list("muted", flat=True)
    muted = set(mutes) if "mutes" in facts else set()
    numbers = {seat.user_id: seat.number for seat in seats}
    hidden = muted | (set(apart_from(viewer.pk)) if "blocks" in facts else set())
    lines = [_line(line, viewer, numbers) for line in stored if line.author_id not in hidden]
    concealed = [_line(line, viewer, numbers) for line in stored if line.author_id in hidden]
    return Chat(
        lines=lines,
        concealed=[replace(line, text="") for line in concealed if line.may_report],
        newest=stored[-1].pk if stored else 0,
        read_to=you.chat_read_to if you else 0,
        others=[Other(seat.name, seat.user_id in muted) for seat in seats if you and seat != you],
        is_player=you is not None,
    )


def _line(line: ChatLine, viewer: Viewer, seats: dict[int | None, int]) -> Line:
    return Line(
        id=line.pk,
        author=marked.name(line.author.get_username()) if line.author else _("a former player"),
        seat=seats.get(line.author_id),
        is_you=line.author_id is not None and line.author_id == viewer.pk,
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


def newest_line() -> Subquery:
    """Return the id of the newest line in the game of a seat, for a query of seats."""
    lines = ChatLine.objects.filter(game=OuterRef("game"))
    return Subquery(lines.order_by("-pk").values("pk")[:1])


def newest_lines(players: Collection[tuple[str, int]]) -> dict[tuple[str, int], int]:
    """Return the id of the newest line of each of these games, or 0, for those who have a seat in it.

    Each player is the key of a game and the id of a user.
    """
    if not players:
        return {}
    keys, users = zip(*players, strict=True)
    rows = _newest_lines.rows(set(keys), set(users))
    return {(key, user_id): newest or 0 for key, user_id, newest in rows}


_newest_lines = Statement(
    lambda keys, users: (
        Seat.objects.filter(game__key__in=keys, user__in=users)
        .annotate(newest=newest_line())
        .values_list("game__key", "user_id", "newest")
    )
)
