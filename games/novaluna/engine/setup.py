"""The setup of a game, fixed before the first action: mode, seats, discs, start order and deck."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from games.novaluna.engine.errors import BadRecord
from games.novaluna.engine.tiles import TILES

TILES_AT_START = 11  # on the wheel
MOST_DISCS = 20
SOLO_DISCS = 21


class Mode(StrEnum):
    """The mode of a game."""

    MULTIPLAYER = "multiplayer"
    SOLO = "solo"

    @classmethod
    def of(cls, seats: int) -> "Mode":
        """Return the mode of games with this many seats."""
        return cls.SOLO if seats == 1 else cls.MULTIPLAYER


@dataclass(frozen=True, slots=True)
class Setup:
    """The start of a game.

    `start_order` has the seats in the order of their first turns. `deck` has the codes of the tiles: 11 for
    the wheel, then the draw pile from its top. A cut deck has only the tiles that were revealed so
    far; the rest of the draw pile is unknown.
    """

    mode: Mode
    seats: int
    goal_discs: int
    start_order: tuple[int, ...]
    # The deck is secret. Without it in the repr, it does not appear in logs and on error pages.
    deck: tuple[str, ...] = field(repr=False)

    @classmethod
    def from_values(
        cls,
        mode: object,
        seats: object,
        goal_discs: object,
        start_order: object,
        deck: object,
        *,
        whole: bool = True,
    ) -> "Setup":
        """Return the setup with these values of a record. Raises BadRecord if a value is impossible.

        With `whole`, the deck must have all 68 tiles. Otherwise it may be cut.
        """
        if mode not in tuple(Mode):
            raise BadRecord("The mode must be multiplayer or solo.")
        is_solo = mode == Mode.SOLO
        if type(seats) is not int or seats not in (range(1, 2) if is_solo else range(2, 5)):
            raise BadRecord("A solo game has 1 seat. A multiplayer game has 2 to 4 seats.")
        if type(goal_discs) is not int or goal_discs not in (
            range(SOLO_DISCS, SOLO_DISCS + 1) if is_solo else range(1, MOST_DISCS + 1)
        ):
            raise BadRecord("A solo game has 21 goal discs. A multiplayer game has 1 to 20 for each player.")
        return cls(Mode(str(mode)), seats, goal_discs, _start_order(start_order, seats), _deck(deck, whole))


def _start_order(value: object, seats: int) -> tuple[int, ...]:
    if not isinstance(value, Sequence) or any(type(seat) is not int for seat in value):
        raise BadRecord("The start order must be a list of seats.")
    order = tuple(value)
    if sorted(order) != list(range(seats)):
        raise BadRecord("The start order must have each seat once.")
    return order


def _deck(value: object, whole: bool) -> tuple[str, ...]:
    if (
        not isinstance(value, Sequence)
        or isinstance(value, str)
        or any(not isinstance(code, str) for code in value)
    ):
        raise BadRecord("The deck must be a list of tile codes.")
    deck = tuple(value)
    if any(code not in TILES for code in deck) or len(set(deck)) != len(deck):
        raise BadRecord("The deck must have only tile codes, and none twice.")
    if len(deck) != len(TILES) and (whole or len(deck) < TILES_AT_START):
        raise BadRecord("The deck must have all 68 tiles, or at least 11 in a position record.")
    return deck
