"""The reasons why another action would have been better are true of the position and of what came after."""

import random
import re
from collections.abc import Iterator

import pytest

from games.board.game_view import GameView, Person
from games.engine import Colour, GoalAt, Place, Position, RefillRule, TileTaken
from games.reviews.advice import reasons
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
            told = reasons(GameView(position, steps, people), number + 1, better)
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


def weighed(seats: int, you: int | None = None) -> Iterator[tuple[Position, Place, Place, str]]:
    """Yield positions of games by chance, two places that might be chosen, and why the second would be."""
    people = [Person(seat, name, is_you=seat == you) for seat, name in enumerate(NAMES[:seats])]
    rng = random.Random(seats)
    for seed in range(5):
        for step in random_play(deal(seats, seed), rng):
            places = [one for one in step.position.legal_actions if isinstance(one, Place)]
            if len(places) > 1:
                played, better = rng.sample(places, 2)
                start = step.position.public()
                told = reasons(GameView(start, [start.apply(played)], people), 1, better)
                yield step.position, played, better, " ".join(told)


def covered_next(position: Position) -> int:
    """Return how many discs the seat to move can place at most."""
    seat = position.to_move
    assert seat is not None
    places = (one for one in position.legal_actions if isinstance(one, Place))
    after = (position.apply(place).position.discs[seat] for place in places)
    return position.discs[seat] - min(after, default=position.discs[seat])


@pytest.mark.parametrize(("seats", "you"), [(2, None), (3, None), (2, 0)])
def test_what_is_left_to_the_next_player_is_counted(seats: int, you: int | None) -> None:
    whom = set()
    for position, played, better, words in weighed(seats, you):
        found = re.search(
            r"It leaves (\w+) (no|\d+) goals? to cover next; the action played left (\d+)", words
        )
        if found:
            left, otherwise = position.apply(better).position, position.apply(played).position
            seat = left.to_move
            assert seat is not None
            assert seat == otherwise.to_move != better.seat
            assert left.refill is otherwise.refill is RefillRule.NOT_ALLOWED, "a refill may bring anything"
            assert found[1] == ("you" if seat == you else NAMES[seat])
            assert int(found[2].replace("no", "0")) == covered_next(left)
            assert int(found[3]) == covered_next(otherwise) > covered_next(left)
            whom.add(found[1])
    assert len(whom) == seats


def free_beside_open_goals(position: Position, seat: int) -> int:
    """Count the cells for the next tile that touch one with an open goal."""
    display = position.displays[seat]
    around = {near for cell in display.tiles for near in cell.neighbours()} - set(display.tiles)
    return sum(
        any(
            GoalAt(near, nth) not in display.covered
            for near in cell.neighbours()
            if near in display.tiles
            for nth in range(len(display.tiles[near].goals))
        )
        for cell in around
    )


def test_room_beside_open_goals_is_counted() -> None:
    told = 0
    for position, played, better, words in weighed(2):
        found = re.search(r"more room: (\d+) free cells? beside them, not (\d+)", words)
        if found:
            ours, theirs = (position.apply(place).position for place in (better, played))
            assert int(found[1]) == free_beside_open_goals(ours, better.seat)
            assert int(found[2]) == free_beside_open_goals(theirs, better.seat)
            assert ours.discs == theirs.discs, "goals that are covered need no room"
            told += 1
    assert told > 5


def supplied(position: Position, seat: int) -> int:
    """Count the dots of goals that are supplied, group by group."""
    display = position.displays[seat]
    dots = 0
    for cell, tile in display.tiles.items():
        touching = [set(group.cells) for group in display.groups if {cell, *cell.neighbours()} & group.cells]
        for goal in tile.goals:
            for colour, need in zip(Colour, goal.needs, strict=True):
                near = set().union(*touching) - {cell}
                dots += min(need, sum(display.tiles[one].colour == colour for one in near))
    return dots


def test_dots_that_goals_get_are_counted() -> None:
    told = 0
    for position, played, better, words in weighed(2):
        found = re.search(r"get (\d+) more dots? that they ask for(, not (\d+)|; the action)", words)
        if found:
            before, ours, theirs = (
                supplied(one, better.seat)
                for one in (position, position.apply(better).position, position.apply(played).position)
            )
            assert (int(found[1]), int(found[3] or 0)) == (ours - before, theirs - before)
            assert "It covers" not in words or "covers fewer" in words
            assert "one more tile" not in words
            told += 1
    assert told > 5
