"""Deals with changes that a viewer may not know, for the conformance suite."""

from collections.abc import Mapping
from random import Random

from games.titles.rules import AnyPosition, Setup
from tests.titles.pairs.rules import BONUSES, DECK, PairsPosition, without


def redeal_pairs(
    setup: Setup, position: PairsPosition, viewer: int | None, rng: Random
) -> Mapping[str, object]:
    """Change the cards that others have not played or chosen, and the bonuses that are not shown."""
    kept: list[list[int]] = []
    for seat, hand in enumerate(position.hands):
        chosen = position.chosen[seat]
        own = hand if seat == viewer else () if chosen is None else (chosen,)
        kept.append([*(cards[seat] for cards in position.played), *own])
    rest = DECK
    for card in (card for cards in kept for card in cards):
        rest = without(rest, card)
    pile = iter(rng.sample(rest, len(rest)))
    hands = [sorted([*cards, *(next(pile) for _ in range(3 - len(cards)))]) for cards in kept]
    shown = position.bonuses[: len(position.played) + 1]
    later = rng.sample(sorted(set(BONUSES) - set(shown)), position.rounds - len(shown))
    return {**setup.dealt, "hands": hands, "bonuses": [*shown, *later]}


def redeal_novaluna(
    setup: Setup, position: AnyPosition, _viewer: int | None, rng: Random
) -> Mapping[str, object]:
    """Shuffle the tiles that nobody has seen."""
    deck = setup.dealt["deck"]
    assert isinstance(deck, list)
    hidden = deck[position.known :]
    return {**setup.dealt, "deck": [*deck[: position.known], *rng.sample(hidden, len(hidden))]}
