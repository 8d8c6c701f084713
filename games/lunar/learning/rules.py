"""The rules for players: chapters in our own words, and examples of tricks that the engine judges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.events import describe_trick
from games.lunar.engine import GOAL, HOUSE_POINTS, Card, Played, Suit, Trick, winner_of
from games.lunar.learning.lessons import NAMES, YOU
from games.lunar.words import card_name
from games.shown.chapters import Chapter, render_chapters

TITLES = {
    "aim": _("The aim of the game"),
    "cards": _("Cards"),
    "round": _("A round"),
    "passing": _("Passing, with four players"),
    "trump": _("Trump"),
    "trick": _("A trick"),
    "winner": _("Who wins a trick"),
    "sky": _("The sky, with two players"),
    "points": _("Points for tricks"),
    "stars": _("Stars"),
    "end": _("The next round, and the end of the game"),
    "talking": _("What partners may not say"),
    "leaving": _("Leaving a game"),
    "replies": _("Playing by email"),
    "advice": _("Advice for your first games"),
    "terms": _("Terms"),
    "rulings": _("Rulings of our own"),
    "about": _("About LUNAR"),
}

# The cards of tricks in order, each by the seat that plays it, and the trump.
EXAMPLES: Mapping[str, tuple[Sequence[tuple[int, str]], Suit]] = {
    "higher": (((1, "5"), (2, "7"), (3, "W"), (0, "W")), Suit.BAT),
    "equal": (((1, "W"), (2, "7"), (3, "7"), (0, "W")), Suit.BAT),
    "lead": (((0, "O"), (1, "8"), (2, "1"), (3, "L")), Suit.BAT),
    "trump": (((3, "O"), (0, "2"), (1, "8"), (2, "B")), Suit.BAT),
}


@dataclass(frozen=True)
class ExampleCard:
    """A card of an example: its picture, its name, and who plays it."""

    symbol: str
    label: str
    player: str
    is_of_winner: bool


@dataclass(frozen=True)
class Example:
    """A trick, and why it was won: "wolf 7 over wolf 5"."""

    cards: tuple[ExampleCard, ...]
    why: str


def trick_of(name: str) -> Trick:
    """Return the trick of an example, with the side that wins it by the rules."""
    cards, trump = EXAMPLES[name]
    played = tuple(Played(seat, Card(code)) for seat, code in cards)
    return Trick(played, winner_of(played, trump))


def chapters() -> Sequence[Chapter]:
    """Return all chapters in the reader's language."""
    return _chapters(get_language())


@lru_cache(maxsize=16)
def _chapters(_language: str | None) -> Sequence[Chapter]:
    context = {
        "examples": {name: _example(name) for name in EXAMPLES},
        "points": list(enumerate(HOUSE_POINTS)),
        "goal": GOAL,
    }
    return render_chapters("lunar/rules", TITLES, context)


def _example(name: str) -> Example:
    trick = trick_of(name)
    cards = [
        ExampleCard(
            symbol_of(played.card),
            card_name(played.card),
            gettext("You") if played.seat == YOU else NAMES[played.seat],
            played.side == trick.winner,
        )
        for played in trick.cards
    ]
    return Example(tuple(cards), describe_trick(trick))
