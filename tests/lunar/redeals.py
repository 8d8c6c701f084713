"""Deals of LUNAR with changes that a viewer may not know, for the conformance suite."""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from games.lunar.engine import Card, Deck, Kind, Position, SeedDealer, Source, Stage, Stars
from games.lunar.engine.cards import of_kind
from games.lunar.engine.guesses import played_cards, voids
from games.lunar.engine.records import write_deck
from games.titles.rules import Setup

TRIES = 50
LATER = 40  # rounds that are dealt anew


def redeal_lunar(setup: Setup, position: Position, viewer: int | None, rng: Random) -> Mapping[str, object]:
    """Change the cards in other hands and in piles that no action has named, and all later rounds."""
    dealer = SeedDealer(bytes.fromhex(setup.dealt["seed"]), Stars(setup.options["stars"]))
    deals = [dealer.deal(number) for number in range(1, position.round + 1)]
    tries = (_changed(deals[-1], position, viewer, rng) for _ in range(TRIES))
    changed = next(filter(None, tries), deals[-1])
    later = SeedDealer(rng.randbytes(32), dealer.stars)
    all_deals = [*deals[:-1], changed, *map(later.deal, range(1, LATER))]
    return {"leads": setup.dealt["leads"], "deals": [write_deck(deck) for deck in all_deals]}


def _changed(deck: Deck, position: Position, viewer: int | None, rng: Random) -> Deck | None:
    """Return this round's deal with hidden cards shuffled; None if the log would not be legal."""
    parts, missing = [], voids(position)
    for place, (kind, cards) in enumerate(zip(Kind, deck, strict=True)):
        fixed = [of_kind(_fixed(position, seat, viewer), kind) for seat in range(position.seats)]
        pile = position.piles[place] if position.piles else ()
        hidden = [*_less(of_kind((card for hand in position.hands for card in hand), kind), *fixed), *pile]
        rng.shuffle(hidden)
        dealt: list[Card] = []
        for seat, known in enumerate(fixed):
            count = len(of_kind(position.hands[seat], kind)) - len(known)
            hand = [*known, *hidden[:count]]
            del hidden[:count]
            if kind is Kind.SUIT and any(card.suit in missing.get(seat, ()) for card in hand):
                return None
            dealt += _at_start(position, seat, hand, kind)
        parts.append((*dealt, *cards[len(dealt) : len(cards) - len(pile)], *hidden))
    return Deck(*parts)


def _fixed(position: Position, seat: int, viewer: int | None) -> Sequence[Card]:
    """Return the cards in a hand that a viewer knows, or that the log names."""
    if seat == viewer:
        return position.hands[seat]
    if not position.passes or position.stage is Stage.PASSING:
        return position.passes[seat] or () if position.passes else ()
    return _less(position.passes[position.partner_of(seat)], _played(position, seat))


def _at_start(position: Position, seat: int, hand: Sequence[Card], kind: Kind) -> Sequence[Card]:
    """Return the cards of a kind that a hand had at the start of the round."""
    cards = [*hand, *of_kind(_played(position, seat), kind)]
    if not position.passes or position.stage is Stage.PASSING:
        return cards
    got, given = position.passes[position.partner_of(seat)], position.passes[seat]
    return [*_less(cards, of_kind(got, kind)), *of_kind(given, kind)]


def _played(position: Position, seat: int) -> list[Card]:
    cards = played_cards(position)
    return [one.card for one in cards if one.seat == seat and one.source is not Source.SKY]


def _less(cards: Sequence[Card], *others: Sequence[Card]) -> list[Card]:
    return list((Counter(cards) - Counter(card for other in others for card in other)).elements())
