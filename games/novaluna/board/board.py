"""What one viewer may see of one position, as plain data for templates and emails.

The positions here hold no undrawn tiles.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from games.novaluna.board.bar import bar_text, choice_data, game_title, heading, search_wait
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
from games.novaluna.board.drawing.frames import cells_in_sight
from games.novaluna.board.drawing.wheel import DrawnTrack, DrawnWheel, draw_track, draw_wheel
from games.novaluna.board.events import describe_step, symbol_of
from games.novaluna.board.game_view import GameView
from games.novaluna.board.hint import can_ask_hint, has_hints, show_hint
from games.novaluna.board.plan import show_plan
from games.novaluna.board.players import Player, SoloScore, players, ranking, solo_score, unchanged_players
from games.novaluna.board.reviewed import better_action, draw_better
from games.novaluna.board.tips import has_had_tips, tip_of
from games.novaluna.board.try_line import better_line
from games.novaluna.engine import MultiplayerPosition, Place
from games.shown.history import history
from games.titles import boards
from games.titles.try_lines import BetterLine


@dataclass(frozen=True, kw_only=True)
class Board(boards.Board):
    """Everything that a game's page shows of a position to one viewer."""

    page = "novaluna/game.html"
    part = "novaluna/_game.html"
    has_shortcuts = True

    view: GameView
    players: tuple[Player, ...]
    choice: CheckedChoice
    refill: RefillOffer | None
    asks_refill: bool  # whether the address asks for the question before a refill
    wheel: DrawnWheel
    display: DrawnDisplay
    opponents: tuple[DrawnDisplay, ...]
    unchanged_seats: Collection[int]  # whose displays the page shows already
    score: SoloScore | None
    strip: Any = None  # of the review, beside the action that it judges

    @property
    def has_moves(self) -> bool:
        """Whether somebody has placed a tile in the whole game."""
        return self.view.has_moves

    @property
    def choice_data(self) -> Mapping[str, object]:
        """The texts of all choices, for scripts. Pictures and text mode need none."""
        return choice_data(self.view, is_planning=self.is_planning)

    @property
    def marked_tile(self) -> str:
        """The code of the tile on the wheel that is marked: of the hint, or the better one of a review."""
        better = better_action(self.view)
        return better.tile if isinstance(better, Place) else self.hint.tile if self.hint else ""

    @property
    def named_tile(self) -> str:
        """The code of the tile that the action bar shows beside its words; empty if it names none."""
        better = better_action(self.view)
        step = self.view.shown_step if self.view.followed else None
        action = better or (step.action if step else None)
        return action.tile if isinstance(action, Place) else ""

    @property
    def better_line(self) -> BetterLine | None:
        """The line that the review prefers to the action that is shown; None if there is none to try."""
        reviewed = self.view.reviewed
        line = reviewed.judgement.line if reviewed else ()
        return better_line(self.view.shown, better_action(self.view), line)

    @property
    def goal_discs(self) -> int:
        """How many discs each player has at the start."""
        return self.view.start.setup.goal_discs

    @property
    def _seats_before_viewer(self) -> list[int]:
        newest = self.view.newest
        if not isinstance(newest, MultiplayerPosition):
            return []
        order = list(newest.track.order)
        return order[: order.index(self.view.first_seat)]


def build_board(
    view: GameView,
    choice: Choice = NOTHING_CHOSEN,
    *,
    is_planning: bool = False,
    asks_refill: bool = False,
    since: int | None = None,
) -> Board:
    """Return everything that a page shows of `view`, with the legal part of `choice`.

    The page shows the game after action `since` already.
    """
    position, newest, seat = view.position, view.newest, view.first_seat
    can_choose = view.chooser is not None
    is_in_play = view.viewer in newest.in_play and not newest.over
    checked = check_choice(choice, view, is_planning=is_planning)
    refill = refill_offer(position) if can_choose else None
    shown = view.shown_step if view.is_past or view.is_try else None
    placer = shown.seat if shown and isinstance(shown.action, Place) else None
    better_of = {shown.seat: draw_better(view)} if shown else {}
    return Board(
        view=view,
        heading=heading(view),
        game_title=game_title(view),
        bar=bar_text(view, checked),
        search_wait=search_wait(view),
        latest=describe_step(view.steps[-1], view.as_played(view.version)) if view.steps else "",
        query=page_query(view.at, checked.as_choice),
        problem=checked.problem,
        is_planning=checked.is_plan,
        chosen=checked.step.action if checked.step else None,
        choice=checked,
        refill=refill,
        asks_refill=asks_refill and refill is not None and refill.is_free,
        has_hints=has_hints(view),
        can_ask_hint=can_ask_hint(view),
        hint=show_hint(view.hint, view) if can_choose and view.hint else None,
        plan=show_plan(view),
        tip=tip_of(view),
        keeps_tip=has_had_tips(view),
        wheel=draw_wheel(position, checked, track=_track(view, checked)),
        display=draw_display(
            position.displays[seat],
            view.people[seat],
            chosen_tile=checked.tile,
            covers={cell: step.goals_covered for cell, step in checked.steps.items()},
            chosen_cell=checked.cell,
            can_place=bool(checked.options),
            with_margin=is_in_play or can_choose,
            in_sight=cells_in_sight(view, seat),
            better=better_of.get(seat),
            has_shown_action=seat == placer,
            newest=int(seat == placer or not view.is_try),
        ),
        opponents=tuple(
            draw_display(
                position.displays[other],
                view.people[other],
                in_sight=cells_in_sight(view, other),
                better=better_of.get(other),
                has_shown_action=other == placer,
                newest=int(other == placer) if view.is_try else 1 if view.is_past else view.new_tiles(other),
            )
            for other in (*range(seat + 1, position.seats), *range(seat))
        ),
        players=players(view),
        unchanged_players=() if since is None else unchanged_players(view, since),
        unchanged_seats=() if since is None else view.unchanged_seats(since),
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
