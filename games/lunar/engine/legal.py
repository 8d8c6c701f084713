"""The legal actions of an awaited seat."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, product
from typing import TYPE_CHECKING

from games.lunar.engine.actions import PASSED_OF_EACH, Action, Flip, Pass, Play, Source
from games.lunar.engine.cards import Kind, of_kind

if TYPE_CHECKING:
    from games.lunar.engine.position import Position


class LegalActions:
    """A lazy view with iteration, `len` and `in`. Resigning and cancelling are not in it."""

    def __init__(self, position: Position, seat: int) -> None:
        """Make a view of what an awaited seat can do in a position."""
        self._position = position
        self._seat = seat

    def __iter__(self) -> Iterator[Action]:
        """Iterate over distinct actions in the order of the hand, then of the sky."""
        return iter(self._listed)

    def __len__(self) -> int:
        """Return the number of actions."""
        return len(self._listed)

    def __contains__(self, action: object) -> bool:
        """Whether `action` is one of these actions."""
        return (
            isinstance(action, Pass | Flip | Play)
            and action.seat == self._seat
            and self._position.is_legal(action)
        )

    @cached_property
    def _listed(self) -> list[Action]:
        position, seat = self._position, self._seat
        hand = [card for card in position.hands[seat] if not card.is_hidden]
        if None in position.passes:
            ranks, suits = (dict.fromkeys(combinations(of_kind(hand, kind), PASSED_OF_EACH)) for kind in Kind)
            return [Pass(seat, (*chosen, *others)) for chosen, others in product(ranks, suits)]
        if position.trump is None:
            return [Flip(seat, suit) for suit in position.tiles]
        sources = tuple(Source) if position.sky else (None,)
        plays = [
            Play(seat, card, source)
            for source in sources
            for card in dict.fromkeys(position.cards_in(seat, source))
        ]
        return [play for play in plays if position.is_legal(play)]
