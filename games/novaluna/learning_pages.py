"""The lessons and the rules of Nova Luna as pages of the house."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from games.novaluna.board.board import build_board
from games.novaluna.board.forms import read_choice
from games.novaluna.engine import EngineError, Place, Refill
from games.novaluna.learning.lessons import LESSONS, YOU, describe_luna, problem_with, view_lesson
from games.novaluna.learning.rules import chapters
from games.shown.chapters import search
from games.titles.boards import BarText


class LearningPages:
    """Lessons and rules; `games.novaluna.learning` has them."""

    lesson_count = len(LESSONS)
    lesson_page = "novaluna/learn/lesson.html"
    lesson_part = "novaluna/learn/_lesson.html"
    rules_page = "novaluna/rules/rules.html"
    rules_part = "games/_rules_found.html"

    def lesson(self, number: int, asked: Mapping[str, str], *, is_corrected: bool) -> Mapping[str, object]:
        """Return a lesson with its board, and what Luna has just done."""
        lesson, view = LESSONS[number - 1], view_lesson(number - 1, is_corrected=is_corrected)
        luna_steps = len(LESSONS[number - 2].luna_actions) if number > 1 else 0
        board, task = build_board(view, read_choice(asked)), BarText(str(lesson.task), "")
        before = board.choice_data.get("")
        return {
            "board": board,
            # Before any choice, the bar says the task.
            "bar": board.bar if board.choice.tile else task,
            "choices": {**board.choice_data, "": {**before, **task._asdict()}}
            if isinstance(before, dict)
            else {},
            "events": [describe_luna(step, view) for step in view.steps[view.version - luna_steps :]],
            "lesson": lesson,
            "expects_refill": isinstance(lesson.expected, Refill),
        }

    def problem_with_answer(self, number: int, data: Mapping[str, str]) -> str:
        """Return what is wrong with an answer, in words; empty if it is the lesson's answer."""
        try:
            if data.get("do") == "refill":
                action: Place | Refill = Refill(YOU)
            else:
                x, y = int(data.get("x", "")), int(data.get("y", ""))
                action = Place(YOU, data.get("tile", ""), x, y)
            step = view_lesson(number - 1).newest.apply(action)
        except (EngineError, ValueError):
            return _("You can't do that here. Choose a tile in the moonlight, and a dashed cell for it.")
        return problem_with(LESSONS[number - 1], step)

    def show_rules(self, query: str) -> Mapping[str, object]:
        """Return all chapters, or those that contain every word of the search."""
        return {
            "query": query,
            "contents": chapters(),
            "found": search(chapters(), query) if query else chapters(),
            "other_words": _("Try another word: tile, goal, group, refill, solo."),
        }
