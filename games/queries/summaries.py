"""Tables and games as lists show them to one viewer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from django.db.models import F, QuerySet, prefetch_related_objects
from django.http import Http404
from django.utils import timezone

from accounts.models import Viewer
from games import marked
from games.clocks import Reliability
from games.marked import gettext as _
from games.models import Action, Game, Seat
from games.novaluna.engine import TILES
from games.queries.habits import NO_HABITS, Habits, habits_by_seat
from games.ratings import Rating
from games.shown.words import BOT_LEVELS, format_wait, join_words


@dataclass(frozen=True)
class SeatSummary:
    """A seat as a list shows it to one viewer."""

    number: int
    name: str
    bot: str
    is_you: bool
    is_guest: bool
    is_free: bool
    kept_for: str  # the name of the person for whom a free seat is kept; empty if anybody may take it
    is_kept_for_you: bool
    declined_by: str  # the name of the person who does not want the seat; empty if nobody has declined it
    is_declined_by_you: bool
    discs: int | None
    time: int | None
    rank: int | None
    has_left: bool
    caretaker: str = ""  # the level of the bot that plays for a person now
    # Only where somebody decides whether to join: when their time does not count, how reliable they are, and
    # how strong.
    pauses: str = ""
    reliability: Reliability | None = None
    rating: Rating | None = None

    @property
    def caretaker_level(self) -> str:
        """The level of the bot that plays for a person now, as a word."""
        return str(BOT_LEVELS[self.caretaker]) if self.caretaker else ""

    @property
    def label(self) -> str:
        """The name, with "(guest)" after the name of a guest."""
        return _("%(name)s (guest)") % {"name": self.name} if self.is_guest else self.name

    @property
    def label_with_level(self) -> str:
        """The name, with "(guest)" or "(bot · easy)" after it."""
        if not self.bot:
            return self.label
        return _("%(name)s (bot · %(level)s)") % {"name": self.name, "level": self.level}

    @property
    def level(self) -> str:
        """The level of a bot, as a word; empty for people."""
        return str(BOT_LEVELS[self.bot]) if self.bot else ""


@dataclass(frozen=True)
class ThumbTile:
    """A tile of a small picture. `x` and `y` count from its top left corner."""

    x: int
    y: int
    colour: str


@dataclass(frozen=True)
class Thumb:
    """A small picture of the viewer's display, with its width and height in tiles."""

    tiles: tuple[ThumbTile, ...] = ()

    @property
    def cols(self) -> int:
        return max((tile.x for tile in self.tiles), default=-1) + 1

    @property
    def rows(self) -> int:
        return max((tile.y for tile in self.tiles), default=-1) + 1


NO_THUMB = Thumb()


@dataclass(frozen=True)
class ListedGame:
    """What a list shows of a running game, except how long it has waited and its deadline.

    All of it are values, so a process renders equal ones once.
    """

    key: str
    is_solo: bool
    day: date | None  # of a daily deal
    is_practice: bool
    others: tuple[SeatSummary, ...]
    best: SeatSummary | None  # the other player with the fewest discs left
    discs: int | None  # that the viewer has left
    has_left: bool
    caretaker: str  # the level of the bot that plays for the viewer
    thumb: Thumb
    unread: int
    is_asked: bool


