"""The page of a game: what its general parts show of a title's game, and what they ask of the title.

The house has a page for every title: `games/game.html`, and its part `games/_game.html`, which htmx replaces.
A title extends both by templates of its own, which fill or replace their blocks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

from games.titles.actions import Resign
from games.titles.history import History, HistoryLink
from games.titles.lines import View
from games.titles.people import Person
from games.titles.rules import IllegalAction
from games.titles.view import AnyView


class Unreadable(ValueError):
    """A form has sent something that no page of the title sends."""


class BarText(NamedTuple):
    """The texts of the action bar: a title in bold, and a detail beside it."""

    title: str
    detail: str


class Figure(NamedTuple):
    """A number of a player or a result, such as 12, and what it counts, such as "time spent"."""

    value: int
    label: str


@dataclass(frozen=True, kw_only=True)
class Player:
    """A player as the page lists them. Titles can add to it.

    `when` says in words when it is their turn, or that they have left; `brief` has their figures in a few
    words.
    """

    person: Person
    when: str
    brief: str
    figures: tuple[Figure, ...]
    is_turn: bool
    is_next: bool  # whether it is surely their turn after the awaited players
    has_left: bool


@dataclass(frozen=True, kw_only=True)
class RankingRow:
    """A row of the final ranking: the place of a player and their `partners`, and the reason for it."""

    place: int
    person: Person
    figures: tuple[Figure, ...]
    reason: str
    rating: str = ""  # after a rated game, in words
    partners: tuple[Person, ...] = ()

    @property
    def reason_parts(self) -> tuple[str, ...]:
        """The reason in the parts between which a line may end."""
        return tuple(self.reason.split(" · ")) if self.reason else ()

    @property
    def bots(self) -> str:
        """The level of the bots of a side that has only bots of one level, or nothing."""
        levels = {person.bot for person in (self.person, *self.partners)}
        return levels.pop() if self.partners and len(levels) == 1 else ""


@dataclass(frozen=True, kw_only=True)
class Board:
    """What the page of a game shows of it to one viewer. A title adds what its own templates show.

    `players` are in the order of `view.seats_from_viewer`, so that each keeps its place. `query` is of a page
    that shows the same action and keeps the viewer's choice. `chosen` is the legal action that they can
    confirm, or None until their choice is complete; `problem` says why a choice is not legal. `hint`, `plan`
    and `tip` are values of templates.

    `page` and `part` are the templates of the whole page and of its part `#game`.
    """

    page: ClassVar[str] = "games/game.html"
    part: ClassVar[str] = "games/_game.html"
    # Whether the page has a dialog #shortcuts, which lists the single keys.
    has_shortcuts: ClassVar[bool] = False

    view: AnyView
    heading: str  # whose turn it is, or how the game ended
    game_title: str
    bar: BarText
    latest: str  # the newest action in words, for screen readers
    players: tuple[Player, ...]
    history: History
    unchanged_players: tuple[Player, ...] = ()  # which the page shows already
    query: str = ""
    chosen: Any = None
    problem: str = ""
    is_planning: bool = False  # whether the viewer chooses for their plan on this page
    ranking: tuple[RankingRow, ...] = ()  # of a finished game, best first
    decision: str = ""  # what decided a finished game, as a sentence
    task: str = ""  # for screen readers, after whose turn it is: what the viewer can do now, as sentences
    search_wait: str = ""  # when the search is ready, if the bot to move or the hint needs it
    has_hints: bool = False  # whether the page keeps space for one
    can_ask_hint: bool = False
    hint: Any = None
    plan: Any = None
    tip: Any = None  # for a viewer who plays their first game
    keeps_tip: bool = False  # whether an open page keeps the last tip, so that the board stays where it is

    @cached_property
    def turn(self) -> str:
        """Whose turn it is in the newest position: "mine", "other" or "over"."""
        if self.view.is_over:
            return "over"
        if self.view.is_between:
            return "other"
        return "mine" if self.view.is_my_turn or self.view.chooser is not None else "other"

    @property
    def version(self) -> int:
        """How many actions the log has."""
        return self.view.version

    @property
    def next_number(self) -> int:
        """The number that the next action will have in the log."""
        return self.version + 1

    @property
    def is_solo(self) -> bool:
        """Whether this is a game for one player."""
        return self.view.is_solo

    @property
    def is_past(self) -> bool:
        """Whether the page shows a past position, in which the viewer cannot act."""
        return self.view.is_past

    @property
    def is_reviewed(self) -> bool:
        """Whether the page shows what the review says of the action."""
        return self.view.reviewed is not None

    @property
    def is_over(self) -> bool:
        """Whether this is the last position of a finished game."""
        return self.view.is_over and not self.is_past

    @property
    def has_ended(self) -> bool:
        """Whether the game is finished, whichever position is shown."""
        return self.view.is_over

    @property
    def is_seated(self) -> bool:
        """Whether the viewer has a seat."""
        return self.view.viewer is not None

    @property
    def is_watched(self) -> bool:
        """Whether the viewer has no seat, and looks at a running game of others as it is now."""
        return not (self.is_seated or self.is_solo or self.is_past or self.has_ended or self.view.is_try)

    @property
    def is_whole(self) -> bool:
        """Whether a small window shows all of the board, because the viewer chooses nothing on it."""
        return self.is_past or self.is_watched

    @property
    def has_moves(self) -> bool:
        """Whether anything was played, so that a review has something to show."""
        return self.version > 0

    @property
    def can_act(self) -> bool:
        """Whether the viewer can choose an action on this page."""
        return self.turn == "mine" and not self.is_past

    @property
    def can_plan(self) -> bool:
        """Whether the viewer waits for others and can plan their next turn."""
        return self.view.can_plan

    @property
    def action_to_take_back(self) -> int | None:
        """The number of the action that the viewer can take back; None if there is none."""
        return None if self.view.is_try else self.view.action_to_take_back

    @property
    def can_resign(self) -> bool:
        """Whether the viewer's seat is in play."""
        return not self.view.is_over and self.view.viewer in self.view.newest.in_play

    @property
    def is_away(self) -> bool:
        """Whether a bot plays the viewer's seat."""
        return self.can_resign and self.view.is_viewer_away

    @property
    def moved_at(self) -> datetime | None:
        """When the newest action was made."""
        return self.view.moved_at

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move in the position that is shown, for itself or for a person."""
        people = (self.view.people[seat] for seat in self.view.position.awaited)
        return any(bool(person.bot or person.caretaker) for person in people)

    @property
    def people_before_viewer(self) -> list[int]:
        """The seats of the people who surely act before the viewer; none in the viewer's turn."""
        if self.turn != "other" or self.is_past or self.is_away or not self.can_resign or self.is_solo:
            return []
        before = (self.view.people[seat] for seat in self._seats_before_viewer)
        return [person.seat for person in before if not (person.bot or person.caretaker)]

    @property
    def _seats_before_viewer(self) -> list[int]:
        """The seats that act before a viewer who waits. Titles with turns know more of them."""
        return sorted(self.view.newest.awaited)

    @property
    def has_other_people(self) -> bool:
        """Whether the viewer plays against other people, so that the game counts for their reliability."""
        return not self.is_solo and any(not (one.bot or one.is_you) for one in self.view.people)

    @cached_property
    def winners_by_resignation(self) -> list[str]:
        """The names of the players who would win if the viewer resigned now; none if the game went on."""
        view = self.view
        if view.viewer is None:
            return []
        try:
            places = view.newest.apply(Resign(view.viewer)).position.places
        except IllegalAction:
            return []
        return [person.name for person, place in zip(view.people, places, strict=False) if place == 1]


