"""The pages of Nova Luna as a title of the house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from games.novaluna.board import close_up, forms, try_line
from games.novaluna.board.board import Board, build_board
from games.novaluna.board.deals import NovaLunaDealWords
from games.novaluna.board.events import describe_step
from games.novaluna.board.front import NovaLunaFront
from games.novaluna.board.game_view import GameView, Wish
from games.novaluna.board.lists import NovaLunaLists
from games.novaluna.board.mails import NovaLunaMails
from games.novaluna.board.notation import PlayerAction, find_action, read_action, write_action
from games.novaluna.board.offers import explain_action
from games.novaluna.board.options import NovaLunaOptions
from games.novaluna.board.plan import ShownPlan, check_wish, describe_played_plan, show_plan
from games.novaluna.board.plan_notation import plan_lines, read_plan
from games.novaluna.board.refusals import REFUSALS
from games.novaluna.board.solo import NovaLunaSolo
from games.novaluna.board.text import TextBoard, text_board
from games.novaluna.board.words import BOT_TEXTS
from games.novaluna.engine import Place, Position, Refill, Step
from games.novaluna.expert_pages import ExpertPages
from games.novaluna.learning_pages import LearningPages
from games.novaluna.reviews.strip import build_strip
from games.titles.boards import CloseUp
from games.titles.lines import ActionText
from games.titles.plans import PlanReply

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class NovaLunaPages(
    ExpertPages, LearningPages, NovaLunaMails, NovaLunaLists, NovaLunaOptions, NovaLunaFront, NovaLunaSolo
):
    """Texts and pictures of the board; `games.novaluna.board` makes them."""

    view_class = GameView
    deal_words = NovaLunaDealWords()
    bot_levels = BOT_TEXTS
    bot_roles: Mapping[int, str] = {}
    banner = "games/icons/band.webp"
    text_page = "novaluna/text/page.html"
    try_page, try_part = "novaluna/try.html", "novaluna/_try.html"
    try_text_page = "novaluna/text/try.html"

    def write_action(self, action: PlayerAction, position: Position) -> str:
        """Return an action in the notation of emails."""
        return write_action(action, position)

    def read_action(self, line: str, position: Position, seat: int) -> PlayerAction:
        """Return the action that a line names. Raises CannotPlay."""
        return read_action(line, position, seat)

    def split_reply(self, lines: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return one part: after an action, the numbers of tiles are others."""
        return [lines]

    def find_action(self, lines: Sequence[str], view: GameView) -> PlayerAction:
        """Return the action that one of the lines of a reply names. Raises CannotPlay."""
        assert view.viewer is not None, "only players reply"
        return find_action(lines, view.position, view.viewer)

    def explain_action(self, action: Place | Refill, view: GameView) -> ActionText:
        """Return what a legal action would bring."""
        return ActionText(*explain_action(action, view))

    def describe_refusal(self, code: str) -> _StrPromise:
        """Return why the engine refuses an action."""
        return REFUSALS[code]

    def describe_step(self, step: Step, view: GameView) -> str:
        """Return a step in words."""
        return describe_step(step, view)

    def board(
        self, view: GameView, asked: Mapping[str, str], *, is_planning: bool = False, since: int | None = None
    ) -> Board:
        """Return what the page of a game shows."""
        choice, asks_refill = forms.read_choice(asked), "refill" in asked
        board = build_board(view, choice, is_planning=is_planning, asks_refill=asks_refill, since=since)
        return replace(board, strip=build_strip(view)) if view.reviewed else board

    def action_of(self, data: Mapping[str, str]) -> Place | Refill:
        """Return the action that a form of the page posts. Raises Unreadable."""
        return forms.read_action(data)

    def wishes_of(self, data: Mapping[str, str]) -> list[Wish]:
        """Return the wishes that a form of a plan posts. Raises Unreadable."""
        return forms.read_plan(data)

    def check_wish(self, action: Wish, position: Position, seat: int) -> str:
        """Return why an action of a plan can never be played."""
        return check_wish(action, position, seat)

    def text(self, view: GameView, board: Board) -> TextBoard:
        """Return the wheel, the displays and the choices in words."""
        return text_board(board, view)

    def close_up(self, view: GameView, seat: int, asked: Mapping[str, str]) -> CloseUp:
        """Return the display of a seat."""
        return close_up.close_up(view, seat, asked)

    def plan_lines(self, lines: Sequence[str]) -> Sequence[str]:
        """Return the lines of a reply that are about a plan."""
        return plan_lines(lines)

    def read_plan(self, lines: Sequence[str], seen: Position, view: GameView) -> PlanReply:
        """Return what these lines say. Raises CannotPlay."""
        return read_plan(lines, seen, view.newest.displays[view.first_seat])

    def show_plan(self, view: GameView) -> ShownPlan | None:
        """Return the viewer's plan."""
        return show_plan(view)

    def describe_played_plan(self, view: GameView) -> str:
        """Return what the viewer's plan did."""
        return describe_played_plan(view)

    def play_line(self, view: GameView, start: int, text: str) -> try_line.PlayedLine:
        """Return a line, as far as it is legal."""
        return try_line.play_line(view, start, text)

    def line_title(self, text: str) -> str:
        """Return the first actions of a line."""
        return try_line.line_title(text)
