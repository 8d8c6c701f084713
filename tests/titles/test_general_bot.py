"""The general bot plays any title from its rules, and knows only what its seat sees."""

import pickle
from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace

import pytest

from games.novaluna.rules import NovaLunaRules
from games.titles import general_bot
from games.titles.general_bot import GENERAL_BOTS, LEVELS, WIDTH, GeneralBots, Limits, Worth, choose, result
from games.titles.rules import AnyPosition
from tests.titles.pairs.rules import Choose, PairsRules
from tests.titles.strength import at_random, results_of, start

SECOND_CHOICE = 2  # of the seats of Pairs, this one chooses after two others in these tests


def stopped() -> float:
    """Return the same time always, so that iterations end each search."""
    return 0.0


class Guarded:
    """A position as a seat sees it, which refuses everything that only a whole position can answer."""

    def __init__(self, position: AnyPosition, seat: int) -> None:
        self.position, self.seat, self.guesses = position.seen_by(seat), seat, 0
        self.seats, self.forced, self.legal = position.seats, self.position.forced, self.position.legal

    def seen_by(self, seat: int | None) -> "Guarded":
        assert seat == self.seat
        return self

    def guess(self, seat: int, rng: Random) -> AnyPosition:
        assert seat == self.seat
        self.guesses += 1
        return self.position.guess(seat, rng)


@dataclass(frozen=True)
class Endless:
    """A game for two seats that goes on for ever."""

    seats: int = 2
    awaited: frozenset[int] = frozenset({0})
    places: tuple[int, ...] = ()

    def seen_by(self, _seat: int | None) -> "Endless":
        return self

    def guess(self, _seat: int, _rng: Random) -> "Endless":
        return self

    def legal(self, _seat: int) -> set[str]:
        return {"left", "right"}

    def forced(self, _seat: int) -> None:
        return None

    def apply(self, action: str) -> SimpleNamespace:
        step = SimpleNamespace(seat=0, action=action, events=(), position=self)
        step.seen_by = lambda _seat: step
        return step


def pairs(number: int = 0) -> AnyPosition:
    return start(PairsRules(), 4, number)


def middle_of_pairs(number: int = 0) -> AnyPosition:
    """Return a position in which two seats have chosen in secret, after a revealed round."""
    position, rng = pairs(number), Random(number)
    for seat in (0, 1, 2, 3, 0, 1):
        position = position.apply(at_random(position, seat, rng)).position
    return position


def discs_placed(position: AnyPosition, seat: int) -> float:
    return -position.figures(seat)["discs"]