@dataclass(frozen=True, kw_only=True)
class CloseUp:
    """What one seat has on the table, in the full window, with links to the positions before and after.

    `template` extends `games/close_up.html`, and shows `board`, a value of the title. `query` is of a page
    that shows the same position and keeps the viewer's choice, and `back` of the page of the game.
    """

    template: str
    board: Any
    figures: str  # the figures of the seat, in words
    query: str
    back: str
    latest: str  # the action before the position, in words; empty at the start
    links: tuple[HistoryLink, ...]


class Boards(Protocol[View]):
    """What the page of a game asks of a title, and how the forms of its page are read."""

    def board(
        self, view: View, asked: Mapping[str, str], *, is_planning: bool = False, since: int | None = None
    ) -> Board:
        """Return what the page shows of a view, with the choice that the query of its address has.

        What is unreadable in `asked` counts as not chosen, and what is not legal is the board's `problem`.
        With `is_planning` the viewer wants to choose for their next turn, if they can plan now. `since` is
        the action after which the page already shows the game: what is the same since then need not be sent,
        and an element with its id and `data-unchanged` keeps it.
        """
        ...

    def action_of(self, data: Mapping[str, str]) -> Any:
        """Return the action that a form of the page posts, for any seat. Raises Unreadable.

        Every form has `games/_action_fields.html`, which sends the name of an action as `do`. The house reads
        "resign" itself.
        """
        ...

    def wishes_of(self, data: Mapping[str, str]) -> list[Any]:
        """Return the actions that a form for a plan posts, the best one first, for any seat.

        Those that the plan had before are in `wishes`, as the title writes them. Raises Unreadable.
        """
        ...

    def check_wish(self, action: Any, position: Any, seat: int) -> str:
        """Return why an action of a plan can never be legal for a seat, as a sentence; empty if it can.

        `position` is one that the seat sees, and does not wait for it.
        """
        ...

    def close_up(self, view: View, seat: int, asked: Mapping[str, str]) -> CloseUp | None:
        """Return what a seat has on the table; None if the title has no such page."""
        ...