@dataclass(frozen=True)
class GameSummary:
    """A table or game as a list shows it to one viewer."""

    game: Game
    seats: Sequence[SeatSummary]
    thumb: Thumb = NO_THUMB
    unread: int = 0  # lines of the chat
    is_asked: bool = False  # whether a vote waits for the answer of the viewer

    @property
    def key(self) -> str:
        return self.game.key

    @property
    def url(self) -> str:
        return self.game.get_absolute_url()

    @property
    def others(self) -> tuple[SeatSummary, ...]:
        """The seats of the other players."""
        return tuple(seat for seat in self.seats if not seat.is_you and not seat.is_free)

    @property
    def opponents(self) -> str:
        """The names of the other players, as "a, b (guest) and c"; empty if there are none yet."""
        return join_words([seat.label for seat in self.others])

    @property
    def others_with_levels(self) -> str:
        """The names of the other players, with the levels of bots; empty if there are none yet."""
        return join_words([seat.label_with_level for seat in self.others])

    @property
    def opener_name(self) -> str:
        """The name of the person who opened the table, as the subject of a sentence."""
        opener = self.game.opened_by
        return _("A former player") if opener is None else marked.name(opener.username)

    @property
    def is_kept_for_you(self) -> bool:
        """Whether a seat of this table is kept for the viewer."""
        return self.game.is_open and any(seat.is_kept_for_you for seat in self.seats)

    @property
    def has_declined(self) -> bool:
        """Whether the viewer has declined a seat that is still free."""
        return any(seat.is_declined_by_you for seat in self.seats)

    @property
    def kept_seats(self) -> list[SeatSummary]:
        """The free seats that are kept for somebody."""
        return [seat for seat in self.seats if seat.kept_for]

    def for_invited(self, number: int | None) -> Self:
        """Return the summary for the person for whom the seat `number` is kept, who need not be logged in."""
        seats = [
            replace(seat, is_kept_for_you=True) if seat.number == number and seat.kept_for else seat
            for seat in self.seats
        ]
        return replace(self, seats=seats)

    @property
    def kept_for_others(self) -> list[SeatSummary]:
        """The free seats that are kept for somebody who is not the viewer."""
        return [seat for seat in self.kept_seats if not seat.is_kept_for_you]

    @property
    def awaited(self) -> str:
        """The names of the people for whom seats are kept, as "a, b and c"; empty if there are none."""
        return join_words([seat.kept_for for seat in self.kept_seats])

    @property
    def awaited_others(self) -> str:
        """The names of the people for whom seats are kept, without the viewer."""
        return join_words([seat.kept_for for seat in self.kept_for_others])

    @property
    def decliners(self) -> str:
        """The names of the people who have declined a seat that is still free, as "a, b and c"."""
        return join_words([seat.declined_by for seat in self.seats if seat.declined_by])

    @cached_property
    def you(self) -> SeatSummary | None:
        return next((seat for seat in self.seats if seat.is_you), None)

    @property
    def free_seats(self) -> int:
        """The number of seats that anybody may take."""
        return sum(seat.is_free and not seat.kept_for for seat in self.seats)

    @property
    def seat_for_bot(self) -> int | None:
        """The seat that one bot takes: the first one that anybody may take."""
        return next((seat.number for seat in self.seats if seat.is_free and not seat.kept_for), None)

    @property
    def to_move_name(self) -> str:
        return "" if self.game.to_move is None else self.seats[self.game.to_move].name

    @property
    def is_your_turn(self) -> bool:
        """Whether a running game waits for the viewer, and no bot plays their seat."""
        return self.you is not None and self.game.to_move == self.you.number and not self.you.caretaker

    @property
    def day(self) -> date | None:
        """The day of a daily deal."""
        return self.game.daily.day if self.game.daily else None

    @property
    def best(self) -> SeatSummary | None:
        """The other player with the fewest discs left who has not left a started game."""
        playing = (seat for seat in self.others if not seat.has_left and seat.discs is not None)
        return min(playing, key=lambda seat: seat.discs or 0, default=None)

    @property
    def listed(self) -> ListedGame:
        """What a list shows of a running game of the viewer, except its times."""
        return ListedGame(
            key=self.key,
            is_solo=self.game.is_solo,
            day=self.day,
            is_practice=self.game.is_only_practice,
            others=self.others,
            best=self.best,
            discs=self.you.discs if self.you else None,
            has_left=self.you is not None and self.you.has_left,
            caretaker=self.you.caretaker if self.you else "",
            thumb=self.thumb,
            unread=self.unread,
            is_asked=self.is_asked,
        )

    @property
    def moved_at(self) -> str:
        """When its last action was, as an instant for scripts; empty before the first one."""
        return self.game.moved_at.isoformat() if self.game.moved_at else ""

    @property
    def waits(self) -> str:
        """How long a running game has waited for its next action, in words; empty within the first minute."""
        moved_at = self.game.moved_at
        return format_wait(timezone.localtime(moved_at), timezone.localtime()) if moved_at else ""

    @property
    def winner_name(self) -> str:
        return "" if self.game.winner is None else self.seats[self.game.winner].name

    @property
    def viewer_won(self) -> bool:
        return self.you is not None and self.game.winner == self.you.number


def summary(game: Game, viewer: Viewer) -> GameSummary:
    """Return the summary of one game as `viewer` sees it. Raises Http404 if its table was closed."""
    found = summaries(Game.objects.filter(pk=game.pk), viewer, with_habits=True)
    if not found:
        raise Http404
    return found[0]


