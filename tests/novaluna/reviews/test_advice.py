"""Every sentence that explains an action is true of the position and of the later turns."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from games.novaluna.board.decision import describe_decision, lead_began
from games.novaluna.board.game_view import GameView
from games.novaluna.board.reason import MAX_REASONS
from games.novaluna.board.reasons import reasons_to_place
from games.novaluna.bots.face import Chance, Score
from games.novaluna.engine import TILES, Place, Position, Refill, SoloPosition, Step, action_to_json, start
from games.novaluna.reviews.advice import advise
from games.novaluna.reviews.page import build_review
from games.titles.people import Person
from tests.novaluna.engine.games import deal, random_play
from tests.novaluna.reviews.facts import Comparison, PlainPosition

NAMES = ("Ines", "Tobias", "Mina", "Halley")
# The small loss is carried by any reason, the large one by few.
LOSSES = {True: (Score(1.0), Score(30.0)), False: (Chance(0.05), Chance(0.6))}


def people_of(seats: int, you: int | None = None) -> tuple[Person, ...]:
    """Return the players of a game; `you` is the seat of the viewer."""
    return tuple(Person(seat, name, is_you=seat == you) for seat, name in enumerate(NAMES[:seats]))


def good_place(position: Position, rng: random.Random) -> Place | None:
    """Return the place action that covers the most goals, of a few random ones; None without a choice."""
    places = [action for action in position.legal_actions if isinstance(action, Place)]
    if len(places) < 2:
        return None
    sample = rng.sample(places, min(12, len(places)))
    return max(sample, key=lambda place: len(position.apply(place).goals_covered))


def good_play(seats: int, seed: int, rng: random.Random) -> list[Step]:
    """Return the steps of a game in which all seats cover many goals."""
    position, steps = start(deal(seats, seed)), []
    while not position.over:
        action = good_place(position, rng) or rng.choice([*position.legal_actions])
        steps.append(position.apply(action))
        position = steps[-1].position
    return steps


def choices(seats: int, seed: int, share: float) -> Iterator[tuple[GameView, int, Place, Comparison]]:
    """Yield (view, number, better, comparison) for a share of the place actions of a game.

    The action played is a good one in one game and a random one in the next; `better` is the best of a few.
    """
    rng = random.Random(seed)
    setup = deal(seats, seed)
    steps = good_play(seats, seed, rng) if seed % 2 else [*random_play(setup, rng)]
    people = people_of(seats, you=seed % (seats + 1))
    view = GameView(
        start(setup).public(), tuple(one._replace(position=one.position.public()) for one in steps), people
    )
    taken: list[tuple[int, int]] = []
    for number, step in enumerate(steps, 1):
        if not isinstance(step.action, Place):
            continue
        before = view.position_after(number - 1)
        better = good_place(before, rng)
        if better and better != step.action and rng.random() < share:
            plain = PlainPosition(before, [*taken])
            yield view, number, better, Comparison(plain, better, step.action, people, steps[number:])
        taken.append((step.action.seat, TILES[step.action.tile].cost))


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_every_stated_reason_is_true(seats: int) -> None:
    count: Counter[str] = Counter()
    for seed in range(4):
        for view, number, better, comparison in choices(seats, seed, share=0.2):
            advice = advise(view, number, better, LOSSES[seats == 1][0], ())
            assert len(advice.reasons) <= MAX_REASONS
            for text in advice.reasons:
                assert comparison.is_true(text), (seed, number, text)
                count[text.split()[0]] += 1
    assert count.total() > 12
    assert len(count) > 3, "too few kinds of reasons for this test"


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_every_stated_reason_of_a_hint_is_true(seats: int) -> None:
    count = 0
    for seed in range(3):
        for view, number, better, comparison in choices(seats, seed, share=0.2):
            alone = Comparison(comparison.before, better, None, comparison.people)
            reasons = reasons_to_place(view.position_after(number - 1), better, view.people)
            assert len(reasons) <= MAX_REASONS
            for reason in reasons:
                assert alone.is_true(reason.text), (seed, number, reason.text)
                count += 1
    assert count > 15


def test_reasons_promise_no_gain_that_the_expected_line_does_not_have() -> None:
    """The expert often prefers another tile to the one that could cover a goal immediately."""
    promises: Counter[bool] = Counter()
    for seed in (1, 3):
        for view, number, better, _comparison in choices(3, seed, share=1):
            after = view.position_after(number - 1).apply(better).position
            places = [action for action in after.legal_actions if isinstance(action, Place)]
            without_goal = [place for place in places if not after.apply(place).goals_covered]
            if after.to_move != better.seat or not without_goal:
                continue
            for line in ((), without_goal[:1]):
                reasons = advise(view, number, better, LOSSES[False][0], line).reasons
                promises[bool(line)] += sum(" can " in reason for reason in reasons)
    assert promises[False] > 3
    assert promises[True] == 0


def test_a_large_loss_is_not_explained_by_small_reasons() -> None:
    later: Counter[bool] = Counter()
    for view, number, better, _comparison in choices(2, 1, share=1):
        small, large = (advise(view, number, better, loss, ()) for loss in LOSSES[False])
        assert small.reasons == large.reasons
        assert large.later or not small.later, "what carries the large loss carries the small one"
        later[bool(large.later)] += 1
        if not large.reasons:
            assert large.later.startswith("The gain comes later")
    assert later[True] > 5


def test_a_key_action_that_decided_the_game_agrees_with_the_result() -> None:
    steps = good_play(2, 1, random.Random(1))
    start_of_game = start(deal(2, 1))
    view = GameView(
        start_of_game.public(), [one._replace(position=one.position.public()) for one in steps], people_of(2)
    )
    winner = view.newest.winner
    assert winner is not None
    number = lead_began(view, winner)
    assert f" Action {number} of {view.version} covered " in describe_decision(view)
    for key_number in (number, number - 1):
        best = next(iter(view.position_after(key_number - 1).legal_actions))
        judgements: list[dict[str, object]] = [{"value": 0.9, "lost": 0, "best": None} for _step in steps]
        judgements[key_number - 1] |= {"lost": 0.5, "best": action_to_json(best)}
        [key] = build_review(view, judgements).key_actions
        assert bool(key.lead) == (key_number == number)


def test_a_line_is_shown_up_to_the_last_goal_of_the_player() -> None:
    shown = 0
    for view, number, better, _comparison in choices(2, 2, share=1):
        position = view.position_after(number - 1).apply(better).position
        goals, line = [], []
        rng = random.Random(number)
        while (place := good_place(position, rng)) and len(line) < 6:
            step = position.apply(place)
            goals.append(len(step.goals_covered) if place.seat == better.seat else 0)
            line.append(place)
            position = step.position
        advice = advise(view, number, better, Chance(0.9), [*line, Refill(better.seat)])
        if not advice.later:
            assert not advice.line
            continue
        length = max((at for at, covered in enumerate(goals, 1) if covered), default=0)
        assert [one.person.seat for one in advice.line] == [place.seat for place in line[:length]]
        assert all(
            (f"covers {covered} goal" in one.text)
            for one, covered in zip(advice.line, goals, strict=False)
            if covered
        )
        assert advice.later.endswith("for example:") is bool(length)
        shown += bool(length)
    assert shown > 3


def test_a_refill_is_explained_by_the_wheel() -> None:
    checked: Counter[bool] = Counter()
    for seats in (1, 2):
        for seed in range(6):
            steps = tuple(random_play(deal(seats, seed), random.Random(seed)))
            view = GameView(start(deal(seats, seed)), steps, people_of(seats))
            for number, step in enumerate(steps[1:], 2):
                before = view.position_after(number - 1)
                refill = Refill(before.to_move or 0)
                if not isinstance(step.action, Place) or not before.is_legal(refill):
                    continue
                advice = advise(view, number, refill, LOSSES[seats == 1][1], ())
                assert not advice.later
                if isinstance(before, SoloPosition):
                    assert advice.reasons == ["Ends phase 1 now, before another tile adds to its time."]
                    continue
                places = [one for one in before.legal_actions if isinstance(one, Place)]
                can_cover = any(before.apply(place).goals_covered for place in places)
                assert ("No tile on the wheel covers a goal now." in advice.reasons) is not can_cover
                assert advice.reasons[-1].startswith(f"Brings {before.refill_size} new tile")
                checked[can_cover] += 1
    assert min(checked[True], checked[False]) > 0
