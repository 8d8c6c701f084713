"""The first game: a short one on a fixed deal, in which each lesson asks for one action and tells why."""

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
    """A lesson: what it says, the action that it asks for, and what Luna does after it.

    Without `asks` it is only read. With `any_goal`, any cell will do on which the tile covers a goal. `shows`
    names the part of the board that it is about; `nudge` says why another choice is not the one.
    """

    title: object
    text: Sequence[object]
    asks: Action | None = None
    any_goal: bool = False
    nudge: object = ""
    then: Sequence[Action] = ()
    shows: str = ""


LESSONS: tuple[Lesson, ...] = (
    Lesson(
        _("Four discs to place"),
        (
            _("You play against Luna. Each of you has four discs. Whoever places all of them first wins."),
            _("A disc goes on a goal: a dark circle with coloured dots on a tile of your own display."),
            _("A whole game is played with twenty discs. This one takes five minutes."),
        ),
    ),
    Lesson(
        _("Take your first tile"),
        (
            _("You may take one of the next three tiles after the marker, the ones in the moonlight."),
            _("The number is what a tile costs: time. Its circles are goals, and goals are what you want."),
            _("Take the turquoise 5, place it, and confirm."),
        ),
        asks=Place(YOU, "T5b", 0, 0),
        nudge=_("You could, but the turquoise 5 has two goals that suit the tiles to come. Take that one."),
        then=(Place(LUNA, "R2a", 0, 0), Place(LUNA, "Y4b", 1, 0)),
        shows="wheel",
    ),
    Lesson(
        _("Time decides who moves"),
        (
            _("The marker went to where your tile was, and your disc went five spaces along the moon track."),
            _("It is always the turn of whoever has spent the least time. So Luna took two tiles in a row."),
            _("Luna has spent six now, you five: it is your turn again."),
        ),
        shows="track",
    ),
    Lesson(
        _("Cover a goal"),
        (
            _("One goal of your turquoise 5 asks for one blue tile beside it."),
            _("Take the blue 1 and place it to the right of the turquoise 5, on E1."),
            _("Before you confirm, the board shows what would come of it: a ring on the goal, and +1."),
        ),
        asks=Place(YOU, "B1", 1, 0),
        nudge=_("For this lesson place the blue 1 on E1, to the right of the turquoise 5."),
        shows="display",
    ),
    Lesson(
        _("On top, and so on turn"),
        (
            _("Your first disc is placed. Now you and Luna have spent six each."),
            _("Who arrives on a space lies on top of the stack, and the top disc moves first: you."),
            _("The other goal of the turquoise 5 asks for two red tiles. Place the red 1 below it, on S1."),
        ),
        asks=Place(YOU, "R1", 0, 1),
        nudge=_("For this lesson place the red 1 on S1, below the turquoise 5."),
        then=(Place(LUNA, "Y3c", 0, 1),),
        shows="track",
    ),
    Lesson(
        _("Groups count as one"),
        (
            _("Tiles of one colour that touch by their edges are a group, and all tiles of a group count."),
            _("So the second red tile need not touch the turquoise 5. It may lie behind the first one."),
            _("Take the red 5 and place it on E1 S1. Beside the blue 1 it covers a goal of its own, too."),
        ),
        asks=Place(YOU, "R5a", 1, 1),
        nudge=_("For this lesson place the red 5 on E1 S1, where it touches the red 1 and the blue 1."),
        then=(Place(LUNA, "T2a", 1, 1), Place(LUNA, "Y3a", 2, 0)),
        shows="display",
    ),
    Lesson(
        _("Refill the wheel"),
        (
            _("Two goals at once! One disc is left to you."),
            _("Only two tiles are left on the wheel. With one or two you may refill it before you take."),
            _("Refill: new tiles come from the draw pile. What has been seen can't be taken back."),
        ),
        asks=Refill(YOU),
        nudge=_("You could take one of the two. But refill first, by the button below the display."),
        shows="wheel",
    ),
    Lesson(
        _("Win"),
        (
            _("Look at the three tiles in reach. One of them has a goal that your display fulfils at once."),
            _("Choose a tile: each cell tells how many goals it would cover there. Place your last disc!"),
        ),
        asks=Place(YOU, "B6b", 2, 1),
        any_goal=True,
        nudge=_("No goal is covered that way. Try the blue 6, beside your red tiles."),
        shows="display",
    ),
    Lesson(
        _("You have won"),
        (
            _("Your last disc is placed, and the game ends at once."),
            _("If the tiles run out first, whoever has the fewest discs left wins."),
            _("That is nearly all there is. The rest is where to place them."),
        ),
    ),
)


START = start(Setup(Mode.MULTIPLAYER, 2, DISCS, (YOU, LUNA), DECK))


@cache
def steps_before(number: int) -> tuple[Step, ...]:
    """Return the steps of all lessons before lesson `number`, counted from 0."""
    steps: list[Step] = []
    for lesson in LESSONS[:number]:
        for action in (*([lesson.asks] if lesson.asks else ()), *lesson.then):
            steps.append((steps[-1].position if steps else START).apply(action))
    return tuple(steps)


def view_lesson(number: int) -> GameView:
    """Return the game of lesson `number`, counted from 0, as the learner sees it before answering."""
    steps = steps_before(number)
    people = (Person(YOU, gettext("You"), is_you=True), Person(LUNA, gettext("Luna"), bot="easy"))
    # Where a lesson asks for nothing, a view of the past lets nothing be chosen.
    return GameView(START, steps, people, YOU, at=None if LESSONS[number].asks else len(steps))


def is_answer(lesson: Lesson, step: Step) -> bool:
    """Whether an action of the learner's is one that the lesson asks for."""
    if lesson.any_goal:
        return step.position.discs[YOU] == 0
    return step.action == lesson.asks
