"""What is fixed before the first action: mode, seats, discs, start order and deck."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from games.engine.errors import BadRecord
from games.engine.tiles import TILES

RULES_VERSION = 1
LAID_OUT = 11  # tiles on the wheel at the start
MOST_DISCS = 20
SOLO_DISCS = 21


class Mode(StrEnum):
    """With others, or alone."""

    MULTIPLAYER = "multiplayer"
    SOLO = "solo"


@dataclass(frozen=True, slots=True)
class Setup:
    """The start of a game.

    `start_order` are the seats in the order in which they would move first. `deck` are the tiles' codes: 11
    for the wheel, then the draw pile from its top. A deck may be cut after the tiles revealed so far; then
    the rest of the pile is there, but unknown.
    """

    mode: Mode
    seats: int
    goal_discs: int
    start_order: tuple[int, ...]
    # Kept out of every repr, and with it out of logs and error pages.
    deck: tuple[str, ...] = field(repr=False)

    @classmethod
    def checked(
        cls,
        mode: object,
        seats: object,
        goal_discs: object,
        start_order: object,
        deck: object,
        *,
        whole: bool = True,
    ) -> "Setup":
        """Return the setup that values of a record describe; raise BadRecord where no game can have it.

        With `whole` the deck must be all 68 tiles; otherwise it may be cut.
        """
        if mode not in tuple(Mode):
            raise BadRecord("The mode is multiplayer or solo.")
        solo = mode == Mode.SOLO
        if type(seats) is not int or seats not in (range(1, 2) if solo else range(2, 5)):
            raise BadRecord("A solo game has 1 seat, any other 2 to 4.")
        if type(goal_discs) is not int or goal_discs not in (
            range(SOLO_DISCS, SOLO_DISCS + 1) if solo else range(1, MOST_DISCS + 1)
        ):
            raise BadRecord("A solo game has 21 goal discs, any other 1 to 20 for each player.")
        return cls(Mode(str(mode)), seats, goal_discs, _start_order(start_order, seats), _deck(deck, whole))


def _start_order(value: object, seats: int) -> tuple[int, ...]:
    if not isinstance(value, Sequence) or any(type(seat) is not int for seat in value):
        raise BadRecord("The start order is a list of seats.")
    order = tuple(value)
    if sorted(order) != list(range(seats)):
        raise BadRecord("The start order names each seat once.")
    return order


def _deck(value: object, whole: bool) -> tuple[str, ...]:
    if (
        not isinstance(value, Sequence)
        or isinstance(value, str)
        or any(not isinstance(code, str) for code in value)
    ):
        raise BadRecord("The deck is a list of tile codes.")
    deck = tuple(value)
    if any(code not in TILES for code in deck) or len(set(deck)) != len(deck):
        raise BadRecord("The deck names tiles by their codes, none of them twice.")
    if len(deck) != len(TILES) and (whole or len(deck) < LAID_OUT):
        raise BadRecord("The deck has all 68 tiles, or in a position record at least those revealed.")
    return deck
