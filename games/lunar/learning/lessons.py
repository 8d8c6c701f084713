"""The lessons: each is a moment of a game at a table of its own, and asks for one action."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from django.utils.translation import gettext_lazy as _

from games.lunar.board.events import describe_step
from games.lunar.board.felt import WonTrick, last_tricks
from games.lunar.board.game_view import GameView
from games.lunar.engine import Action, Card, Flip, Play, Position, Source, Step, Suit
from games.lunar.learning.tables import table
from games.titles.people import Person

YOU, LUNA, VEGA, ORION = range(4)
NAMES = ("You", "Luna", "Vega", "Orion")


@dataclass(frozen=True)
class Lesson:
    """A lesson: its table, what others have done there, the action that it asks for, and what follows it.

    `task` asks for the `expected` action; the last lesson has neither. `correction` answers every other one.
    `shows_track` is set for lessons about tricks and points.
    """

    title: object
    text: Sequence[object]
    start: Position
    before: Sequence[Action] = ()
    expected: Action | None = None
    task: object = ""
    correction: object = ""
    after: Sequence[Action] = ()
    shows_track: bool = False


def _card(code: str) -> Card:
    return Card(code)


FIRST = table(
    "2 4 8 W W O",
    "1 5 6 W L L",
    "1 5 7 B O L",
    "3 6 8 W L L",
    trump=Suit.BAT,
    won=(3, 3),
    leader=LUNA,
)
_THREE_CARDS = (Play(LUNA, _card("5")), Play(VEGA, _card("7")), Play(ORION, _card("W")))
_WOLF = Play(YOU, _card("W"))
FOR_TWO = table(
    "3 5 W O",
    "2 8 O B",
    trump=Suit.WOLF,
    won=(4, 4),
    leader=LUNA,
    sky="2 6 7 W L B",
    piles=("4", "L"),
)
_TRICK_FOR_TWO = (
    Play(LUNA, _card("O"), Source.HAND),
    Play(YOU, _card("O"), Source.HAND),
    Play(LUNA, _card("6"), Source.SKY),
)
_SEVEN = Play(YOU, _card("7"), Source.SKY)

LESSONS: tuple[Lesson, ...] = (
    Lesson(
        _("Two halves make a card"),
        (
            _(
                "A number is a rank, an animal is a suit. You and Vega play against Luna and Orion. "
                "In each trick, everybody plays one card, and partners play a rank and a suit."
            ),
            _("Luna's 5 and Orion's wolf together are wolf 5. Your partner Vega has played a 7."),
        ),
        start=FIRST,
        before=_THREE_CARDS,
        expected=_WOLF,
        task=_("Play a wolf: wolf 7 beats wolf 5."),
        correction=_("Play a wolf: the wolf was the first suit in the trick, and you have one."),
    ),
    Lesson(
        _("The first suit leads"),
        (
            _(
                "Both sides had a wolf, so the higher rank won. With equal ranks, the side that played the "
                "last card wins."
            ),
            _(
                "The first suit in a trick is its lead suit. The other side must play the same suit. "
                "A player who has none plays another suit, which loses, even with a higher rank."
            ),
            _(
                "You have the lead tile of your side (“black lead”), so after a trick that your side won, "
                "you lead."
            ),
        ),
        start=FIRST,
        before=(*_THREE_CARDS, _WOLF),
        expected=Play(YOU, _card("O")),
        task=_("Lead the owl: Luna and Orion have none."),
        correction=_("Possible, but in this lesson, lead the owl: the others have none, and can't follow."),
        after=(Play(LUNA, _card("6")), Play(VEGA, _card("1")), Play(ORION, _card("L"))),
    ),
    Lesson(
        _("Trump is what is left"),
        (
            _("Vega's 1 was enough: Orion could not follow the owl."),
            _(
                "One suit beats the others: trump. At the start of a round, three of the four tiles are "
                "turned face down, one after the other. The suit that is left is trump."
            ),
            _("You turn the last tile. You have four bats and only one wolf."),
        ),
        start=table(
            "1 3 5 6 7 8 W O B B B B",
            "1 2 2 3 4 4 W W O O L L",
            "1 2 3 4 5 5 W W O O L B",
            "6 6 7 7 8 8 W O L L L B",
            leader=VEGA,
        ),
        before=(Flip(VEGA, Suit.OWL), Flip(ORION, Suit.LYNX)),
        expected=Flip(YOU, Suit.WOLF),
        task=_("Turn the wolf tile face down: then the bat is trump."),
        correction=_("Then the wolf would be trump, and you have only one. In this lesson, turn the wolf."),
    ),
    Lesson(
        _("Three tricks are better than four"),
        (
            _(
                "After twelve tricks, each side gets points for its number of tricks, as the track shows:"
                " 10 points for 1 to 3, and for 7 or 8, but none for 9 and more."
            ),
            _(
                "Two tricks are left. Your side has won 3, which give 10 points. "
                "With a fourth, it would get only 2."
            ),
            _(
                "Luna has led the owl, and you have none, so you can play any suit. The bat is trump and "
                "would win."
            ),
        ),
        start=table("L B", "O B", "2 3", "6 8", trump=Suit.BAT, won=(3, 7), leader=LUNA),
        before=(Play(LUNA, _card("O")), Play(VEGA, _card("2")), Play(ORION, _card("6"))),
        expected=Play(YOU, _card("L")),
        task=_("Play the lynx, and lose the trick."),
        correction=_("The bat would win the trick, and your side would have four. Play the lynx."),
        after=(
            Play(LUNA, _card("B")),
            Play(VEGA, _card("3")),
            Play(ORION, _card("8")),
            Play(YOU, _card("B")),
        ),
        shows_track=True,
    ),
    Lesson(
        _("Stars"),
        (
            _(
                "The others won nine tricks, too many: they got no points. The side that first has more "
                "than 30 points wins the game."
            ),
            _("Some cards have a star. The side that wins the trick keeps the star, which is worth a point."),
            _(
                "Luna has led an owl with a star. You have no owl, so you can play any suit. "
                "Your side has one trick; two give the same points."
            ),
        ),
        start=table(
            "2 8 W W L",
            "1 3 5 O* B",
            "4 6 7 B W",
            "7 5 L O W",
            trump=Suit.LYNX,
            won=(1, 6),
            leader=LUNA,
        ),
        before=(Play(LUNA, _card("O*")), Play(VEGA, _card("4")), Play(ORION, _card("7"))),
        expected=Play(YOU, _card("L")),
        task=_("Play the lynx, which is trump, and win the star."),
        correction=_("The wolf would lose the trick and its star. Play the lynx, which is trump."),
        shows_track=True,
    ),
    Lesson(
        _("The sky"),
        (
            _("The star is yours. Now a game for two, against Luna."),
            _(
                "Three ranks and three suits are face up between you: the sky, which both use. In each "
                "trick, each of you plays two cards: one from the hand and one from the sky, one a rank and "
                "one a suit."
            ),
            _("Luna led an owl from her hand, you followed with yours, and she took the 6 from the sky."),
        ),
        start=FOR_TWO,
        before=_TRICK_FOR_TWO,
        expected=_SEVEN,
        task=_("Take the 7 from the sky: it beats the 6."),
        correction=_("The 2 is lower than Luna's 6. Take the 7 from the sky."),
    ),
    Lesson(
        _("You know LUNAR"),
        (
            _("The trick is yours, and the sky is filled again from the piles. You lead the next trick."),
            _(
                "One more thing: with four players, each player first passes two ranks and two suits to "
                "their partner. Partners must not talk about their cards."
            ),
            _("You can look up the rest on the rules page."),
        ),
        start=FOR_TWO,
        before=(*_TRICK_FOR_TWO, _SEVEN),
    ),
)


@cache
def _played(number: int) -> tuple[Step, ...]:
    """Return all steps of lesson `number`, counted from 0: before the learner, by them, and after them."""
    lesson = LESSONS[number]
    position, steps = lesson.start, []
    for action in (*lesson.before, *([lesson.expected] if lesson.expected else ()), *lesson.after):
        steps.append(position.apply(action))
        position = steps[-1].position
    return tuple(step.seen_by(YOU) for step in steps)


def view_lesson(number: int) -> GameView:
    """Return the game of lesson `number`, counted from 0, as the learner sees it before acting."""
    lesson = LESSONS[number]
    # The last lesson shows a past position, in which the learner cannot choose anything.
    at = None if lesson.expected else len(lesson.before)
    return _view(number, _played(number)[: len(lesson.before)], at)


def events_before(number: int) -> list[str]:
    """Return in words what the lesson before has led to: tricks, trump, the end of a round."""
    if not number:
        return []
    before, steps = LESSONS[number - 1], _played(number - 1)
    view = _view(number - 1, steps, None)
    own = len(before.before)
    return [describe_step(step, view) for step in steps[own:] if step.events]


def tricks_before(number: int) -> list[WonTrick]:
    """Return the tricks that the lesson before has led to, the first one first."""
    if not number:
        return []
    tricks = last_tricks(_view(number - 1, _played(number - 1), None))
    return [trick for trick in reversed(tricks) if trick.key > len(LESSONS[number - 1].before)]


def step_of(number: int, action: Action) -> Step:
    """Return the step of the learner's action in a lesson. Raises IllegalAction."""
    lesson = LESSONS[number]
    position = lesson.start
    for before in lesson.before:
        position = position.apply(before).position
    return position.apply(action)


def _view(number: int, steps: tuple[Step, ...], at: int | None) -> GameView:
    start = LESSONS[number].start
    people = tuple(
        Person(seat, NAMES[seat], is_you=seat == YOU, bot="" if seat == YOU else "easy")
        for seat in range(start.seats)
    )
    return GameView(start.seen_by(YOU), steps, people, at)
