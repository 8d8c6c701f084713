"""Guesses: whole positions that fit what a seat knows, all of them equally likely.

A seat knows the cards that it sees, how many cards of each kind the others have, which suits somebody did not
follow, and which cards it has passed to its partner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import comb
from random import Random
from typing import TYPE_CHECKING, TypeVar

from games.lunar.engine.actions import PASSED_OF_EACH, Source
from games.lunar.engine.cards import SUITS, Card, Kind, Suit, deck_of, in_order, of_kind
from games.lunar.engine.setup import SIDES, SeedDealer

if TYPE_CHECKING:
    from games.lunar.engine.position import Position
    from games.lunar.engine.tricks import Played

    PositionT = TypeVar("PositionT", bound=Position)


def guess(position: PositionT, seat: int, rng: Random) -> PositionT:
    """Return a whole position that fits what a seat knows."""
    view = position.seen_by(seat)
    others = [owner for owner in range(view.seats) if owner != seat]
    hands = {owner: list(passed_to(view, owner, seat)) for owner in others}
    ranks, suits = unseen(view, seat)
    rng.shuffle(ranks)
    missing = voids(view)
    room = [_count(Kind.SUIT, view.hands[owner]) - _count(Kind.SUIT, hands[owner]) for owner in others]
    # The pile of suits takes what no hand gets.
    room.append(len(suits) - sum(room))
    open_to = tuple((*(suit not in missing.get(owner, ()) for owner in others), True) for suit in SUITS)
    *shares, pile = deal_suits(suits, tuple(room), open_to, rng)
    rng.shuffle(pile)
    for owner, share in zip(others, shares, strict=True):
        count = _count(Kind.RANK, view.hands[owner]) - _count(Kind.RANK, hands[owner])
        hands[owner] += [*ranks[:count], *share]
        del ranks[:count]
    whole = tuple(
        view.hands[seat] if owner == seat else in_order(hands[owner]) for owner in range(view.seats)
    )
    return replace(
        view,
        dealer=SeedDealer(rng.randbytes(32), view.setup.stars),
        hands=whole,
        piles=(tuple(ranks), tuple(pile)) if view.piles else (),
        passes=tuple(
            cards if cards is None or not cards[0].is_hidden else _guess_pass(view, whole, giver, rng)
            for giver, cards in enumerate(view.passes)
        ),
    )


def unseen(view: Position, seat: int) -> tuple[list[Card], list[Card]]:
    """Return the ranks and suits that are neither in the hand of a seat nor open, nor known from a pass."""
    seen = known_cards(view, seat)
    ranks, suits = (list((Counter(cards) - seen).elements()) for cards in deck_of(view.setup.stars))
    return ranks, suits


def known_cards(view: Position, seat: int) -> Counter[Card]:
    """Return the cards that are in the hand of a seat, open, or known from a pass."""
    seen = Counter(view.hands[seat])
    seen.update(card for card in view.sky if card is not None)
    seen.update(played.card for played in played_cards(view))
    for owner in range(view.seats):
        seen.update(passed_to(view, owner, seat))
    return seen


def played_cards(view: Position) -> Iterator[Played]:
    """Yield the cards that were played in this round, in order."""
    for trick in view.tricks:
        yield from trick.cards
    yield from view.trick


def passed_to(view: Position, owner: int, seat: int) -> tuple[Card, ...]:
    """Return the cards that a seat has passed to another, which that one must still have.

    Equal cards are the same to everybody: of two that it passed and one that was played, one is left.
    """
    if view.seats == SIDES or owner != view.partner_of(seat) or None in view.passes:
        return ()
    cards = view.passes[seat]
    assert cards is not None, "nobody is still to choose"
    played = Counter(played.card for played in played_cards(view) if played.seat == owner)
    return tuple((Counter(cards) - played).elements())


def voids(view: Position) -> dict[int, set[Suit]]:
    """Return the suits that hands do not have, by seat: those that a seat did not follow from its hand."""
    found: dict[int, set[Suit]] = {}
    for cards in (*(trick.cards for trick in view.tricks), view.trick):
        suits = [played for played in cards if played.card.kind is Kind.SUIT]
        for second in suits[1:]:
            lead = suits[0].card.suit
            if second.card.suit is not lead and second.source is not Source.SKY:
                found.setdefault(second.seat, set()).add(lead)
    return found


def _count(kind: Kind, cards: Sequence[Card]) -> int:
    return len(of_kind(cards, kind))


def deal_suits(
    cards: Sequence[Card], room: tuple[int, ...], open_to: tuple[tuple[bool, ...], ...], rng: Random
) -> list[list[Card]]:
    """Return the suit cards for hands with this much room, of all ways to deal them one at random.

    `open_to` says for each suit which of the hands can have it.

    >>> cards = [Card(code) for code in ("W", "W", "O", "B")]
    >>> open_to = ((True, False), (True, True), (True, True), (True, True))
    >>> deal_suits(cards, (3, 1), open_to, Random(1))
    [['W', 'W', 'O'], ['B']]
    """
    dealt: list[list[Card]] = [[] for _ in room]
    counts = tuple(sum(card.suit is suit for card in cards) for suit in SUITS)
    for place, suit in enumerate(SUITS):
        own = [card for card in cards if card.suit is suit]
        rng.shuffle(own)
        shares = list(_shares(counts[place], room, open_to[place]))
        later = counts[place + 1 :], open_to[place + 1 :]
        weights = [ways * _count_deals(later[0], after, later[1]) for ways, _, after in shares]
        # `rng.choices` would make floating-point numbers of the weights.
        chosen = rng.randrange(sum(weights))
        for weight, (_, share, after) in zip(weights, shares, strict=True):
            if chosen < weight:
                room = after
                for hand, count in zip(dealt, share, strict=True):
                    hand += own[:count]
                    del own[:count]
                break
            chosen -= weight
    return dealt


@lru_cache(maxsize=20_000)
def _count_deals(
    counts: tuple[int, ...], room: tuple[int, ...], open_to: tuple[tuple[bool, ...], ...]
) -> int:
    """Return in how many ways the cards of these suits can be dealt to hands with this much room."""
    if not counts:
        return int(not any(room))
    return sum(
        ways * _count_deals(counts[1:], after, open_to[1:])
        for ways, _, after in _shares(counts[0], room, open_to[0])
    )


def _shares(
    count: int, room: tuple[int, ...], is_open: Collection[bool]
) -> Iterator[tuple[int, tuple[int, ...], tuple[int, ...]]]:
    """Yield how cards of a suit can be shared: in how many ways, the share of each hand, the room after."""
    first, *others = is_open
    if not others:
        if count <= (room[0] if first else 0):
            yield 1, (count,), (room[0] - count,)
        return
    for own in range(min(count, room[0] if first else 0) + 1):
        for ways, share, after in _shares(count - own, room[1:], others):
            yield comb(count, own) * ways, (own, *share), (room[0] - own, *after)


def _guess_pass(
    view: Position, hands: Sequence[tuple[Card, ...]], giver: int, rng: Random
) -> tuple[Card, ...]:
    """Return cards that a seat of the other side can have passed, or has chosen for its partner."""
    if None in view.passes:
        cards = list(hands[giver])
    else:
        getter = view.partner_of(giver)
        cards = [*hands[getter], *(one.card for one in played_cards(view) if one.seat == getter)]
    return in_order(card for kind in Kind for card in rng.sample(of_kind(cards, kind), PASSED_OF_EACH))
