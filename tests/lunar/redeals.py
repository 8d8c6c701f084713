"""Deals of LUNAR with changes that a viewer may not know, for the conformance suite."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from games.lunar.engine import Card, Deck, Kind, Position, SeedDealer, Source, Stage, Stars
from games.lunar.engine.cards import of_kind
from games.lunar.engine.guesses import played_cards, voids
from games.lunar.engine.records import write_deck
from games.titles.rules import Setup

TRIES = 50
LATER = 40  # rounds that are dealt again


def redeal_lunar(setup: Setup, position: Position, viewer: int | None, rng: Random) -> Mapping[str, object]:
    """Change the cards in other hands and in piles that no action has named, and all later rounds."""
    dealer = SeedDealer(bytes.fromhex(setup.dealt["seed"]), Stars(setup.options["stars"]))
    deals = [dealer.deal(number) for number in range(1, position.round + 1)]
    tries = (_changed(deals[-1], position, viewer, rng) for _ in range(TRIES))
    changed = next(filter(None, tries), deals[-1])
    later = SeedDealer(rng.randbytes(32), dealer.stars)
    all_deals = [*deals[:-1], changed, *map(later.deal, range(1, LATER))]
    return {"leads": setup.dealt["leads"], "deals": [write_deck(deck) for deck in all_deals]}


def deal_of(position: Position, deck: Deck) -> Deck:
    """Return a deal of this round that leads to a position; `deck` is one with the same open cards."""
    parts = []
    for place, (kind, cards) in enumerate(zip(Kind, deck, strict=True)):
        pile = position.piles[place] if position.piles else ()
        hands = [_at_start(position, seat, kind) for seat in range(position.seats)]
        dealt = [card for hand in hands for card in hand]
        parts.append((*dealt, *cards[len(dealt) : len(cards) - len(pile)], *pile))
    return Deck(*parts)


def _changed(deck: Deck, position: Position, viewer: int | None, rng: Random) -> Deck | None:
    """Return this round's deal with hidden cards shuffled; None if the log would not be legal."""
    fixed = [_fixed(position, seat, viewer) for seat in range(position.seats)]
    hands, piles = [list(cards) for cards in fixed], []
    for place, kind in enumerate(Kind):
        pile = position.piles[place] if position.piles else ()
        in_hands = of_kind((card for hand in position.hands for card in hand), kind)
        hidden = [*_less(in_hands, *(of_kind(cards, kind) for cards in fixed)), *pile]
        rng.shuffle(hidden)
        for seat, hand in enumerate(hands):
            count = len(of_kind(position.hands[seat], kind)) - len(of_kind(fixed[seat], kind))
            hand += hidden[:count]
            del hidden[:count]
        piles.append(tuple(hidden))
    for seat, suits in voids(position).items():
        if any(card.suit in suits for card in of_kind(hands[seat], Kind.SUIT)):
            return None
    changed = replace(position, hands=tuple(map(tuple, hands)), piles=tuple(piles) if position.piles else ())
    return deal_of(changed, deck)


def _fixed(position: Position, seat: int, viewer: int | None) -> Sequence[Card]:
    """Return the cards in a hand that a viewer knows, or that the log names."""
    if seat == viewer:
        return position.hands[seat]
    if not position.passes or position.stage is Stage.PASSING:
        return position.passes[seat] or () if position.passes else ()
    return _less(position.passes[position.partner_of(seat)], _played(position, seat))


def _at_start(position: Position, seat: int, kind: Kind) -> Sequence[Card]:
    """Return the cards of a kind that a hand had at the start of the round."""
    cards = of_kind([*position.hands[seat], *_played(position, seat)], kind)
    if not position.passes or position.stage is Stage.PASSING:
        return cards
    got, given = position.passes[position.partner_of(seat)], position.passes[seat]
    return [*_less(cards, of_kind(got, kind)), *of_kind(given, kind)]


def _played(position: Position, seat: int) -> list[Card]:
    cards = played_cards(position)
    return [one.card for one in cards if one.seat == seat and one.source is not Source.SKY]


def _less(cards: Sequence[Card], *others: Sequence[Card]) -> list[Card]:
    return list((Counter(cards) - Counter(card for other in others for card in other)).elements())
