"""Plans in replies: what can be planned, and how it is read."""

import pytest

from games.lunar.engine import Flip, Play, Position, Source, Suit
from games.lunar.notation.plan_lines import plannable, read_plan
from games.lunar.notation.writing import write_action
from games.titles.lines import CannotPlay
from games.titles.plans import PlanRequest
from tests.lunar.notation.positions import four, passes_by, played, random_positions, two


def lines_of(position: Position, seat: int) -> list[str]:
    return [write_action(action) for action in plannable(position, seat)]


def test_who_has_passed_can_plan_a_tile_and_the_cards_that_they_keep() -> None:
    position = four(*passes_by(0))
    assert lines_of(position, 0) == [
        *("flip wolf", "flip owl", "flip lynx", "flip bat"),
        *("play 3", "play 5", "play 7", "play 8", "play owl", "play lynx", "play bat"),
    ]


def test_the_last_seat_turns_no_tile_and_plans_none() -> None:
    position = four(*passes_by(0, 1, 2, 3))
    assert "flip owl" in lines_of(position, 2)
    assert not [line for line in lines_of(position, 3) if line.startswith("flip")]


def test_in_a_trick_people_plan_cards_only() -> None:
    flips = [{"seat": seat, "do": "flip", "suit": suit} for seat, suit in enumerate("BLO")]
    position = four(*passes_by(0, 1, 2, 3), *flips)
    assert lines_of(position, 1) == [
        "play 2",
        "play 3",
        "play 6",
        "play wolf",
        "play owl",
        "play lynx*",
        "play bat",
    ]
    over = played(position, {"seat": 1, "do": "resign"})
    assert lines_of(over, 0) == []


def test_for_two_the_cards_of_the_sky_can_be_planned_too() -> None:
    assert {"sky 7", "sky bat*", "play 1"} <= {*lines_of(two(), 1)}


def test_a_plan_is_read_with_the_best_wish_first() -> None:
    plan = read_plan(["plan flip bat; else flip owl; also later"], two(), 1)
    assert plan.request is PlanRequest.MAKE
    assert plan.wishes == (Flip(1, Suit.BAT), Flip(1, Suit.OWL))
    assert plan.outlasts_reveals
    plan = read_plan(["plan play 6, else the bat from the sky", "else wolf"], two(), 1)
    assert [write_action(wish) for wish in plan.wishes] == ["play 6", "sky bat*", "play wolf"]
    assert read_plan(["plan sky 7"], two(), 1).wishes == (Play(1, two().sky[1], Source.SKY),)  # type: ignore[arg-type]
    assert read_plan(["drop plan"], two(), 1).request is PlanRequest.DROP
    assert read_plan(["plan?"], two(), 1).request is PlanRequest.SHOW


@pytest.mark.parametrize("line", ["plan play 8", "plan flip bat; else play 8", "plan play wolf*"])
def test_a_card_that_is_not_there_can_not_be_planned(line: str) -> None:
    with pytest.raises(CannotPlay, match="can't be played later"):
        read_plan([line], two(), 1)


@pytest.mark.parametrize("line", ["plan 2 3", "plan to win 7 times", "plan pass 1 2 wolf wolf"])
def test_other_plans_are_not_understood(line: str) -> None:
    with pytest.raises(CannotPlay, match="We don't understand"):
        read_plan([line], two(), 1)


@pytest.mark.parametrize("seats", [2, 4])
def test_every_plannable_action_is_read_as_it_is_written(seats: int) -> None:
    for position in random_positions(seats, seed=seats + 4):
        for seat in {*range(seats)} - position.awaited:
            for action in plannable(position, seat):
                assert read_plan([f"plan {write_action(action)}"], position, seat).wishes == (action,)
