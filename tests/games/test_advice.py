"""The reasons why another action would have been better are true of the position and of what came after."""

import random
import re
from collections.abc import Iterator

import pytest

from games.advice import reasons
from games.engine import Colour, GoalAt, Place, Position, TileTaken
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


def weighed(seats: int) -> Iterator[tuple[Position, Place, Place, str]]:
    """Yield positions of games by chance, two places that might be chosen, and why the second would be."""
    people = [Person(seat, name) for seat, name in enumerate(NAMES[:seats])]
    rng = random.Random(seats)
    for seed in range(3):
        for step in random_play(deal(seats, seed), rng):
            places = [one for one in step.position.legal_actions if isinstance(one, Place)]
            if len(places) > 1:
                played, better = rng.sample(places, 2)
                yield (
                    step.position,
                    played,
                    better,
                    " ".join(reasons(step.position, played, better, [], people)),
                )


def covered_next(position: Position) -> int:
    """Return how many discs the seat to move can place at most."""
    seat = position.to_move
    assert seat is not None
    places = (one for one in position.legal_actions if isinstance(one, Place))
    after = (position.apply(place).position.discs[seat] for place in places)
    return position.discs[seat] - min(after, default=position.discs[seat])


def free_beside_open_goals(position: Position, seat: int) -> int:
    display = position.displays[seat]
    wanting = {
        cell
        for cell, tile in display.tiles.items()
        if {GoalAt(cell, nth) for nth in range(len(tile.goals))} - set(display.covered)
    }
    around = {near for cell in display.tiles for near in cell.neighbours()} - set(display.tiles)
    return sum(near in around for cell in wanting for near in cell.neighbours())


@pytest.mark.parametrize("seats", [2, 3])
def test_what_is_left_to_the_next_player_is_counted(seats: int) -> None:
    told = 0
    for position, played, better, words in weighed(seats):
        found = re.search(r"It leaves (\w+) (no|\d+) goals? to cover next, not (\d+)", words)
        if found:
            left, otherwise = position.apply(better).position, position.apply(played).position
            assert left.to_move == otherwise.to_move != better.seat
            assert found[1] == NAMES[left.to_move or 0]
            assert int(found[2].replace("no", "0")) == covered_next(left)
            assert int(found[3]) == covered_next(otherwise) > covered_next(left)
            told += 1
    assert told > 10


def test_room_beside_open_goals_is_counted() -> None:
    told = 0
    for position, played, better, words in weighed(2):
        found = re.search(r"more room: (\d+) free cells? beside them, not (\d+)", words)
        if found:
            after = [position.apply(place).position for place in (better, played)]
            assert [int(found[1]), int(found[2])] == [
                free_beside_open_goals(one, better.seat) for one in after
            ]
            told += 1
    assert told > 10


def test_a_tile_that_gives_dots_to_goals_says_how_many() -> None:
    told = 0
    for position, _played, better, words in weighed(2):
        found = re.search(r"It gives goals (\d+) of the dots that they ask for, not (-?\d+)", words)
        if found:
            assert int(found[1]) > int(found[2]) >= 0
            if len(position.displays[better.seat].tiles) == 1:
                # Beside the first tile: what each of the two supplies to the other's goals.
                [first] = position.displays[better.seat].tiles.values()
                display = position.apply(better).position.displays[better.seat]
                tile = display.tiles[better.cell]
                supplied = sum(
                    min(goal.needs[list(Colour).index(other.colour)], 1)
                    for one, other in ((first, tile), (tile, first))
                    for goal in one.goals
                )
                assert int(found[1]) == supplied
            told += 1
    assert told > 10
