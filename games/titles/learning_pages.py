"""The lessons and the rules of a title, for titles with the talents LESSONS and RULES."""

from collections.abc import Mapping
from typing import Protocol


class LessonPages(Protocol):
    """The pages of a title with the talent LESSONS."""

    @property
    def lesson_count(self) -> int:
        """The number of lessons."""
        ...

    @property
    def lesson_page(self) -> str:
        """The name of the template of the whole page."""
        ...

    @property
    def lesson_part(self) -> str:
        """The name of the template of the part that htmx replaces."""
        ...

    def lesson(self, number: int, asked: Mapping[str, str], *, is_corrected: bool) -> Mapping[str, object]:
        """Return what the templates show of a lesson, counted from 1, with the choice in its address.

        A lesson that `is_corrected` shows the position after a wrong answer. The house adds `title_key`,
        `number`, `last`, `is_last`, `problem` and `once_form`, the form that starts a game.
        """
        ...

    def problem_with_answer(self, number: int, data: Mapping[str, str]) -> str:
        """Return what is wrong with the action that a form of a lesson posts, in words; empty if nothing."""
        ...


class RulesPages(Protocol):
    """The pages of a title with the talent RULES."""

    @property
    def rules_page(self) -> str:
        """The name of the template of the whole page."""
        ...

    @property
    def rules_part(self) -> str:
        """The name of the template of what a search has found."""
        ...

    def show_rules(self, query: str) -> Mapping[str, object]:
        """Return what the templates show of the rules: of all, or of what a search finds.

        The house adds `title_key`. The templates can extend `games/rules.html`, which shows `query`,
        `contents` and `found`: chapters of `games.shown.chapters`.
        """
        ...
