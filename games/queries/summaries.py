"""Tables and games as lists show them to one viewer."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from types import MappingProxyType
from typing import Any, Self

from django.db.models import Exists, F, OuterRef, QuerySet, prefetch_related_objects
from django.http import Http404
from django.utils import timezone

from accounts.models import Viewer
from games import marked
from games.marked import gettext as _
from games.models import Action, Game, Seat
from games.queries.endings import Departures, departures_from, describe_end
from games.queries.habits import NO_HABITS, Habits, habits_by_seat
from games.queries.seats import SeatSummary, seat_summary, seats_ahead
from games.queries.sides import SideSummary, sides_of
from games.shown.lists import lists_of, name_of
from games.shown.words import format_wait, join_words
from games.titles.actions import CANCELLED
from games.titles.lists import NO_THUMB, SeatFigures, Thumb


@dataclass(frozen=True)
class ListedGame:
    """What a list shows of a running game, except how long it has waited and its deadline.

    All of it are values, so a process renders equal ones once.
    """

    key: str
    title: str
    is_solo: bool
    day: date | None  # of a daily deal
    is_practice: bool
    you: SeatSummary | None
    others: tuple[SeatSummary, ...]
    thumb: Thumb
    unread: int
    is_asked: bool

    @property
    def title_name(self) -> str:
        """The name of the game's title; empty while the site offers only one."""
        return name_of(self.title)

    @property
    def standing(self) -> str:
        """How the game stands for the viewer, in words."""
        if self.you is None:
            return ""
        seats = sorted((self.you, *self.others), key=lambda seat: seat.number)
        figures = [
            SeatFigures(seat.name, seat.is_you, seat.has_left, seat.figures)
            for seat in seats
            if seat.figures is not None
        ]
        return lists_of(self.title).compare_figures(figures) if len(figures) == len(seats) else ""


