"""The lessons: a short game on a fixed deal, in which each lesson explains one action and asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.novaluna.board.events import describe_step
from games.novaluna.board.game_view import GameView, Hint
from games.novaluna.board.words import tile_name
from games.novaluna.engine import TILES, Action, Mode, Place, Refill, Setup, Step, TileTaken, start
from games.titles.people import Person

YOU, LUNA = 0, 1
DISCS = 4
ON_THE_WHEEL = ("Y3a", "T5b", "R2a", "Y4b", "T4a", "B1", "R1", "Y3c", "B5a", "R5a", "T2a")
IN_THE_PILE = ("Y2a", "B6b", "T3a", "R4a", "Y6a", "B2a", "R3c", "T7", "Y5b")
DECK = (
    *ON_THE_WHEEL,
    *IN_THE_PILE,
    *(code for code in TILES if code not in {*ON_THE_WHEEL, *IN_THE_PILE}),
)


@dataclass(frozen=True)
class Lesson:
    """A lesson: its text, the action that it asks for, and Luna's actions after it.

    `task` asks for the `expected` action; the last lesson has neither. With `accepts_any_goal`, every action
    that covers the last goal is right, and the board marks the expected one only after a wrong answer.
    `correction` answers a wrong action.
    `highlight` is the part of the board that the lesson is about: "wheel", "track" or "display".
    """

    title: object
    text: Sequence[object]
    expected: Action | None = None
    task: object = ""
    accepts_any_goal: bool = False
    correction: object = ""
    luna_actions: Sequence[Action] = ()
    highlight: str = ""


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        _("Cover a goal"),
        (
            _(
                "The first player to place all their discs wins: here, you and Luna have four each. Discs go "
                "on goals, the dark circles on your tiles."
            ),
            _(
                "One goal of your turquoise 5 needs a blue tile beside it. You can take one of the three "
                "tiles in the moonlight. A ring and +1 show what you gain, before you confirm."
            ),
        ),
        expected=Place(YOU, "B1", 1, 0),
        task=_("Take the blue 1, and place it on the marked cell."),
        correction=_(
            "In this lesson, place the blue 1 on the marked cell, to the right of the turquoise 5: a goal "
            "there needs a blue tile beside it."
        ),
        highlight="display",
    ),
    Lesson(
        _("Time decides who moves"),
        (
            _(
                "You have covered your first goal. The number on a tile is its cost in time: your disc on "
                "the moon track moved one space, and the marker moved to the space of your tile."
            ),
            _(
                "The player who has spent the least time moves next. You and Luna have spent the same time. "
                "Your disc on the track arrived last, so it is on top, and the top disc moves first."
            ),
            _("The other goal of the turquoise 5 needs two red tiles."),
        ),
        expected=Place(YOU, "R1", 0, 1),
        task=_("Take the red 1, and place it on the marked cell."),
        correction=_(
            "In this lesson, place the red 1 on the marked cell, below the turquoise 5: its other goal needs "
            "two red tiles, and this is the first."
        ),
        luna_actions=(Place(LUNA, "Y3c", 0, 1),),
        highlight="track",
    ),
    Lesson(
        _("Every tile of a group counts"),
        (
            _("Tiles of one colour whose edges touch are a group, and all tiles of a group count."),
            _(
                "So the second red tile does not need to touch the turquoise 5. It can be behind the first "
                "one."
            ),
            _("On the marked cell, the blue 1 also completes a goal of the red 5."),
        ),
        expected=Place(YOU, "R5a", 1, 1),
        task=_("Take the red 5, and place it on the marked cell."),
        correction=_(
            "In this lesson, place the red 5 on the marked cell, where it touches the red 1 and the blue 1: "
            "the goals need a group of two red tiles, and a blue tile."
        ),
        luna_actions=(Place(LUNA, "T2a", 1, 1), Place(LUNA, "Y3a", 2, 0)),
        highlight="display",
    ),
    Lesson(
        _("Refill the wheel"),
        (
            _(
                "Two goals at once! You have one disc left. Luna had spent less time than you, and moved "
                "twice in a row."
            ),
            _("Only two tiles are left on the wheel. With one or two left, you may refill it first."),
            _("New tiles come from the draw pile, so you can't undo a refill."),
        ),
        expected=Refill(YOU),
        task=_("Refill the wheel."),
        correction=_("In this lesson, refill the wheel first, with the Refill button."),
        highlight="wheel",
    ),
    Lesson(
        _("Win"),
        (
            _(
                "Look at the three tiles in the moonlight. For one of them, your display already completes "
                "a goal."
            ),
            _("Choose a tile. Each cell shows how many goals it would cover there."),
        ),
        expected=Place(YOU, "B6b", 2, 1),
        task=_("Place your last disc!"),
        accepts_any_goal=True,
        correction=_("That covers no goal. Try the blue 6 on the marked cell, beside your red tiles."),
        highlight="display",
    ),
    Lesson(
        _("You have won"),
        (
            _("You have placed your last disc, and the game is over."),
            _("If the tiles run out first, the player with the fewest discs left wins."),
            _("A first game is quicker with fewer discs: 17 each with three players, 15 each with four."),
            _("You know nearly all the rules. You can look up the rest on the rules page."),
        ),
    ),
)


# Each player has a tile before the first lesson, so that the first lesson can cover a goal.
BEFORE_THE_LESSONS: tuple[Action, ...] = (
    Place(YOU, "T5b", 0, 0),
    Place(LUNA, "R2a", 0, 0),
    Place(LUNA, "Y4b", 1, 0),
)
START = start(Setup(Mode.MULTIPLAYER, 2, DISCS, (YOU, LUNA), DECK))


@cache
def steps_before(number: int) -> tuple[Step, ...]:
    """Return the steps of the game before lesson `number`, counted from 0."""
    actions = [*BEFORE_THE_LESSONS]
    for lesson in LESSONS[:number]:
        actions += [*([lesson.expected] if lesson.expected else ()), *lesson.luna_actions]
    steps: list[Step] = []
    for action in actions:
        steps.append((steps[-1].position if steps else START).apply(action))
    return tuple(steps)


def view_lesson(number: int, *, is_corrected: bool = False) -> GameView:
    """Return the game of lesson `number`, counted from 0, as the learner sees it before acting.

    The board marks what the lesson asks for, as it marks a hint. A lesson with several right answers is
    marked only if `is_corrected`, after a wrong answer.
    """
    lesson, steps = LESSONS[number], steps_before(number)
    people = (Person(YOU, gettext("You"), is_you=True), Person(LUNA, gettext("Luna"), bot="easy"))
    is_marked = is_corrected or not lesson.accepts_any_goal
    hint = Hint(lesson.expected) if is_marked and isinstance(lesson.expected, Place | Refill) else None
    # The last lesson shows a past position, in which the learner cannot choose anything.
    return GameView(START, steps, people, at=None if lesson.expected else len(steps), hint=hint)


def problem_with(lesson: Lesson, step: Step) -> str:
    """Return why the learner's step is not what the lesson asks for, in words; empty if it is.

    A step that covers a goal as well is praised, because only the next lessons need the expected one.
    """
    if _is_expected(lesson, step):
        return ""
    if isinstance(lesson.expected, Place) and step.goals_covered:
        return gettext("A good move too: it covers a goal. %(correction)s") % {
            "correction": lesson.correction
        }
    return str(lesson.correction)


def _is_expected(lesson: Lesson, step: Step) -> bool:
    if lesson.accepts_any_goal:
        return step.position.discs[YOU] == 0
    return step.action == lesson.expected


def describe_luna(step: Step, view: GameView) -> str:
    """Return what Luna did, in words. Her cells are not named, because no lesson explains their names."""
    taken = next((event for event in step.events if isinstance(event, TileTaken)), None)
    if taken is None or step.goals_covered:
        return describe_step(step, view)
    words = {
        "tile": tile_name(TILES[taken.tile]),
        "before": taken.time_before,
        "after": taken.time_after,
    }
    return gettext("Luna took %(tile)s and placed it: time %(before)d → %(after)d") % words
