"""The pages of a title that has only rules and words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy

from games.marked import gettext as _
from games.shown.headings import heading
from games.shown.leaving import describe_leaving
from games.shown.lists import GeneralLists
from games.shown.plain import notation
from games.shown.plain.board import PlainBoard, build_board
from games.shown.plain.choices import read_actions
from games.shown.plain.mails import PlainMails
from games.shown.plain.options import PlainOptions
from games.shown.plain.outcomes import describe_hidden, describe_outcome
from games.shown.plain.plan_lines import plan_lines, read_plan
from games.shown.plain.plans import ShownPlan, describe_played, show_plan
from games.shown.plain.sections import Section
from games.shown.plain.words import AnyWords
from games.shown.take_backs import describe_take_back
from games.shown.words import begin_sentence
from games.titles.actions import Cancel, Resign, TakeBack
from games.titles.boards import CloseUp, Unreadable
from games.titles.front import Front
from games.titles.lines import ActionText
from games.titles.lists import Figures
from games.titles.plans import PlanReply
from games.titles.rules import AnyPosition, AnyRules, AnyStep
from games.titles.view import AnyView, GameView

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from games.titles.pages import AnyPages


class PlainPages(PlainMails, PlainOptions, GeneralLists, Front):
    """All that the house shows of games of a title, made from its rules and words."""

    view_class = GameView
    text_page = "games/plain/text.html"

    def __init__(self, rules: AnyRules, words: AnyWords) -> None:
        """Take the rules of the title, which say who plays with whom, and its words."""
        self.rules = rules
        self.words = words

    @property
    def name(self) -> str:
        """The name of the title."""
        return str(self.words.name)

    def rule_of_talk(self, seats: int) -> str:
        """Return the rule of the words."""
        return self.words.rule_of_talk(seats)

    def describe_rules(self) -> Sequence[Section]:
        """Return the rules in the words of the title."""
        return self.words.describe_rules()

    def describe_figures(self, figures: Figures) -> str:
        """Return the figures of one seat in the words of the title."""
        return self.words.describe_figures(figures)

    def write_action(self, action: Any, _position: AnyPosition) -> str:
        """Return an action as a line, in the words of the title."""
        return notation.write(action, self.words)

    def read_action(self, line: str, position: AnyPosition, seat: int) -> Any:
        """Return the action of a seat that a line names. Raises CannotPlay."""
        return notation.read(line, self.words, position, seat)

    def split_reply(self, lines: Sequence[str]) -> Sequence[Sequence[str]]:
        """Return a part for each action that the lines name."""
        return notation.split(lines, self.words)

    def find_action(self, lines: Sequence[str], view: AnyView) -> Any:
        """Return the action of the viewer that one of the lines of a reply names. Raises CannotPlay."""
        return notation.find(lines, self.words, view)

    def explain_action(self, action: Any, view: AnyView) -> ActionText:
        """Return an action in words. What it brings is for the player to see, so there is no detail."""
        return ActionText(self.words.describe_action(action, view), "")

    def describe_refusal(self, code: str) -> str | _StrPromise:
        """Return why the rules refuse an action."""
        return self.words.refusals.get(code) or gettext_lazy("You can't do that now. Please choose again.")

    def describe_step(self, step: AnyStep, view: AnyView) -> str:
        """Return a step in words, with the outcome if it was the last one."""
        sentences = [self._describe_action_of(step, view)]
        if step.position.ending is not None and not isinstance(step.action, Cancel):
            sentences.append(describe_outcome(view, self.rules.sides(view.start.seats)))
        return _(". ").join(begin_sentence(sentence) for sentence in sentences if sentence)

    def board(
        self, view: AnyView, asked: Mapping[str, str], *, is_planning: bool = False, since: int | None = None
    ) -> PlainBoard:
        """Return what the plain page shows: always all, because it is small."""
        del since
        sentences = self.describe_step, self.describe_end
        return build_board(view, asked, self.words, self.rules, *sentences, is_planning=is_planning)

    def action_of(self, data: Mapping[str, str]) -> Any:
        """Return the action that a form posts. Raises Unreadable."""
        actions = read_actions(data.get("action", ""), self.rules)
        if data.get("do") != "play" or len(actions) != 1:
            raise Unreadable
        return actions[0]

    def wishes_of(self, data: Mapping[str, str]) -> list[Any]:
        """Return the actions of a plan that a form posts, with the one that it adds. Raises Unreadable."""
        return [
            action for name in ("wishes", "action") for action in read_actions(data.get(name, ""), self.rules)
        ]

    def check_wish(self, action: Any, position: AnyPosition, seat: int) -> str:
        """Return why an action of a plan can never be legal."""
        if action in self.words.plannable(position, seat):
            return ""
        return _("A move of this plan is not possible any more. Please choose another one.")

    def text(self, _view: AnyView, _board: PlainBoard) -> object:
        """Return nothing: text mode shows the same words as the plain page."""
        return None

    def heading(self, view: AnyView) -> str:
        """Return whose turn it is, or how the game ended."""
        return heading(view, self.rules.sides(view.start.seats))

    def plan_lines(self, lines: Sequence[str]) -> Sequence[str]:
        """Return the lines of a reply that are about a plan."""
        return plan_lines(lines)

    def read_plan(self, lines: Sequence[str], _seen: AnyPosition, view: AnyView) -> PlanReply:
        """Return what these lines say. Raises CannotPlay."""
        return read_plan(lines, self.words, view.newest, view.first_seat)

    def show_plan(self, view: AnyView) -> ShownPlan | None:
        """Return the viewer's plan."""
        return show_plan(view, self.words, self.rules)

    def describe_played_plan(self, view: AnyView) -> str:
        """Return what the viewer's plan did."""
        return describe_played(view, self.words)

    def close_up(self, _view: AnyView, _seat: int, _asked: Mapping[str, str]) -> CloseUp | None:
        """Return nothing: the plain page shows all that there is."""
        return None

    def describe_end(self, view: AnyView) -> str:
        """Return what the last action did: it has decided the game, or cancelled it."""
        return f"{begin_sentence(self._describe_action_of(view.steps[-1], view))}."

    def _describe_action_of(self, step: AnyStep, view: AnyView) -> str:
        if isinstance(step.action, TakeBack):
            what = self._describe_action_of(view.steps[step.action.to], view)
            return describe_take_back(step.action, view, what)
        words = self.words.describe_step(step, view)
        match step.action:
            case Resign():
                before = describe_leaving(step.action, view)
            case Cancel():
                before = _("The players agreed to cancel the game, so nobody wins")
            case None if not words:
                return describe_hidden(step, view)
            case _other:
                return words
        return _(". ").join([before, words]) if words else before


if TYPE_CHECKING:

    def _has_all_faces(pages: PlainPages) -> AnyPages:
        """Let the type checker prove that plain pages lack nothing that the house asks for."""
        return pages