@dataclass(frozen=True)
class GameSummary:
    """A table or game as a list shows it to one viewer."""

    game: Game
    seats: Sequence[SeatSummary]
    thumb: Thumb = NO_THUMB
    unread: int = 0  # lines of the chat
    is_asked: bool = False  # whether a vote waits for the answer of the viewer
    owner: str = ""  # the other person on whose profile the list is
    departures: Departures = field(default_factory=dict, hash=False)  # from a game that is over
    # These two are only for the list of all finished games.
    rating_change: str = ""  # of the viewer, in words
    has_review: bool = False

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
    def named_seats(self) -> tuple[SeatSummary, ...]:
        """The seats that name the game: the other players or, on somebody else's profile, all players."""
        return tuple(seat for seat in self.seats if not seat.is_free) if self.owner else self.others

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
    def is_kept_for_your_address(self) -> bool:
        """Whether the opener has invited the viewer by an email address, whose owner they don't know."""
        return any(seat.is_kept_for_you and seat.is_by_address for seat in self.seats)

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

    @cached_property
    def sides(self) -> list[SideSummary]:
        """The sides of a table; none in a title in which each plays alone."""
        return sides_of(self.game.title, self.seats)

    @property
    def standings(self) -> list[tuple[Sequence[SeatSummary], str, bool]]:
        """The seats of each side or player of a running game, their figures, and whether they are ahead."""
        sides = [side.seats for side in self.sides] or [[seat] for seat in self.seats]
        ahead = seats_ahead(self.game.title, self.seats)
        return [(seats, seats[0].figures_text, seats[0].number in ahead) for seats in sides]

    @property
    def free_seats(self) -> int:
        """The number of seats that anybody may take."""
        return sum(seat.is_free and not seat.kept_for for seat in self.seats)

    @property
    def seat_for_bot(self) -> int | None:
        """The seat that one bot takes: the first one that anybody may take."""
        return next((seat.number for seat in self.seats if seat.is_free and not seat.kept_for), None)

    @property
    def movers(self) -> str:
        """The names of the players who are to move, as "a, b and c"."""
        return join_words([seat.name for seat in self.seats if seat.is_awaited])

    @property
    def is_your_turn(self) -> bool:
        """Whether a running game waits for the viewer, and no bot plays their seat."""
        return self.you is not None and self.you.is_awaited and not self.you.caretaker

    @property
    def deadline(self) -> datetime | None:
        """When the clock of the viewer has run out or, while it does not run, the first of the others."""
        return (self.you and self.you.deadline) or self.game.deadline

    @property
    def day(self) -> date | None:
        """The day of a daily deal."""
        return self.game.daily.day if self.game.daily else None

    @property
    def title_name(self) -> str:
        """The name of the game's title; empty while the site offers only one."""
        return name_of(self.game.title)

    @property
    def listed(self) -> ListedGame:
        """What a list shows of a running game of the viewer, except its times."""
        return ListedGame(
            key=self.key,
            title=self.game.title,
            is_solo=self.game.is_solo,
            day=self.day,
            is_practice=self.game.is_only_practice,
            you=self.you,
            others=self.others,
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
    def winners(self) -> list[SeatSummary]:
        """Who shares the first place of a game that is over, the viewer first; nobody if all of them do."""
        first = [seat for seat in self.seats if seat.place == 1]
        is_draw = len(first) == len(self.seats)
        return [] if is_draw else sorted(first, key=lambda seat: not seat.is_you)

    @property
    def action_count(self) -> int:
        """How many actions a game has, without departures."""
        return self.game.version - len(self.departures)

    @cached_property
    def subject(self) -> SeatSummary | None:
        """The seat of the person whose list it is: the owner or the viewer."""
        if not self.owner:
            return self.you
        return next((seat for seat in self.seats if seat.name == self.owner), None)

    @property
    def subject_won(self) -> bool:
        """Whether the person whose list it is has won a game that counts."""
        return self.subject in self.winners and self.counts

    @property
    def counts(self) -> bool:
        """Whether a game that is over counts for the results of the person whose list it is."""
        is_out = self.subject and self.subject.place and not (self.subject.counts or self.game.is_solo)
        return self.game.is_without_hints and not is_out

    @property
    def outcome(self) -> str:
        """How a game that is over ended, in a few words."""
        if self.winners:
            return describe_end(self.winners, self.seats, None if self.owner else self.you, self.departures)
        if any(seat.place for seat in self.seats):
            return _("A tie")
        if self.game.ending == CANCELLED:
            return _("Cancelled")
        return lists_of(self.game.title).describe_result(self.seats[0].figures or {})

    @property
    def final_figures(self) -> str:
        """The figures of the sides of a game that was played to the end, in words, in the order of the names.

        The viewer is the first if the names are those of the others.
        """
        sides = [side.seats for side in self.sides] or [[seat] for seat in self.seats]
        named = sides if self.owner else sorted(sides, key=lambda seats: self.you not in seats)
        figures = [seats[0].figures for seats in named if seats[0].figures and seats[0].place]
        is_left = any(seat.has_left for seat in self.seats)
        return "" if is_left or len(figures) < 2 else lists_of(self.game.title).compare_results(figures)


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
    habits = habits_by_seat(seats, viewer) if with_habits else {}
    left = departures_from([one.pk for one in seats if one.is_over and any(s.has_left for s in seats[one])])
    return [
        GameSummary(
            game,
            _seats(seats_of_game, viewer, habits, is_opener=_is_opener(viewer, game)),
            thumbs.get(game.pk, NO_THUMB),
            unread=unread.get(game.pk, 0),
            is_asked=game.pk in asked,
            departures=left.get(game.pk, {}),
        )
        for game, seats_of_game in seats.items()
    ]


def _seats_by_game(games: QuerySet[Game]) -> dict[Game, list[Seat]]:
    """Return the games with their seats, in order.

    A prefetch would build a query for each game. The seats are a second query: a table that was closed
    before it has none, and is left out.
    """
    by_id = {game.pk: game for game in games.select_related("daily")}
    if not by_id:
        return {}
    found: dict[Game, list[Seat]] = {game: [] for game in by_id.values()}
    counts = Exists(Seat.objects.with_results().filter(pk=OuterRef("pk")))
    for seat in (
        Seat.objects.filter(game__in=by_id).annotate(counts=counts).prefetch_related("user", "invited")
    ):
        seat.game = by_id[seat.game_id]
        found[seat.game].append(seat)
    return {game: seats for game, seats in found.items() if seats}


def _is_opener(viewer: Viewer, game: Game) -> bool:
    """Return whether the viewer opened a table. Nobody has opened those of people who are removed."""
    return viewer.is_authenticated and game.opened_by_id == viewer.pk


def _seats(
    seats: Sequence[Seat], viewer: Viewer, habits: Mapping[int, Habits], *, is_opener: bool
) -> list[SeatSummary]:
    return [seat_summary(seat, viewer, habits.get(seat.pk, NO_HABITS), is_opener=is_opener) for seat in seats]


def _thumbs(games: Collection[Game], viewer: Viewer) -> dict[int, Thumb]:
    """Return the small pictures of games in which the viewer has a seat, by the id of the game.

    Reads the viewer's own actions, which are no secret from them, without a replay.
    """
    lists = {game.pk: lists_of(game.title) for game in games}
    kinds = {kind for one in lists.values() for kind in one.thumb_actions}
    own = Action.objects.filter(
        game__in=lists,
        game__seats__user=viewer.pk,
        game__seats__number=F("seat"),
        payload__do__in=kinds | {"take_back"},
    )
    made: defaultdict[int, dict[int, Mapping[str, Any]]] = defaultdict(dict)
    for game_id, number, payload in own.order_by("game", "number").values_list(
        "game_id", "number", "payload"
    ):
        if payload["do"] == "take_back":
            made[game_id] = {one: its for one, its in made[game_id].items() if one <= payload["to"]}
        elif payload["do"] in lists[game_id].thumb_actions:
            made[game_id][number] = payload
    return {
        game.pk: lists[game.pk].draw_thumb([*made[game.pk].values()], is_over=game.is_over) for game in games
    }
