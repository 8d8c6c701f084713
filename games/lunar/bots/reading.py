"""From positions of the rules' engine to the states of the search, and from its moves to actions.

A state has only what the seat knows: other hands are empty, and cards of the piles are missing.
"""

from collections import Counter
from functools import lru_cache
from typing import Any

import numpy as np

from games.lunar.bots.search import state as core
from games.lunar.bots.search.race import chances_after
from games.lunar.bots.search.stakes import Table
from games.lunar.bots.search.state import State, new_state
from games.lunar.bots.search.trials import Knowledge
from games.lunar.bots.search.worth import Worth, worth_of_tricks
from games.lunar.engine import (
    RANKS,
    SUITS,
    Action,
    Card,
    Flip,
    Kind,
    Pass,
    Play,
    Position,
    Source,
    Stage,
    deck_of,
    in_order,
    passed_to,
    played_cards,
    side_of,
    voids,
)

# The card of each number of the search, and the other way round.
CARDS = tuple(
    Card(code + star)
    for codes in (RANKS, [str(suit) for suit in SUITS])
    for star in ("", "*")
    for code in codes
)
NUMBERS = {card: number for number, card in enumerate(CARDS)}


# What a point of the lead in a round is worth, beside the chance to win the game.
MARGIN = 0.005


def read(position: Position, seat: int) -> Knowledge:
    """Return what a seat knows of a position."""
    view = position.seen_by(seat)
    state = new_state()
    state[core.SEATS] = view.seats
    state[core.TURN] = view.start_player if view.stage is Stage.PASSING else min(view.awaited)
    state[core.START] = view.start_player
    state[core.LEADER] = view.next_leader
    state[core.TILES] = sum(1 << SUITS.index(suit) for suit in view.tiles)
    if view.trump is not None:
        state[core.TRUMP] = SUITS.index(view.trump)
    state[core.DONE] = len(view.tricks)
    for side in (0, 1):
        state[core.HOLDER + side] = view.holder_of(side)
        state[core.TRICKS + side] = view.tricks_won[side]
        state[core.STARS + side] = view.stars_won[side]
    _read_trick(view, state)
    _read_cards(view, seat, state)
    known = np.zeros(4 * core.CARDS, np.int64)
    for other in range(view.seats):
        for card in passed_to(view, other, seat):
            known[core.CARDS * other + NUMBERS[card]] += 1
    return Knowledge(seat, state, known)


def table_of(position: Position) -> Table:
    """Return what results of the round are worth, for a search."""
    setup = position.setup
    return Table(
        np.array(setup.points, np.int64),
        chances_after(setup.seats, setup.points, str(setup.stars)),
        np.array(position.points, np.int64),
        MARGIN,
    )


@lru_cache(maxsize=32)
def worth_of(points: tuple[int, ...]) -> Worth:
    """Return what tricks are worth with these points, for the policy."""
    return worth_of_tricks(points)


def _read_trick(view: Position, state: State) -> None:
    """Write the running trick."""
    state[core.PLAYED] = len(view.trick)
    for played in view.trick:
        side, number = side_of(played.seat), NUMBERS[played.card]
        state[core.STARS_IN_TRICK] += played.card.has_star
        state[(core.SUIT_OF if played.card.kind is Kind.SUIT else core.RANK_OF) + side] = number
        if played.source is not None:
            state[core.FIRST_FROM + side] = int(played.source is Source.SKY)
        if played.card.kind is Kind.SUIT and state[core.LEAD] == core.NONE:
            state[core.LEAD], state[core.LEAD_SIDE] = core.value_of(number), side


def _read_cards(view: Position, seat: int, state: State) -> None:
    """Write the own hand, the sky, how many cards others have, and which cards are hidden."""
    hidden = Counter(card for cards in deck_of(view.setup.stars) for card in cards)
    hidden.subtract(played.card for played in played_cards(view))
    for other, hand in enumerate(view.hands):
        ranks = sum(card.kind is Kind.RANK for card in hand)
        state[core.RANKS_IN + other] = ranks
        state[core.SUITS_IN + other] = len(hand) - ranks
    for card in view.hands[seat]:
        state[core.HANDS + core.CARDS * seat + NUMBERS[card]] += 1
    for shown in view.sky:
        if shown is not None:
            hidden[shown] -= 1
            state[core.SKY + NUMBERS[shown]] += 1
    for card, count in hidden.items():
        state[core.HIDDEN + NUMBERS[card]] = count
    for kind, pile in enumerate(view.piles):
        state[core.PILE_COUNT + kind] = len(pile)
    for other, suits in voids(view).items():
        state[core.VOID + other] = sum(1 << SUITS.index(suit) for suit in suits)


def action_of(knowledge: Knowledge, move: int) -> Action:
    """Return the action of a move of the seat."""
    if move >= core.FLIP_MOVE:
        return Flip(knowledge.seat, SUITS[move - core.FLIP_MOVE])
    if move >= core.SKY_MOVE:
        return Play(knowledge.seat, CARDS[move - core.SKY_MOVE], Source.SKY)
    is_for_two = knowledge.state[core.SEATS] == 2
    return Play(knowledge.seat, CARDS[move], Source.HAND if is_for_two else None)


def pass_of(knowledge: Knowledge, numbers: Any) -> Pass:
    """Return the pass of four cards."""
    return Pass(knowledge.seat, in_order(CARDS[number] for number in numbers))
