"""What one viewer may see of one position, as plain data for templates and emails.

The positions here hold no undrawn tiles.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from games.novaluna.board.bar import BarText, bar_text, choice_data, game_title, heading, search_wait
from games.novaluna.board.choice import (
    NOTHING_CHOSEN,
    CheckedChoice,
    Choice,
    RefillOffer,
    check_choice,
    page_query,
    refill_offer,
)
from games.novaluna.board.decision import describe_decision
from games.novaluna.board.drawing.displays import DrawnDisplay, draw_display
from games.novaluna.board.drawing.wheel import DrawnTrack, DrawnWheel, draw_track, draw_wheel
from games.novaluna.board.events import describe_step, symbol_of
from games.novaluna.board.game_view import GameView
from games.novaluna.board.hint import ShownHint, can_ask_hint, show_hint
from games.novaluna.board.plan import ShownPlan, show_plan
from games.novaluna.board.players import Player, RankingRow, SoloScore, players, ranking, solo_score
from games.novaluna.board.tips import Tip, tip_of
from games.novaluna.engine import MultiplayerPosition
from games.shown.people import Person
from games.titles.history import History, history


@dataclass(frozen=True)
class Board:
    """Everything that a game's page shows of a position to one viewer."""

    turn: str  # whose turn it is in the newest position: "mine", "other" or "over"
    version: int  # how many actions the log has
    is_solo: bool
    is_past: bool
    has_moves: bool  # whether somebody has placed a tile in the whole game
    is_seated: bool
    can_resign: bool
    is_away: bool  # whether a bot plays the viewer's seat
    goal_discs: int
    moved_at: datetime | None
    heading: str
    game_title: str
    bar: BarText
    search_wait: str  # when the search is ready, if the bot to move or the hint needs it
    latest: str  # the newest action in words, for screen readers
    choice: CheckedChoice
    choice_data: Mapping[str, object]  # the texts of all choices, for scripts
    refill: RefillOffer | None
    can_ask_hint: bool
    hint: ShownHint | None
    can_plan: bool
    plan: ShownPlan | None
    tip: Tip | None  # for a viewer who plays their first game
    wheel: DrawnWheel
    display: DrawnDisplay
    opponents: tuple[DrawnDisplay, ...]
    players: tuple[Player, ...]
    history: History
    ranking: tuple[RankingRow, ...]
    decision: str  # what decided a finished game, as a sentence
    score: SoloScore | None

    @property
    def next_number(self) -> int:
        """The number that the next action will have in the log."""
        return self.version + 1

    @property
    def can_act(self) -> bool:
        """Whether the viewer can choose a tile or refill on this page."""
        return self.turn == "mine" and not self.is_past

    @property
    def is_bots_turn(self) -> bool:
        """Whether a bot is to move in the position that is shown, for itself or for a person."""
        return any(one.is_turn and bool(one.person.bot or one.person.caretaker) for one in self.players)

    @property
    def people_before_viewer(self) -> list[int]:
        """The seats of the people who move before the viewer, in turn order; none in the viewer's turn."""
        if self.turn != "other" or self.is_past or self.is_away or not self.can_resign or self.is_solo:
            return []
        people = [player.person for player in self.players]
        before = people[: next(place for place, person in enumerate(people) if person.is_you)]
        return [person.seat for person in before if not (person.bot or person.caretaker)]

    @property
    def is_planning(self) -> bool:
        """Whether the viewer can choose a tile for their plan on this page."""
        return self.choice.is_plan

    @property
    def is_over(self) -> bool:
        """Whether this is the last position of a finished game."""
        return self.turn == "over" and not self.is_past

    @property
    def query(self) -> str:
        """The query of a page that shows the same action and keeps the choice."""
        return page_query(self.history.shown if self.is_past else None, self.choice.as_choice)

    @property
    def winner_by_resignation(self) -> Person | None:
        """The player who would win as the last one left if the viewer resigned now; else None."""
        others = [one.person for one in self.players if not (one.has_left or one.person.is_you)]
        return others[0] if len(others) == 1 else None

    @property
    def has_other_people(self) -> bool:
        """Whether the viewer plays against other people, so that the game counts for their reliability."""
        return any(not (one.person.bot or one.person.is_you) for one in self.players)

    @property
    def problem(self) -> str:
        """Why the viewer's choice is not legal, in words; empty if it is legal."""
        return self.choice.problem


def build_board(view: GameView, choice: Choice = NOTHING_CHOSEN, *, is_planning: bool = False) -> Board:
    """Return everything that a page shows of `view`, with the legal part of `choice`."""
    position, newest, seat = view.position, view.newest, view.first_seat
    can_choose = view.chooser is not None
    is_in_play = view.viewer in newest.in_play and not newest.over
    checked = check_choice(choice, view, is_planning=is_planning)
    return Board(
        turn="over" if newest.over else "mine" if can_choose or view.is_my_turn else "other",
        version=view.version,
        is_solo=view.is_solo,
        is_past=view.is_past,
        has_moves=view.has_moves,
        is_seated=view.viewer is not None,
        can_resign=is_in_play,
        is_away=is_in_play and view.is_viewer_away,
        goal_discs=position.setup.goal_discs,
        moved_at=view.moved_at,
        heading=heading(view),
        game_title=game_title(view),
        bar=bar_text(view, checked),
        search_wait=search_wait(view),
        latest=describe_step(view.steps[-1], view.as_played(view.version)) if view.steps else "",
        choice=checked,
        choice_data=choice_data(view, is_planning=checked.is_plan),
        refill=refill_offer(position) if can_choose else None,
        can_ask_hint=can_ask_hint(view),
        hint=show_hint(view.hint, view) if can_choose and view.hint else None,
        can_plan=view.can_plan,
        plan=show_plan(view),
        tip=tip_of(view),
        wheel=draw_wheel(position, checked, track=_track(view, checked)),
        display=draw_display(
            position.displays[seat],
            view.people[seat],
            chosen_tile=checked.tile,
            covers={cell: step.goals_covered for cell, step in checked.steps.items()},
            chosen_cell=checked.cell,
            can_place=bool(checked.options),
            with_margin=is_in_play or can_choose,
        ),
        opponents=tuple(
            draw_display(position.displays[other], view.people[other])
            for other in (*range(seat + 1, position.seats), *range(seat))
        ),
        players=players(view),
        history=history(view, describe_step, symbol_of),
        ranking=() if view.is_past else ranking(view),
        decision="" if view.is_past else describe_decision(view),
        score=solo_score(view),
    )


def _track(view: GameView, choice: CheckedChoice) -> DrawnTrack | None:
    position = view.position
    if not isinstance(position, MultiplayerPosition):
        return None
    return draw_track(
        position.track, view.people, position.to_move, choice.options, choice.tile, chooser=view.first_seat
    )
