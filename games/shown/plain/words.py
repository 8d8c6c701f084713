"""What a title says of its games. With its rules, these words are all that the plain page needs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from django.utils.translation import ngettext_lazy

from games.marked import MarkedText
from games.marked import gettext as _
from games.shown.plain.sections import Section
from games.titles.options import Question
from games.titles.rules import AnyPosition, Step
from games.titles.small.actions import SmallAction
from games.titles.view import AnyView, GameView

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    Text = str | _StrPromise

Action = TypeVar("Action")
PositionT = TypeVar("PositionT", bound=AnyPosition)


class ActionWords(NamedTuple):
    """The texts of a kind of action, translated lazily, with its fields as placeholders.

    `ActionWords(_("Choose the %(card)d"), _("You chose the %(card)d"), _("%(name)s chose the %(card)d"))`.
    """

    label: Text  # for a button
    by_viewer: Text
    by_other: Text


class Words(ABC, Generic[Action, PositionT]):
    """The words of a title, in the active language.

    They depend only on their arguments. A view shows nothing that its viewer may not know, so words need not
    hide anything; `view.position` is the position that the page shows, now or in the past. The house has
    words for all that it does itself: resigning, cancelling, clocks, bots, seats that change hands.
    """

    # The name of the title, such as `gettext_lazy("Pairs")`.
    name: Text

    # A sentence for people who are invited and may not know the title, such as "Pairs is a card game."
    introduction: Text = ""

    # The texts of each kind of `SmallAction`, by its `do`.
    actions: Mapping[str, ActionWords] = {}

    # The words of the figures that lists show, each a lazy `ngettext_lazy` with its number as `count`.
    figures: Mapping[str, Text] = {"points": ngettext_lazy("%(count)d point", "%(count)d points", "count")}

    # The rules in the words of the title, as sentences for people who have never played it.
    rules: Sequence[Text] = ()

    # A sentence for each `code` of the title's `IllegalAction`: what is wrong, and what the player can do.
    refusals: Mapping[str, Text] = {}

    # What the form of a new table asks about the options of the rules, each by its name.
    questions: Sequence[Question] = ()

    def write_action(self, action: Action) -> str:
        """Return an action in a few letters and digits, such as "choose 5": for replies by email.

        It is the same in every language and for ever, and different for any two legal actions of a seat. It
        names things as players see them, never their place in a list that changes.
        """
        assert isinstance(action, SmallAction)
        return action.line

    def describe_action(self, action: Action, _view: GameView[PositionT, Any]) -> str:
        """Return a legal action of the viewer, short enough for a button, such as "Choose the 5"."""
        assert isinstance(action, SmallAction)
        return MarkedText(self.actions[action.do].label) % action.chosen

    def describe_step(self, step: Step[Action], view: GameView[PositionT, Any]) -> str:
        """Return what happened, as one or more sentences without the last full stop: see `about_seat`.

        If `step.action` is None, the viewer may not know it; without words here, the house says who has
        chosen. For a resign or a cancel, which the house describes, return what has followed: mostly nothing.
        """
        sentences = [self.describe_event(event, view) for event in step.events]
        if isinstance(step.action, SmallAction):
            _label, you, other = self.actions[step.action.do]
            sentences.insert(0, about_seat(step.action.seat, view, you, other, **step.action.chosen))
        return _(". ").join(sentence for sentence in sentences if sentence)

    def describe_event(self, event: Hashable, view: GameView[PositionT, Any]) -> str:
        """Return an event of a step as a sentence without a full stop; empty for none."""
        del event, view
        return ""

    @abstractmethod
    def describe_position(self, view: GameView[PositionT, Any]) -> Sequence[Section]:
        """Return `view.position` as the viewer sees it, the most important part first, such as their hand.

        Points and other figures of the players are already on the page, and so is who is awaited.
        """

    def describe_figures(self, figures: Mapping[str, int]) -> str:
        """Return the figures of a seat in a few words, such as "5 points"; empty if there are none."""
        shown = [(words, figures[name]) for name, words in self.figures.items() if name in figures]
        return " · ".join(str(words % {"count": count}) for words, count in shown)

    def describe_rules(self) -> Sequence[Section]:
        """Return the rules, for people who have never played the title."""
        return [Section(_("How to play"), tuple(str(sentence) for sentence in self.rules))]

    def rule_of_talk(self, seats: int) -> str:
        """Return what players may not write while a game runs, such as what they hold; empty for nothing."""
        del seats
        return ""

    def minutes(self, options: Mapping[str, object], seats: int) -> int:
        """Return about how long a game takes if everybody is online."""
        del options
        return 15 * seats

    def group_action(self, action: Action, view: GameView[PositionT, Any]) -> str:
        """Return the heading under which a page with many actions shows this one; empty for none."""
        del action, view
        return ""

    def plannable(self, position: PositionT, seat: int) -> Sequence[Action]:
        """Return the actions that a seat, which is not awaited, can plan for later; none if it cannot plan.

        The position is the one that the seat sees. When the seat is awaited, the first action of its plan
        that is legal is played. A title that replaces this has the talent PLANS, and counts `known`.
        """
        del position, seat
        return ()

    def shorten_action(self, action: Action, view: GameView[PositionT, Any]) -> str:
        """Return an action in a few words for a list of actions of one kind, such as "5"."""
        return self.describe_action(action, view)

    def ask_to_outlast(self, view: GameView[PositionT, Any]) -> str:
        """Return the choice to play a plan also after something is revealed; empty if nothing can be."""
        del view
        return _("Play it also if something is revealed before my turn")

    def explain_impossible(self, action: Action, view: GameView[PositionT, Any]) -> str:
        """Return why a planned action is not possible any more, as a sentence; empty for the usual words."""
        del action, view
        return ""


AnyWords = Words[Any, Any]


def about_seat(seat: int, view: AnyView, you: Text, other: Text, /, **words: object) -> str:
    """Return a sentence about the player of a seat: `you` for the viewer, else `other` with their %(name)s.

    `about_seat(0, view, _("You chose %(card)d"), _("%(name)s chose %(card)d"), card=5)` is "Ines chose 5".
    """
    person = view.people[seat]
    return MarkedText(you if person.is_you else other) % {"name": person.name, **words}