@pytest.mark.parametrize(
    ("rules", "seats", "worth"),
    [(PairsRules(), 4, None), (NovaLunaRules(), 3, None), (NovaLunaRules(), 1, discs_placed)],
)
def test_each_action_of_a_game_is_legal(
    rules: PairsRules | NovaLunaRules, seats: int, worth: Worth | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(general_bot, "LEVELS", {"easy": Limits(1, 2)})
    position, rng = start(rules, seats, 1), Random(1)
    while position.awaited:
        seat = rng.choice(sorted(position.awaited))
        action = choose(position.seen_by(seat), seat, "easy", rng, stopped, worth)
        assert action in position.legal(seat)
        position = position.apply(action).position


@pytest.mark.parametrize("position", [pairs(), start(NovaLunaRules(), 2, 0)])
def test_the_choice_is_reproducible_if_iterations_end_the_search(position: AnyPosition) -> None:
    seat = min(position.awaited)
    choices = {choose(position.seen_by(seat), seat, "easy", Random(3), stopped) for _ in range(3)}
    assert len(choices) == 1


@pytest.mark.parametrize("number", range(6))
def test_what_a_seat_does_not_know_changes_nothing(number: int) -> None:
    position = middle_of_pairs(number)
    other = position.guess(SECOND_CHOICE, Random(number))
    assert position != other
    choices = {
        choose(whole.seen_by(SECOND_CHOICE), SECOND_CHOICE, "easy", Random(number), stopped)
        for whole in (position, other)
    }
    choices.add(choose(position, SECOND_CHOICE, "easy", Random(number), stopped))
    assert len(choices) == 1


def test_only_guesses_are_searched() -> None:
    seen = Guarded(middle_of_pairs(), SECOND_CHOICE)
    assert choose(seen, SECOND_CHOICE, "easy", Random(0), stopped) in seen.legal(SECOND_CHOICE)
    assert seen.guesses == LEVELS["easy"].iterations


def test_a_higher_level_searches_longer() -> None:
    guesses = []
    for level in ("easy", "medium", "hard"):
        seen, ticks = Guarded(pairs(), 0), iter(range(10_000))
        choose(seen, 0, level, Random(0), lambda ticks=ticks: next(ticks) / 64)
        guesses.append(seen.guesses)
    assert guesses == [4, 20, 96]
    iterations = [limits.iterations for limits in LEVELS.values()]
    assert iterations == sorted(set(iterations))


def test_a_forced_action_needs_no_search() -> None:
    def clock() -> float:
        raise AssertionError("A search has begun.")

    seen = Guarded(replace(pairs(), hands=((1, 2, 3), (5, 5, 5), (1, 2, 3), (4, 4, 6))), 1)
    assert choose(seen, 1, "hard", Random(0), clock) == Choose(1, 5)
    assert seen.guesses == 0


def test_without_guesses_the_choice_is_random(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    seen = Guarded(pairs(), 0)
    monkeypatch.setattr(seen, "guess", fail)
    choices = {choose(seen, 0, "easy", Random(seed), stopped) for seed in range(40)}
    assert choices == set(pairs().legal(0))
    assert "cannot search" in caplog.text


def test_a_seat_that_is_not_awaited_has_no_choice() -> None:
    with pytest.raises(ValueError, match="Seat 1 is not awaited"):
        choose(middle_of_pairs(), 1, "easy", Random(0), stopped)


@dataclass(frozen=True)
class Climb:
    """A game for one: the number of steps up, of ten, counts."""

    height: int = 0
    left: int = 10
    seats: int = 1
    places: tuple[int, ...] = ()

    @property
    def awaited(self) -> frozenset[int]:
        return frozenset({0} if self.left else ())

    def seen_by(self, _seat: int | None) -> "Climb":
        return self

    def guess(self, _seat: int, _rng: Random) -> "Climb":
        return self

    def legal(self, _seat: int) -> set[str]:
        return {"up", "down"}

    def forced(self, _seat: int) -> None:
        return None

    def apply(self, action: str) -> SimpleNamespace:
        after = replace(self, height=self.height + (action == "up"), left=self.left - 1)
        step = SimpleNamespace(seat=0, action=action, events=(), position=after)
        step.seen_by = lambda _seat: step
        return step


def height(position: AnyPosition, _seat: int) -> float:
    return 1000.0 * position.height


def test_a_game_for_one_is_played_for_what_its_end_is_worth() -> None:
    choices = [choose(Climb(), 0, "easy", Random(seed), stopped, height) for seed in range(20)]
    assert choices.count("up") >= 18


def test_a_game_for_one_without_a_worth_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot tell which end is better"):
        choose(Climb(), 0, "easy", Random(0), stopped)
    assert GENERAL_BOTS.choose_without_search(Climb(), 0, Random(0)) in {"up", "down"}


def test_bots_can_be_sent_to_another_process() -> None:
    bots = GeneralBots(height)
    assert pickle.loads(pickle.dumps(bots)) == bots


def test_a_game_without_end_is_a_draw() -> None:
    assert choose(Endless(), 0, "easy", Random(0), stopped) in {"left", "right"}


def test_few_of_many_actions_are_tried() -> None:
    position = start(NovaLunaRules(), 2, 0)
    (seat,) = position.awaited
    for number in range(6):
        position = position.apply(at_random(position, seat, Random(number))).position
        (seat,) = position.awaited
    assert len(position.legal(seat)) > 2 * WIDTH
    search = general_bot._Search(position.seen_by(seat), seat, Random(0))
    for number in range(2 * WIDTH):
        search.iterate(position.guess(seat, Random(number)))
    assert len(search.root.arms) == WIDTH
    assert max(arm.visits for arm in search.root.arms.values()) > 1


def test_results_share_what_level_seats_get() -> None:
    assert [result((1, 3, 1, 4), seat) for seat in range(4)] == pytest.approx([5 / 6, 1 / 3, 5 / 6, 0])
    assert result((), 0) == result((1,), 0) == 0.5


@pytest.mark.whole
def test_a_side_of_bots_beats_random_players(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(general_bot, "LEVELS", {"short": Limits(1, 80)})
    results = results_of(20, lambda position, seat, rng: choose(position, seat, "short", rng, stopped))
    assert results["won"] >= 17, results
