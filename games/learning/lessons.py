"""The lessons: a short game on a fixed deal, in which each lesson explains one action and asks for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.board.game_view import GameView, Person
from games.engine import TILES, Action, Mode, Place, Refill, Setup, Step, start

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

    Without an `expected` action the learner only reads. With `accepts_any_goal`, every action that covers the
    last goal is right. `correction` answers a wrong action. `highlight` is the part of the board that the
    lesson is about: "wheel", "track" or "display".
    """

    title: object
    text: Sequence[object]
    expected: Action | None = None
    accepts_any_goal: bool = False
    correction: object = ""
    luna_actions: Sequence[Action] = ()
    highlight: str = ""


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        _("Four discs to place"),
        (
            _("You play against Luna. Each of you has four discs. The first to place all of them wins."),
            _("A disc goes on a goal: a dark circle with coloured dots on a tile of your own display."),
            _("A full game has twenty discs. This one takes five minutes."),
        ),
    ),
    Lesson(
        _("Take your first tile"),
        (
            _("You can take one of the next three tiles after the marker. They are in the moonlight."),
            _("The number on a tile is its cost in time. The dark circles are goals that you want to cover."),
            _("Take the turquoise 5, place it, and confirm."),
        ),
        expected=Place(YOU, "T5b", 0, 0),
        correction=_("In this lesson, take the turquoise 5. Its goals suit the next tiles."),
        luna_actions=(Place(LUNA, "R2a", 0, 0), Place(LUNA, "Y4b", 1, 0)),
        highlight="wheel",
    ),
    Lesson(
        _("Time decides who moves"),
        (
            _("The marker moved to your tile's space, and your disc moved five spaces on the moon track."),
            _("The player who has spent the least time moves next. So Luna took two tiles in a row."),
            _("Luna has now spent six, and you have spent five. It is your turn again."),
        ),
        highlight="track",
    ),
    Lesson(
        _("Cover a goal"),
        (
            _("One goal of your turquoise 5 needs one blue tile beside it."),
            _("Take the blue 1 and place it to the right of the turquoise 5, on E1."),
            _("Before you confirm, the board shows the result: a ring on the goal, and +1."),
        ),
        expected=Place(YOU, "B1", 1, 0),
        correction=_("In this lesson, place the blue 1 on E1, to the right of the turquoise 5."),
        highlight="display",
    ),
    Lesson(
        _("The top disc moves first"),
        (
            _("You have placed your first disc. You and Luna have now spent six each."),
            _("Your disc arrived last on its space, so it is on top of the stack. The top disc moves first."),
            _("The other goal of the turquoise 5 needs two red tiles. Place the red 1 below it, on S1."),
        ),
        expected=Place(YOU, "R1", 0, 1),
        correction=_("In this lesson, place the red 1 on S1, below the turquoise 5."),
        luna_actions=(Place(LUNA, "Y3c", 0, 1),),
        highlight="track",
    ),
    Lesson(
        _("Groups count as one"),
        (
            _("Tiles of one colour whose edges touch are a group, and all tiles of a group count."),
            _("The second red tile doesn't need to touch the turquoise 5. It can be behind the first one."),
            _("Take the red 5 and place it on E1 S1. The blue 1 beside it fulfils a goal of the red 5."),
        ),
        expected=Place(YOU, "R5a", 1, 1),
        correction=_("In this lesson, place the red 5 on E1 S1, where it touches the red 1 and the blue 1."),
        luna_actions=(Place(LUNA, "T2a", 1, 1), Place(LUNA, "Y3a", 2, 0)),
        highlight="display",
    ),
    Lesson(
        _("Refill the wheel"),
        (
            _("Two goals at once! You have one disc left."),
            _("Only two tiles are left on the wheel. With one or two left, you may refill it first."),
            _("Refill the wheel. New tiles come from the draw pile, so you can't undo it."),
        ),
        expected=Refill(YOU),
        correction=_("In this lesson, refill the wheel first. The Refill button is below the display."),
        highlight="wheel",
    ),
    Lesson(
        _("Win"),
        (
            _("Look at the three tiles in reach. Your display already fulfils a goal of one of them."),
            _("Choose a tile. Each cell shows how many goals it would cover there. Place your last disc!"),
        ),
        expected=Place(YOU, "B6b", 2, 1),
        accepts_any_goal=True,
        correction=_("That covers no goal. Try the blue 6, beside your red tiles."),
        highlight="display",
    ),
    Lesson(
        _("You have won"),
        (
            _("You have placed your last disc, and the game is over."),
            _("If the tiles run out first, the player with the fewest discs left wins."),
            _("You know nearly all the rules. You can look up the rest on the rules page."),
        ),
    ),
)


START = start(Setup(Mode.MULTIPLAYER, 2, DISCS, (YOU, LUNA), DECK))


@cache
def steps_before(number: int) -> tuple[Step, ...]:
    """Return the steps of all lessons before lesson `number`, counted from 0."""
    steps: list[Step] = []
    for lesson in LESSONS[:number]:
        for action in (*([lesson.expected] if lesson.expected else ()), *lesson.luna_actions):
            steps.append((steps[-1].position if steps else START).apply(action))
    return tuple(steps)


def view_lesson(number: int) -> GameView:
    """Return the game of lesson `number`, counted from 0, as the learner sees it before acting."""
    steps = steps_before(number)
    people = (Person(YOU, gettext("You"), is_you=True), Person(LUNA, gettext("Luna"), bot="easy"))
    # A lesson without an expected action shows a past position, in which the learner cannot choose anything.
    return GameView(START, steps, people, at=None if LESSONS[number].expected else len(steps))


def is_expected(lesson: Lesson, step: Step) -> bool:
    """Whether the learner's step is one that the lesson asks for."""
    if lesson.accepts_any_goal:
        return step.position.discs[YOU] == 0
    return step.action == lesson.expected
