"""What decided a game: the sentence agrees with the positions, however the game went."""

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from games.novaluna.board.decision import describe_decision
from games.novaluna.board.game_view import GameView
from games.novaluna.engine import (
    Action,
    Cancel,
    Ending,
    MultiplayerPosition,
    Position,
    Resign,
    Step,
    read_record,
    replay,
    start,
)
from games.titles.people import Person, SeatChange
from tests.novaluna.engine.games import deal, random_play

RECORDS = sorted((Path(__file__).parents[2] / "records").glob("*-multiplayer-*.json"))
CANCELLED = "00016-multiplayer-2"
SEEDS = 6
NAMES = ("Ines", "Tobias", "Mina", "Halley")
PASSED = re.compile(
    r"(?P<winner>\w+) won by (?P<margin>\d+) discs?\. "
    r"Action (?P<number>\d+) of (?P<last>\d+) covered (?P<goals>\d+) goals? "
    r"and put (?P<who>\w+) ahead of (?P<names>.+) until the end\."
)
LAST_TILE = re.compile(
    r"(?P<winner>\w+) won by (?P<margin>\d+) discs?\. (?:The|Your) last tile covered (?P<goals>\d+) goals? "
    r"and put \w+ ahead of (?P<names>.+)\."
)
AFTER_LEAVING = re.compile(
    r"(?P<winner>\w+) won by (?P<margin>\d+) discs?\. "
    r"\w+ (?:was|were) ahead after (?P<names>.+) left the game\."
)
LEFT = re.compile(
    r"(?:(?P<names>\w+) resigned with (?P<left>\d+) discs? left\. (?P<winner>\w+) had (?P<had>\d+)"
    r"|.+? (?:ran out|agreed to continue(?: without you)?)\. "
    r"(?P<late>\w+) had (?P<late_left>\d+) discs? left, (?P<late_winner>\w+) (?P<late_had>\d+))\."
)
TIED = re.compile(
    r"(?P<winner>\w+) had (?P<discs>\d+) discs? left, as many as (?P<names>.+), and "
    r"(?P<why>had spent less time|(?:was|were) first in turn order)\."
)


def view_of(steps: Sequence[Step], first: Position, viewer: int | None = None) -> GameView:
    people = tuple(Person(seat, NAMES[seat], is_you=seat == viewer) for seat in range(first.seats))
    return GameView(first, tuple(steps), people)


def game_with_resignations(seats: int, seed: int) -> list[Step]:
    """Return a random game in which a player who has the fewest discs left resigns near the end."""
    steps = list(random_play(deal(seats, seed), random.Random(seed)))[: -5 * seats]
    position, rng = steps[-1].position, random.Random(seed)
    action: Action = Resign(min(position.in_play, key=position.discs.__getitem__))
    while not position.over:
        steps.append(position.apply(action))
        position = steps[-1].position
        action = rng.choice(list(position.legal_actions) or [Cancel()])
    return steps


def seats_in(names: str, viewer: int | None) -> set[int]:
    words = re.split(r", | and ", names)
    return {viewer if word.lower() == "you" else NAMES.index(word) for word in words}  # type: ignore[misc]


def check(steps: Sequence[Step], viewer: int) -> str:
    """Check every fact of the sentence against the positions, and return the form of the sentence.

    The viewer is a spectator if the game has no seat with their number.
    """
    first = start(steps[0].position.setup)
    sentence = describe_decision(view_of(steps, first, viewer))
    end = steps[-1].position
    assert isinstance(end, MultiplayerPosition)
    forms = {
        "passed": PASSED,
        "last tile": LAST_TILE,
        "after leaving": AFTER_LEAVING,
        "left": LEFT,
        "tied": TIED,
    }
    [(form, facts)] = [(name, found) for name, form in forms.items() if (found := form.fullmatch(sentence))]
    told = {name.removeprefix("late_"): fact for name, fact in facts.groupdict().items() if fact is not None}
    if "late" in told:
        told["names"] = told.pop("late")
    others = seats_in(told["names"], viewer)
    assert (
        seats_in(told["winner"], viewer) == seats_in(told.get("who", told["winner"]), viewer) == {end.winner}
    )
    winner = end.winner
    assert winner is not None
    in_play = set(end.in_play) - {winner}
    if form == "left":
        assert end.ending is Ending.LEFT
        [other] = others
        assert (int(told["left"]), int(told["had"])) == (end.discs[other], end.discs[winner])
        return form
    if form == "tied":
        assert others == {
            seat for seat in in_play if end.discs[seat] == end.discs[winner] == int(told["discs"])
        }
        has_least_time = all(end.track.time[winner] < end.track.time[seat] for seat in others)
        assert has_least_time == ("time" in told["why"])
        return form
    assert int(told["margin"]) == min(end.discs[seat] for seat in in_play) - end.discs[winner] > 0
    number = int(told.get("number") or 0) or len(steps)
    if form == "after leaving":
        number = next(
            n for n, step in enumerate(steps, 1) if isinstance(step.action, Resign) and {step.seat} == others
        )
    else:
        assert int(told.get("last") or len(steps)) == len(steps)
        assert steps[number - 1].seat == winner
        assert int(told["goals"]) == len(steps[number - 1].goals_covered) > 0
    before = steps[number - 2].position if number > 1 else first
    assert others == {s for s in before.in_play if s != winner and before.discs[s] <= before.discs[winner]}
    for step in steps[number - 1 :]:
        discs = step.position.discs
        assert all(discs[winner] < discs[seat] for seat in step.position.in_play if seat != winner)
    return form


def test_every_fact_of_the_sentence_is_true() -> None:
    """In random games, games with resignations, and recorded games, of which bots played most."""
    games = [(list(random_play(deal(2 + seed % 3, seed), random.Random(seed)))) for seed in range(SEEDS)]
    games += [game_with_resignations(2 + seed % 3, seed) for seed in range(SEEDS)]
    games += [list(replay(*read_record(path.read_bytes()))) for path in RECORDS if path.stem != CANCELLED]
    forms = {check(steps, nth % (steps[0].position.seats + 1)) for nth, steps in enumerate(games)}
    assert forms == {"passed", "last tile", "after leaving", "left", "tied"}


def test_an_action_of_the_bot_on_the_seat_of_the_winner_is_no_action_of_the_winner() -> None:
    games = [list(random_play(deal(2, seed), random.Random(seed))) for seed in range(SEEDS)]
    sentences = []
    for steps in games:
        first, winner = start(steps[0].position.setup), steps[-1].position.winner
        by_bot = replace(view_of(steps, first, winner), seat_changes=(SeatChange(winner or 0, 1, "easy"),))
        sentences.append(describe_decision(by_bot))
    assert not any(re.search(r"Action \d+ of \d+ covered|Your last tile", sentence) for sentence in sentences)
    assert any(", by the bot that played for you, covered" in sentence for sentence in sentences)


@pytest.mark.parametrize("seats", [1, 2])
def test_nothing_decided_a_solo_or_cancelled_game(seats: int) -> None:
    first = start(deal(seats, 1))
    running = [first.apply(next(iter(first.legal_actions)))]
    cancelled = [*running, running[0].position.apply(Cancel())]
    assert {describe_decision(view_of(steps, first, 0)) for steps in (running, cancelled)} == {""}
