"""The pages of LUNAR as a title of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from games.lunar.board.board import build_board
from games.lunar.board.choice import read_action
from games.lunar.board.decision import describe_decision
from games.lunar.board.drawing.turn_picture import draw_preview, draw_turn
from games.lunar.board.game_view import GameView
from games.lunar.board.lists import THUMB_ACTIONS, compare_figures, draw_thumb
from games.lunar.board.planning import planning_of
from games.lunar.board.sections import out_of_round, sections_of
from games.lunar.deal_words import LunarDealWords
from games.lunar.engine import Flip, Pass, Play
from games.lunar.engine.setup import SIDES
from games.lunar.learning.tips import tip_of
from games.lunar.learning_pages import LearningPages
from games.lunar.options import LunarOptions
from games.lunar.reply_pages import ReplyPages
from games.marked import gettext as _
from games.shown.plain.sections import Section
from games.titles.lists import SeatFigures, Thumb


class LunarPages(LunarOptions, LearningPages, ReplyPages):
    """The drawn board; what it does not replace is made from the words of the title."""

    symbols = "lunar/sprite.svg"
    emblem = "lunar/_emblem.html"
    text_page = "lunar/text.html"
    thumb_actions = THUMB_ACTIONS
    deal_words = LunarDealWords()

    def board(
        self, view: GameView, asked: Mapping[str, str], *, is_planning: bool = False, since: int | None = None
    ) -> Any:
        """Return what the page of a game shows."""
        del since
        planning = planning_of(view, self.rules) if is_planning else None
        board = build_board(view, asked, self.describe_step, planning)
        return replace(board, plan=self.show_plan(view), tip=tip_of(view))

    @property
    def legal_note(self) -> str:
        """Who designed the game."""
        return _("LUNAR is a card game by Masato Uesugi, who has nothing to do with this site.")

    @property
    def short_legal_note(self) -> str:
        """That the site is not of the publisher."""
        return _("Unofficial fan project, not affiliated with the designer or the publisher of LUNAR.")

    def rule_of_talk(self, seats: int) -> str:
        """Return what partners may not write."""
        if seats == SIDES:
            return ""
        return _(
            "Partners must not write about their cards or plans. Everybody at the table reads each line."
        )

    def describe_rules(self) -> Sequence[Section]:
        """Return nothing: the rules have a page of their own."""
        return ()

    def action_of(self, data: Mapping[str, str]) -> Pass | Flip | Play:
        """Return the action that a form of the page posts. Raises Unreadable."""
        return read_action(data)

    def compare_figures(self, seats: Sequence[SeatFigures]) -> str:
        """Return how the viewer's side stands against the other."""
        return compare_figures(seats)

    def describe_end(self, view: GameView) -> str:
        """Return what decided a finished game, or how it ended."""
        return describe_decision(view) or super().describe_end(view)

    def draw_thumb(self, actions: Sequence[Mapping[str, Any]], *, is_over: bool) -> Thumb:
        """Return the latest cards of the viewer, which say nothing any more after the end."""
        return draw_thumb(actions, is_over=is_over)

    def draw_turn(self, view: GameView) -> bytes:
        """Return the trick with trump and lead suit, the trick track, and the viewer's hand."""
        return draw_turn(build_board(view, {}, self.describe_step))

    def draw_preview(self, view: GameView) -> bytes:
        """Return the table and the track."""
        return draw_preview(build_board(view, {}, self.describe_step))

    def text(self, view: GameView, board: Any) -> Sequence[Section]:
        """Return the position in words, first what is on the table."""
        return [*sections_of(view), *out_of_round(board.felt)]
