"""The conformance suite finds faults that are planted into the test title, one at a time."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from games.titles.actions import Cancel, Resign, TakeBack
from games.titles.rules import IllegalAction, Setup
from games.titles.testing.playouts import Game, play_game
from games.titles.testing.storage import deals
from games.titles.testing.suite import CHECKS, problems
from games.titles.testing.views import guesses_vary
from tests.titles.pairs.rules import SIDES, Action, Choose, PairsPosition, PairsRules, PairsStep
from tests.titles.redeals import redeal_pairs

FAULTS: list[tuple[type, str]] = []
CALLS = count()


def found_by(check: str) -> Any:
    """Plant the fault of a class; the check must find it."""

    def plant(fault: type) -> type:
        FAULTS.append((fault, check))
        return fault

    return plant


def rules_with(fault: type) -> PairsRules:
    """Return the rules of Pairs with a faulty class of rules, positions or steps."""
    if issubclass(fault, PairsRules):
        return fault()

    class WithSteps(PairsPosition):
        def apply(self, action: Action) -> PairsStep:
            step = super().apply(action)
            made: PairsStep = fault(step.action, step.seat, step.position, step.events, step.is_secret)
            return made

    position = fault if issubclass(fault, PairsPosition) else WithSteps

    class Rules(PairsRules):
        def start(self, setup: Setup, version: int | None) -> PairsPosition:
            good = super().start(setup, version)
            return position(rounds=good.rounds, hands=good.hands, bonuses=good.bonuses)

    return Rules()


@found_by("views_hide")
class ShowsPartner(PairsPosition):
    def seen_by(self, seat: int | None) -> PairsPosition:
        view = super().seen_by(seat)
        partner = None if seat is None else (seat + 2) % 4
        hands = (own if owner == partner else hand for owner, (own, hand) in _pairs(self.hands, view.hands))
        return replace(view, hands=tuple(hands))


@found_by("views_hide")
class ShowsFirstHandToSpectators(PairsPosition):
    def seen_by(self, seat: int | None) -> PairsPosition:
        return super().seen_by(0 if seat is None else seat)


@found_by("redeals_hide")
class ShowsLaterBonusesAndGuessesKeepThem(PairsPosition):
    def seen_by(self, seat: int | None) -> PairsPosition:
        return replace(super().seen_by(seat), bonuses=self.bonuses)


@found_by("seen_by_is_idempotent")
class ForgetsABonusEachTime(PairsPosition):
    def seen_by(self, seat: int | None) -> PairsPosition:
        view = super().seen_by(seat)
        return replace(view, bonuses=view.bonuses[:-1]) if self.bonuses == view.bonuses else view


@found_by("views_answer_as_the_whole")
class CountsHiddenCards(PairsPosition):
    def figures(self, seat: int) -> Mapping[str, int]:
        return {**super().figures(seat), "cards": sum(self.hands[seat])}


@found_by("views_answer_as_the_whole")
class DeniesOwnActions(PairsPosition):
    def is_legal(self, action: Action) -> bool:
        return super().is_legal(action) and not any(card == 0 for hand in self.hands for card in hand)


@found_by("steps_go_back")
class TakesBackInSecret(PairsRules):
    def step_back(self, action: TakeBack, position: PairsPosition) -> PairsStep:
        return position.step_of(action, is_secret=True)


@found_by("steps_hide")
class ShowsChoices(PairsStep):
    def seen_by(self, seat: int | None) -> PairsStep:
        return replace(super().seen_by(seat), action=self.action)


@found_by("steps_fit_their_positions")
class ShowsWholePositions(PairsStep):
    def seen_by(self, seat: int | None) -> PairsStep:
        return replace(super().seen_by(seat), position=self.position)


@found_by("steps_fit_their_positions")
class HidesOwnChoices(PairsStep):
    def seen_by(self, seat: int | None) -> PairsStep:
        return replace(super().seen_by(seat), action=None)


@found_by("illegal_actions_are_refused")
class AcceptsAnyCard(PairsPosition):
    def is_legal(self, action: Action) -> bool:
        is_choice = isinstance(action, Choose) and action.seat in self.awaited
        return is_choice or super().is_legal(action)


@found_by("illegal_actions_are_refused")
class AcceptsAllButSaysNo(PairsPosition):
    def apply(self, action: Action) -> PairsStep:
        return super().apply(action) if self.is_legal(action) else PairsStep(action, action.seat, self)


@found_by("illegal_actions_are_refused")
class RaisesAnotherError(PairsPosition):
    def apply(self, action: Action) -> PairsStep:
        if not self.is_legal(action):
            raise KeyError(action)
        return super().apply(action)


@found_by("legal_actions_apply")
class DeniesSevens(PairsPosition):
    def is_legal(self, action: Action) -> bool:
        return super().is_legal(action) and not (isinstance(action, Choose) and action.card == 7)


@found_by("games_end")
class DeadEnd(PairsPosition):
    def legal(self, seat: int) -> Collection[Action]:
        return [] if len(self.played) == 1 else super().legal(seat)


@found_by("awaited_until_the_end")
class AwaitsAfterTheEnd(PairsPosition):
    @property
    def awaited(self) -> frozenset[int]:
        return super().awaited if self.ending is None else frozenset((0,))


@found_by("games_end")
class Endless(PairsPosition):
    def apply(self, action: Action) -> PairsStep:
        step = super().apply(action)
        if step.position.ending != "rounds":
            return step
        hands = ((1, 2, 3), (4, 5, 6), (1, 2, 7), (3, 4, 5))
        position = replace(step.position, played=(), hands=hands, ending=None)
        return replace(step, position=position)


@found_by("house_actions")
class NobodyCanResign(PairsPosition):
    def is_legal(self, action: Action) -> bool:
        return not isinstance(action, Resign) and super().is_legal(action)


@found_by("house_actions")
class CancelHasAnotherWord(PairsPosition):
    def apply(self, action: Action) -> PairsStep:
        step = super().apply(action)
        position = replace(step.position, ending="over") if isinstance(action, Cancel) else step.position
        return replace(step, position=position)


@found_by("forced_actions")
class ForcesTheFirst(PairsPosition):
    def forced(self, seat: int) -> Action | None:
        return next(iter(self.legal(seat)), None)


@found_by("forced_actions")
class ForcesNothing(PairsPosition):
    def forced(self, _seat: int) -> Action | None:
        return None


@found_by("logs_replay")
class AppliesAtRandom(PairsPosition):
    def apply(self, action: Action) -> PairsStep:
        return replace(super().apply(action), events=(next(CALLS),))


@found_by("actions_as_json")
class ForgetsTheReason(PairsRules):
    def action_to_json(self, action: Action) -> Mapping[str, object]:
        value = super().action_to_json(action)
        return {**value, "reason": None} if isinstance(action, Resign) else value


@found_by("strange_actions")
class TrustsJson(PairsRules):
    def action_from_json(self, value: Any) -> Action:
        is_choice = value["do"] == "choose"
        return Choose(value["seat"], value["card"]) if is_choice else super().action_from_json(value)


@found_by("guesses_fit")
class GuessesOwnHand(PairsPosition):
    def guess(self, seat: int, rng: Random) -> PairsPosition:
        guess = super().guess(seat, rng)
        return replace(guess, hands=(*guess.hands[1:], guess.hands[0]))


@found_by("guesses_fit")
class GuessesByChance(PairsPosition):
    def guess(self, seat: int, _rng: Random) -> PairsPosition:
        return super().guess(seat, Random(next(CALLS)))


@found_by("guesses_vary")
class GuessesTheSame(PairsPosition):
    def guess(self, seat: int, _rng: Random) -> PairsPosition:
        return super().guess(seat, Random(1))


@found_by("guesses_are_whole")
class GuessesNothing(PairsPosition):
    def guess(self, seat: int, _rng: Random) -> PairsPosition:
        return self.seen_by(seat)


@found_by("places")
class PartnersHaveOwnPlaces(PairsPosition):
    @property
    def places(self) -> tuple[int, ...]:
        return (1, 2, 3, 4) if self.ending == "rounds" else super().places


@found_by("places")
class PlacesAfterACancel(PairsPosition):
    @property
    def places(self) -> tuple[int, ...]:
        return (1,) * 4


@found_by("figures")
class FiguresOfSomeSeats(PairsPosition):
    def figures(self, seat: int) -> Mapping[str, int]:
        return {f"points{SIDES[seat]}": 0}


@found_by("known_never_shrinks")
class KnowsLess(PairsPosition):
    @property
    def known(self) -> int:
        return -len(self.played)


@found_by("endings")
class LongEnding(PairsPosition):
    def apply(self, action: Action) -> PairsStep:
        step = super().apply(action)
        word = "all rounds were played" if step.position.ending == "rounds" else step.position.ending
        return replace(step, position=replace(step.position, ending=word))


@found_by("values_are_frozen")
class Mutable(PairsPosition):
    __setattr__ = object.__setattr__


@found_by("positions_never_change")
class Changes(PairsPosition):
    def apply(self, action: Action) -> PairsStep:
        step = super().apply(action)
        object.__setattr__(self, "chosen", step.position.chosen)
        return step


@found_by("actions_are_hashable")
class EventsAreLists(PairsStep):
    def __init__(
        self,
        action: Action | None,
        seat: int | None,
        position: PairsPosition,
        events: Iterable[Any],
        is_secret: bool,
    ) -> None:
        lists: Any = tuple([*event] for event in events)
        super().__init__(action, seat, position, lists, is_secret)


@found_by("versions")
class AcceptsAnyVersion(PairsRules):
    def start(self, setup: Setup, _version: int | None) -> PairsPosition:
        return super().start(setup, 1)


@found_by("versions")
class StartsUnderAMissingVersion(PairsRules):
    version = 2


@found_by("deals")
class DealsAtRandom(PairsRules):
    def deal(self, seed: bytes, seats: int, options: Mapping[str, Any]) -> Mapping[str, object]:
        return super().deal(seed + bytes((next(CALLS) % 256,)), seats, options)


@found_by("deals")
class DealsAlwaysTheSame(PairsRules):
    def deal(self, _seed: bytes, seats: int, options: Mapping[str, Any]) -> Mapping[str, object]:
        return super().deal(bytes(32), seats, options)


@found_by("options")
class BreaksOnStrangeOptions(PairsRules):
    def checked_options(self, options: Mapping[str, Any], _seats: int) -> Mapping[str, object]:
        return {"rounds": min(3, max(1, options.get("rounds", 3)))}


@found_by("sides")
class ThreeSides(PairsRules):
    def sides(self, _seats: int) -> tuple[int, ...]:
        return (0, 1, 3, 1)


@found_by("records")
class RecordsWithoutActions(PairsRules):
    def write_record(self, setup: Setup, _actions: Iterable[Action]) -> Mapping[str, object]:
        return super().write_record(setup, ())


@found_by("open_titles_show_all_the_same")
class SaysItIsOpen(PairsRules):
    has_hands = False


@found_by("start")
class CannotStart(PairsRules):
    def start(self, _setup: Setup, _version: int | None) -> PairsPosition:
        raise IllegalAction("not today")


@pytest.mark.parametrize(("fault", "check"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS])
def test_the_suite_finds(fault: type, check: str) -> None:
    found = problems(rules_with(fault), redeal=redeal_pairs, games=1, longest=100)
    names = [problem.partition(":")[0] for problem in found]
    assert check in names, f"{names}\n" + "\n".join(found)


def test_every_check_finds_a_fault() -> None:
    assert {check.__name__ for check in CHECKS} <= {check for _, check in FAULTS}


class HasTwoWorlds(PairsPosition):
    def guess(self, seat: int, rng: Random) -> PairsPosition:
        return super().guess(seat, Random(rng.randrange(2)))


def test_guesses_of_few_possible_worlds_vary() -> None:
    for seed in range(30):
        assert not list(guesses_vary(play_game(rules_with(HasTwoWorlds), seed=seed, number=0, seats=4)))


class HasNoChance(PairsRules):
    def deal(self, _seed: bytes, _seats: int, _options: Mapping[str, Any]) -> Mapping[str, object]:
        return {}


class HasTwoDeals(PairsRules):
    def deal(self, seed: bytes, _seats: int, _options: Mapping[str, Any]) -> Mapping[str, object]:
        return {"first": seed[0] % 2}


@pytest.mark.parametrize("rules", [HasNoChance(), HasTwoDeals()], ids=["none", "two"])
def test_a_title_can_have_few_deals_or_none(rules: PairsRules) -> None:
    setup = Setup(4, {}, rules.deal(bytes(32), 4, {}))
    for seed in range(60):
        assert not list(deals(Game(rules, seed, 0, setup, version=1)))


def test_a_problem_says_how_to_see_it() -> None:
    found = problems(rules_with(KnowsLess), redeal=redeal_pairs, games=1)
    assert found[0].startswith("known_never_shrinks: known shrinks from 0 to -1.")
    assert "See play_game(rules, seed=0, number=0, seats=4).positions[4]." in found[0]


def _pairs(first: tuple[Any, ...], second: tuple[Any, ...]) -> Iterable[tuple[int, tuple[Any, Any]]]:
    return enumerate(zip(first, second, strict=True))
