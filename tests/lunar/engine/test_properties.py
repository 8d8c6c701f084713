"""What is true in every game of LUNAR: cards are conserved, hands mirror each other, and nobody is stuck."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.lunar.engine import (
    GOAL,
    TRICKS,
    Card,
    HiddenCards,
    Kind,
    Pass,
    Play,
    Position,
    SeedDealer,
    Setup,
    Source,
    Stage,
    Stars,
    Step,
    deal_suits,
    deck_of,
    side_of,
)
from games.lunar.engine.cards import of_kind
from games.lunar.engine.guesses import played_cards

# A random game takes 0.1 s.
SOME = settings(max_examples=12, deadline=None)
SEATS = st.sampled_from([2, 4])
SEEDS = st.integers(0, 10**9)
STARS = st.sampled_from(Stars)


def random_game(seats: int, seed: int, stars: Stars = Stars.SUITS) -> Iterator[tuple[Position, Step]]:
    """Yield each position before the end of a random game, and the step that follows."""
    rng = Random(seed)
    leads = rng.choice([(0, 1), (1, 0)])
    position = Position.start(Setup(seats, leads, stars=stars), SeedDealer(rng.randbytes(32), stars))
    while position.awaited:
        action = rng.choice(list(position.legal(rng.choice(sorted(position.awaited)))))
        step = position.apply(action)
        yield position, step
        position = step.position


def cards_of(position: Position) -> Counter[Card]:
    """Return all cards of a round, wherever they are."""
    cards = Counter(card for hand in (*position.hands, *position.piles) for card in hand)
    cards.update(card for card in position.sky if card is not None)
    cards.update(played.card for played in played_cards(position))
    return cards


@SOME
@given(SEATS, SEEDS, STARS)
def test_no_card_is_lost_or_new(seats: int, seed: int, stars: Stars) -> None:
    whole = Counter(card for cards in deck_of(stars) for card in cards)
    for position, step in random_game(seats, seed, stars):
        assert cards_of(position) == whole
        assert cards_of(step.position) == whole


@SOME
@given(SEEDS)
def test_between_tricks_partners_hands_mirror_each_other(seed: int) -> None:
    for position, _step in random_game(4, seed):
        if position.stage is Stage.PLAY and not position.trick:
            counts = [[len(of_kind(hand, kind)) for kind in Kind] for hand in position.hands]
            assert counts[0] == counts[2][::-1]
            assert counts[1] == counts[3][::-1]


@SOME
@given(SEEDS)
def test_in_a_game_for_two_a_second_card_is_always_left(seed: int) -> None:
    """The first card is refused if nothing fits it. That is never too strict: both have a legal card."""
    for position, _step in random_game(2, seed):
        if position.stage is not Stage.PLAY:
            continue
        [seat] = position.awaited
        plays = list(position.legal(seat))
        assert plays
        is_first = all(played.seat != seat for played in position.trick)
        if is_first and position.lead_suit is None:
            from_sky = {play.card for play in plays if isinstance(play, Play) and play.source is Source.SKY}
            kinds = {card.kind for card in position.hands[seat]}
            assert from_sky == {card for card in position.sky if card and kinds - {card.kind}}


@SOME
@given(SEATS, SEEDS)
def test_a_round_has_twelve_tricks_and_a_game_ends_above_thirty(seats: int, seed: int) -> None:
    *_others, (_before, last) = random_game(seats, seed)
    position = last.position
    assert all(sum(result.tricks) == TRICKS for result in position.rounds)
    assert all(sum(result.stars) == 4 for result in position.rounds)
    first, second = position.points
    assert max(first, second) > GOAL
    assert first != second
    assert position.places == tuple(1 if side_of(seat) == position.winner else 2 for seat in range(seats))
    assert position.points[position.winner or 0] == max(first, second)


@SOME
@given(SEATS, SEEDS)
def test_lead_tiles_go_on_and_the_lower_side_starts(seats: int, seed: int) -> None:
    for position, step in random_game(seats, seed):
        after = step.position
        if after.round > position.round:
            assert after.holders == tuple((seat + 1) % seats for seat in position.holders)
            first, second = after.points
            lower = side_of(after.holders[0]) if first == second else int(second < first)
            assert side_of(after.start_player) == lower
            assert after.start_player in after.holders


@SOME
@given(SEATS, SEEDS)
def test_what_a_seat_does_not_know_changes_nothing_that_it_sees(seats: int, seed: int) -> None:
    rng = Random(seed)
    for position, _step in random_game(seats, seed):
        if rng.random() < 0.1:
            for seat in range(seats):
                other = position.seen_by(seat).guess(seat, rng)
                assert cards_of(other) == cards_of(position)
                assert other.seen_by(seat) == position.seen_by(seat)
                assert other.seen_by(None) == position.seen_by(None)
                assert other.forced(seat) == position.forced(seat)


@SOME
@given(SEATS, SEEDS)
def test_a_guess_has_no_suit_that_a_hand_did_not_follow(seats: int, seed: int) -> None:
    rng, missing = Random(seed), set()
    for position, step in random_game(seats, seed):
        if not position.tricks and not position.trick:
            missing.clear()
        match step.action:
            case Play(seat, card, source) if (
                card.kind is Kind.SUIT
                and source is not Source.SKY
                and position.lead_suit not in (None, card.suit)
            ):
                missing.add((seat, position.lead_suit))
        if missing and step.position.round == position.round and step.position.awaited:
            viewer = rng.randrange(seats)
            guess = step.position.guess(viewer, rng)
            for seat, suit in missing:
                assert all(card.suit is not suit for card in of_kind(guess.hands[seat], Kind.SUIT))


@SOME
@given(SEEDS)
def test_a_guess_has_what_the_viewer_has_passed(seed: int) -> None:
    rng = Random(seed)
    for position, step in random_game(4, seed):
        if isinstance(step.action, Pass) and not position.seen_by(0).passes.count(None) > 1:
            for viewer in range(4):
                guess = step.position.guess(viewer, rng)
                given_away = Counter(guess.passes[viewer])
                assert not given_away - Counter(guess.hands[guess.partner_of(viewer)])
                for giver, cards in enumerate(guess.passes):
                    assert not Counter(cards) - Counter(guess.hands[guess.partner_of(giver)])


@SOME
@given(SEATS, SEEDS)
def test_a_view_lists_no_action_that_it_refuses(seats: int, seed: int) -> None:
    rng = Random(seed)
    for position, _step in random_game(seats, seed):
        if rng.random() < 0.1:
            viewed = position.seen_by(rng.randrange(seats))
            for seat in position.awaited:
                assert all(viewed.is_legal(action) for action in viewed.legal(seat))


def test_suits_are_dealt_evenly() -> None:
    """Of two wolves and two owls for hands that take any, one way in six gives the first hand both wolves."""
    cards = [Card(code) for code in ("W", "W", "O", "O")]
    rng, free = Random(1), ((True, True),) * 4
    hands = [sorted(deal_suits(cards, (2, 2), free, rng)[0]) for _ in range(3000)]
    assert 400 < hands.count(["W", "W"]) < 600
    assert 1850 < hands.count(["O", "W"]) < 2150


def test_a_view_refuses_to_fill_the_sky() -> None:
    refused = 0
    for position, step in random_game(2, 3):
        if step.position.round == position.round and step.position.piles != position.piles:
            with pytest.raises(HiddenCards):
                position.seen_by(step.seat).apply(step.action)
            refused += 1
    assert refused > 3
