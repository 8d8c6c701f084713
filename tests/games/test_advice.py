"""The reasons why another action would have been better are true of the position and of what came after."""

import random
from collections.abc import Iterator

import pytest

from games.advice import reasons
from games.engine import Place, TileTaken
from games.words import Person
from tests.engine.games import deal, random_play

NAMES = ("Ines", "Tobias", "Mina")


def advised(seats: int) -> Iterator[tuple[Place, Place, str | None, str | None, str]]:
    """Yield what was played in games by chance, what might have been, who else took a tile next, and why."""
    people = [Person(seat, name) for seat, name in enumerate(NAMES[:seats])]
    rng = random.Random(seats)
    for seed in range(6):
        steps = list(random_play(deal(seats, seed), rng))
        for number, step in enumerate(steps[1:], 1):
            position = steps[number - 1].position
            if not isinstance(step.action, Place):
                continue
            better = rng.choice([one for one in position.legal_actions if isinstance(one, Place)])
            later = steps[number + 1 :]
            taken = [event for one in later for event in one.events if isinstance(event, TileTaken)]
            rival = next((event for event in taken if event.seat != better.seat), None)
            told = reasons(position, step.action, better, later, people)
            yield step.action, better, rival and rival.tile, rival and NAMES[rival.seat], " ".join(told)


@pytest.mark.parametrize("seats", [2, 3])
def test_a_tile_goes_to_another_player_never_to_oneself(seats: int) -> None:
    told = 0
    for played, better, tile, rival, words in advised(seats):
        if "It takes" in words:
            assert f"which {rival}" in words
            assert rival != NAMES[better.seat]
            assert tile == better.tile != played.tile
            told += 1
    assert told > 10


def test_alone_nobody_takes_a_tile() -> None:
    assert not any("It takes" in words for *_, words in advised(1))
