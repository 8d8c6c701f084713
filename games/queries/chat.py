"""The chat of a game as one viewer may read it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Max, OuterRef, Subquery
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
    read all. For players, both are about the lines of players only.
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
    newest = max((line.pk for line in stored if not (you and line.watched_id)), default=0)
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


def newest_spectators_lines(viewers: Collection[tuple[str, int]]) -> dict[tuple[str, int], int]:
    """Return the id of the newest line of spectators of each of these games that has one, for its spectators.

    Each viewer is the key of a game and the id of a user who has no seat in it. Guests are left out.
    """
    newest = dict(_newest_spectators_lines.rows({key for key, _user_id in viewers})) if viewers else {}
    if not newest:
        return {}
    users = User.objects.filter(pk__in={user_id for _key, user_id in viewers}, is_guest=False)
    readers = set(users.values_list("pk", flat=True))
    return {(key, user): newest[key] for key, user in viewers if key in newest and user in readers}


_newest_spectators_lines = Statement(
    lambda keys: (
        ChatLine.objects.filter(watched__key__in=keys).values_list("watched__key").annotate(newest=Max("pk"))
    )
)


_newest_lines = Statement(
    lambda keys, users: (
        Seat.objects.filter(game__key__in=keys, user__in=users)
        .annotate(newest=newest_line())
        .values_list("game__key", "user_id", "newest")
    )
)
