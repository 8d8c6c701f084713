"""What lists show of a game of LUNAR: how it stands, and the latest cards that the viewer has played."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.lunar.engine.cards import Card, Kind
from games.lunar.words import SUIT_KEYS, join_cards
from games.marked import gettext as _
from games.titles.lists import SeatFigures, Thumb

THUMB_ACTIONS: Collection[str] = ("play",)
SHOWN = 2
STEP = 48  # from one card to the next, in hundredths of the picture
WIDTH = 46  # of a card


@dataclass(frozen=True)
class ThumbCard:
    """A card with the left edges of its parts; `suit` is the key of its suit, empty for a rank."""

    suit: str
    rank: str
    x: int

    @property
    def art_x(self) -> int:
        """The left edge of the animal."""
        return self.x + 4

    @property
    def text_x(self) -> int:
        """The middle of the number."""
        return self.x + WIDTH // 2


@dataclass(frozen=True)
class LatestCards:
    """The latest cards, oldest first; none of a game that is over."""

    codes: tuple[Card, ...] = ()
    is_over: bool = False

    @property
    def cards(self) -> list[ThumbCard]:
        """The cards as they are drawn, a single one in the middle."""
        left = 3 + (SHOWN - len(self.codes)) * STEP // 2
        return [
            ThumbCard("", str(card.rank), left + nth * STEP)
            if card.kind is Kind.RANK
            else ThumbCard(SUIT_KEYS[card.suit], "", left + nth * STEP)
            for nth, card in enumerate(self.codes)
        ]

    @property
    def names(self) -> str:
        """The cards in words."""
        return join_cards(self.codes)


def compare_figures(seats: Sequence[SeatFigures]) -> str:
    """Return the points and the tricks of this round, those of the viewer's side first."""
    viewer = next(number for number, seat in enumerate(seats) if seat.is_viewer)
    own, other = seats[viewer].figures, seats[viewer - 1].figures
    return _("Points: %(own)d to %(other)d · tricks: %(own_tricks)d to %(other_tricks)d") % {
        "own": own["points"],
        "other": other["points"],
        "own_tricks": own["tricks"],
        "other_tricks": other["tricks"],
    }


def draw_thumb(actions: Sequence[Mapping[str, Any]], *, is_over: bool) -> Thumb:
    """Return the picture that the viewer's actions give; of a game that is over, the one of the title."""
    shown = () if is_over else actions[-SHOWN:]
    return Thumb("lunar/_thumb.html", LatestCards(tuple(Card(one["card"]) for one in shown), is_over))
