"""The lessons and the rules of LUNAR as pages of the house."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from games.lunar.board.board import build_board
from games.lunar.board.choice import read_action
from games.lunar.board.events import describe_step
from games.lunar.engine import action_from_json, action_to_json
from games.lunar.learning.lessons import LESSONS, YOU, events_before, step_of, tricks_before, view_lesson
from games.lunar.learning.rules import chapters
from games.shown.chapters import search
from games.titles.boards import Unreadable
from games.titles.rules import IllegalAction


class LearningPages:
    """Lessons and rules; `games.lunar.learning` has them."""

    lesson_count = len(LESSONS)
    lesson_page = "lunar/learn/lesson.html"
    lesson_part = "lunar/learn/_lesson.html"
    rules_page = "lunar/rules/rules.html"
    rules_part = "games/_rules_found.html"

    def lesson(self, number: int, asked: Mapping[str, str], *, is_corrected: bool) -> Mapping[str, object]:
        """Return a lesson with its board, and what followed from the one before."""
        del is_corrected
        return {
            "board": build_board(view_lesson(number - 1), asked, describe_step),
            "events": events_before(number - 1),
            "tricks": tricks_before(number - 1),
            "lesson": LESSONS[number - 1],
        }

    def problem_with_answer(self, number: int, data: Mapping[str, str]) -> str:
        """Return what is wrong with an answer, in words; empty if it is the lesson's answer."""
        lesson = LESSONS[number - 1]
        try:
            action = action_from_json({**action_to_json(read_action(data)), "seat": YOU})
            step = step_of(number - 1, action)
        except (IllegalAction, Unreadable):
            return _("You can't do that here. Choose one of the cards or tiles that are not dimmed.")
        return "" if step.action == lesson.expected else str(lesson.correction)

    def show_rules(self, query: str) -> Mapping[str, object]:
        """Return all chapters, or those that contain every word of the search."""
        return {
            "query": query,
            "contents": chapters(),
            "found": search(chapters(), query) if query else chapters(),
            "other_words": _("Try another word: trick, trump, star, sky, points."),
        }
