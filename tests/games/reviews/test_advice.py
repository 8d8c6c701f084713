"""The reasons why another action would have been better are true of the position and of the later turns."""

import random
import re
from collections.abc import Iterator

import pytest

from games.board.game_view import GameView, Person
from games.engine import Colour, GoalAt, Place, Position, RefillRule, TileTaken
from games.reviews.advice import list_reasons
from tests.engine.games import deal, random_play

NAMES = ("Ines", "Tobias", "Mina")


def actions_with_reasons(seats: int) -> Iterator[tuple[Place, Place, str | None, str | None, str]]:
    """Yield (played, better, tile, rival, reasons) for place actions of random games.

    `better` is a random action and `reasons` say why it is better than `played`. `tile` is the next tile that
    another player took, and `rival` is that player's name.
    """
    people = [Person(seat, name) for seat, name in enumerate(NAMES[:seats])]
    rng = random.Random(seats)
    for seed in range(6):
        steps = list(random_play(deal(seats, seed), rng))
        for number, step in enumerate(steps[1:], 1):
            position = steps[number - 1].position
            if not isinstance(step.action, Place):
                continue
            better = rng.choice([action for action in position.legal_actions if isinstance(action, Place)])
            later_events = [event for later in steps[number + 1 :] for event in later.events]
            taken = [event for event in later_events if isinstance(event, TileTaken)]
            rival = next((event for event in taken if event.seat != better.seat), None)
            reasons = list_reasons(GameView(position, steps, people), number + 1, better)
            yield step.action, better, rival and rival.tile, rival and NAMES[rival.seat], " ".join(reasons)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_only_another_player_is_named_as_the_one_who_took_the_tile(seats: int) -> None:
    count = 0
    for played, better, tile, rival, reasons in actions_with_reasons(seats):
        if "Takes " in reasons:
            assert f"which {rival} took next" in reasons
            assert rival != NAMES[better.seat]
            assert tile == better.tile != played.tile
            count += 1
    assert count > 10


def test_nobody_else_takes_a_tile_in_a_solo_game() -> None:
    assert not any("Takes " in reasons for *_, reasons in actions_with_reasons(1))


def choices_with_reasons(seats: int, you: int | None = None) -> Iterator[tuple[Position, Place, Place, str]]:
    """Yield positions of random games, two place actions, and the reasons why the second is better.

    `you` is the seat of the viewer.
    """
    people = [Person(seat, name, is_you=seat == you) for seat, name in enumerate(NAMES[:seats])]
    rng = random.Random(seats)
    for seed in range(5):
        for step in random_play(deal(seats, seed), rng):
            places = [action for action in step.position.legal_actions if isinstance(action, Place)]
            if len(places) > 1:
                played, better = rng.sample(places, 2)
                start = step.position.public()
                reasons = list_reasons(GameView(start, [start.apply(played)], people), 1, better)
                yield step.position, played, better, " ".join(reasons)


def most_discs_placed(position: Position) -> int:
    """Return how many discs the seat to move can place at most."""
    seat = position.to_move
    assert seat is not None
    places = (action for action in position.legal_actions if isinstance(action, Place))
    discs_left = (position.apply(place).position.discs[seat] for place in places)
    return position.discs[seat] - min(discs_left, default=position.discs[seat])


@pytest.mark.slow
@pytest.mark.parametrize(("seats", "you"), [(2, None), (3, None), (2, 0)])
def test_goals_of_the_next_player_are_counted(seats: int, you: int | None) -> None:
    next_players = set()
    for position, played, better, reasons in choices_with_reasons(seats, you):
        found = re.search(r"Leaves (\w+) (no|\d+) goals? to cover next; the move played left (\d+)", reasons)
        if found:
            after_better, after_played = position.apply(better).position, position.apply(played).position
            seat = after_better.to_move
            assert seat is not None
            assert seat == after_played.to_move != better.seat
            assert after_better.refill is after_played.refill is RefillRule.NOT_ALLOWED, (
                "a refill may bring anything"
            )
            assert found[1] == ("you" if seat == you else NAMES[seat])
            assert int(found[2].replace("no", "0")) == most_discs_placed(after_better)
            assert int(found[3]) == most_discs_placed(after_played) > most_discs_placed(after_better)
            next_players.add(found[1])
    assert len(next_players) == seats


def free_cells_beside_open_goals(position: Position, seat: int) -> int:
    """Count the free cells beside tiles with an open goal."""
    display = position.displays[seat]
    free_cells = {near for cell in display.tiles for near in cell.neighbours()} - set(display.tiles)
    return sum(
        any(
            GoalAt(near, nth) not in display.covered
            for near in cell.neighbours()
            if near in display.tiles
            for nth in range(len(display.tiles[near].goals))
        )
        for cell in free_cells
    )


@pytest.mark.slow
def test_free_cells_beside_open_goals_are_counted() -> None:
    count = 0
    for position, played, better, reasons in choices_with_reasons(2):
        found = re.search(r"more space .*: (\d+) free cells? beside them, not (\d+)", reasons)
        if found:
            after_better, after_played = (position.apply(place).position for place in (better, played))
            assert int(found[1]) == free_cells_beside_open_goals(after_better, better.seat)
            assert int(found[2]) == free_cells_beside_open_goals(after_played, better.seat)
            assert after_better.discs == after_played.discs, "covered goals need no space"
            count += 1
    assert count > 5


def supplied_dots(position: Position, seat: int) -> int:
    """Count the dots of goals that the display supplies, group by group."""
    display = position.displays[seat]
    dots = 0
    for cell, tile in display.tiles.items():
        groups = [set(group.cells) for group in display.groups if {cell, *cell.neighbours()} & group.cells]
        for goal in tile.goals:
            for colour, need in zip(Colour, goal.needs, strict=True):
                near = set().union(*groups) - {cell}
                dots += min(need, sum(display.tiles[other].colour == colour for other in near))
    return dots


@pytest.mark.slow
def test_supplied_dots_are_counted() -> None:
    count = 0
    for position, played, better, reasons in choices_with_reasons(2):
        found = re.search(
            r"Supplies (\d+) more dots? that the goals need; the move played supplied (none|(\d+))",
            reasons,
        )
        if found:
            before, after_better, after_played = (
                supplied_dots(each, better.seat)
                for each in (position, position.apply(better).position, position.apply(played).position)
            )
            assert (int(found[1]), int(found[3] or 0)) == (after_better - before, after_played - before)
            assert "Covers" not in reasons or "Covers fewer" in reasons
            assert "one more tile" not in reasons
            count += 1
    assert count > 5
