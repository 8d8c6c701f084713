"""The options of a title that has only rules and words, by the questions of its words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from games.marked import gettext as _
from games.shown.plain.words import AnyWords
from games.titles.deals import DealWords
from games.titles.options import Choice, LevelText, Question, YesNo

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class PlainOptions:
    """Each question of the words is about the option of the rules that has its name."""

    words: AnyWords
    bot_levels = {
        "easy": LevelText(
            gettext_lazy("Easy"),
            gettext_lazy("For your first games: it thinks only briefly about its turns."),
        ),
        "medium": LevelText(gettext_lazy("Medium"), gettext_lazy("Thinks longer than the easy bot.")),
        "hard": LevelText(gettext_lazy("Hard"), gettext_lazy("Thinks longer than the medium bot.")),
        "expert": LevelText(gettext_lazy("Expert"), gettext_lazy("The strongest bot of this game.")),
    }
    bot_roles: Mapping[int, str | _StrPromise] = {}
    banner = ""
    deal_words = DealWords()

    @property
    def introduction(self) -> str:
        """The sentence of the words, or that the title is played in turns."""
        words = self.words
        return str(words.introduction) or _("%(title)s is played in turns.") % {"title": words.name}

    def questions(self, *, is_new: bool) -> Sequence[Question]:
        """Return the questions of the words, which are the same for everybody."""
        del is_new
        return self.words.questions

    def options_of(self, answers: Mapping[str, object], seats: int) -> Mapping[str, object]:
        """Return the answers."""
        del seats
        return answers

    def minutes(self, options: Mapping[str, object], seats: int) -> int:
        """Return what the words say."""
        return self.words.minutes(options, seats)

    def describe_options(self, options: Mapping[str, object], seats: int) -> str:
        """Return the label of each question with its answer; those of boxes only if they are ticked."""
        del seats
        parts = [_describe(question, options.get(question.name)) for question in self.words.questions]
        return " · ".join(part for part in parts if part)


def _describe(question: Question, answer: object) -> str:
    match question:
        case YesNo():
            return str(question.label) if answer else ""
        case Choice():
            answer = next((label for value, label in question.choices.items() if value == answer), answer)
    return "" if answer is None else f"{question.label}: {answer}"