def summaries(
    games: QuerySet[Game],
    viewer: Viewer,
    *,
    with_thumbs: bool = False,
    with_habits: bool = False,
    unread: Mapping[int, int] = MappingProxyType({}),
    asked: Collection[int] = (),
) -> list[GameSummary]:
    """Return a summary of each game as `viewer` sees it, in the order of `games`.

    `unread` has the number of unread lines of the chat by the id of the game, and `asked`
    the ids of the games with a vote that waits for the viewer.
    """
    seats = _seats_by_game(games)
    prefetch_related_objects([game for game in seats if game.is_open], "opened_by")
    thumbs = _thumbs(seats, viewer) if with_thumbs else {}
    habits = habits_by_seat(seats) if with_habits else {}
    return [
        GameSummary(
            game,
            _seats(seats_of_game, viewer, habits, is_opener=_is_opener(viewer, game)),
            thumbs.get(game.pk, NO_THUMB),
            unread=unread.get(game.pk, 0),
            is_asked=game.pk in asked,
        )
        for game, seats_of_game in seats.items()
    ]


def _seats_by_game(games: QuerySet[Game]) -> dict[Game, list[Seat]]:
    """Return the games with their seats, in order.

    A prefetch would build a query for each game. The seats are a second query: a table that was closed
    before it has none, and is left out.
    """
    by_id = {game.pk: game for game in games.select_related("daily")}
    found: dict[Game, list[Seat]] = {game: [] for game in by_id.values()}
    for seat in Seat.objects.filter(game__in=by_id).prefetch_related("user", "invited"):
        seat.game = by_id[seat.game_id]
        found[seat.game].append(seat)
    return {game: seats for game, seats in found.items() if seats}


def _is_opener(viewer: Viewer, game: Game) -> bool:
    """Return whether the viewer opened a table. Nobody has opened those of people who are removed."""
    return viewer.is_authenticated and game.opened_by_id == viewer.pk


def _seats(
    seats: Sequence[Seat], viewer: Viewer, habits: Mapping[int, Habits], *, is_opener: bool
) -> list[SeatSummary]:
    return [_seat(seat, viewer, habits.get(seat.pk, NO_HABITS), is_opener=is_opener) for seat in seats]


def _seat(seat: Seat, viewer: Viewer, habits: Habits, *, is_opener: bool) -> SeatSummary:
    name = _invited(seat, is_opener=is_opener)
    is_invited = seat.is_free and seat.invited is not None and seat.invited == viewer
    return SeatSummary(
        number=seat.number,
        name=seat.name,
        bot=seat.bot,
        is_you=seat.is_of(viewer),
        is_guest=seat.is_of_guest,
        is_free=seat.is_free,
        kept_for="" if seat.has_declined else name,
        is_kept_for_you=is_invited and not seat.has_declined,
        declined_by=name if seat.has_declined else "",
        is_declined_by_you=is_invited and seat.has_declined,
        discs=seat.discs,
        time=seat.time,
        rank=seat.rank,
        has_left=seat.has_left,
        caretaker=seat.caretaker if seat.game.is_running else "",
        **habits._asdict(),
    )


def _invited(seat: Seat, *, is_opener: bool) -> str:
    """Return who is invited to a free seat, as the opener of the table wrote it; empty if nobody is.

    Only the opener sees an address, and nobody sees a name with it, which would reveal whose address it is.
    """
    if not seat.is_free:
        return ""
    if seat.invited_address:
        return marked.name(seat.invited_address) if is_opener else _("somebody")
    return marked.name(seat.invited.username) if seat.invited else ""


def _thumbs(games: Iterable[Game], viewer: Viewer) -> dict[int, Thumb]:
    """Return the tiles of the viewer's display by game id. Reads the log without a replay."""
    placed: defaultdict[int, list[dict[str, Any]]] = defaultdict(list)
    mine = Action.objects.filter(
        game__in=list(games), game__seats__user=viewer.pk, game__seats__number=F("seat"), payload__do="place"
    )
    for game_id, payload in mine.values_list("game_id", "payload"):
        placed[game_id].append(payload)
    return {game_id: _thumb(payloads) for game_id, payloads in placed.items()}


def _thumb(payloads: Sequence[dict[str, Any]]) -> Thumb:
    left, top = min(p["x"] for p in payloads), min(p["y"] for p in payloads)
    return Thumb(
        tuple(ThumbTile(p["x"] - left, p["y"] - top, TILES[p["tile"]].colour.word) for p in payloads)
    )
