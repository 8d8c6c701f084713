"""Plans in replies: what can be planned, and how it is read."""

from typing import Any

import pytest

from games.lunar.engine import Flip, Play, Position, Source, Suit
from games.lunar.notation.plan_lines import plannable, read_plan
from games.lunar.notation.writing import write_action
from games.titles.lines import CannotPlay
from games.titles.plans import PlanRequest
from tests.lunar.notation.positions import four, passes_by, played, random_positions, two


def lines_of(position: Position, seat: int) -> list[str]:
    return [write_action(action) for action in plannable(position, seat)]


def test_who_has_passed_plans_a_tile_or_the_cards_that_they_keep() -> None:
    assert lines_of(four(*passes_by(0)), 0) == ["flip wolf", "flip owl", "flip lynx", "flip bat"]
    kept = lines_of(four(*passes_by(3)), 3)
    assert len(kept) <= 8
    assert not [line for line in kept if line.startswith("flip")], "the last seat turns no tile"


def test_who_turns_no_tile_any_more_plans_cards() -> None:
    position = four(*passes_by(0, 1, 2, 3), {"seat": 0, "do": "flip", "suit": "B"})
    assert {line.split()[0] for line in lines_of(position, 2)} == {"flip"}
    assert {line.split()[0] for line in lines_of(position, 0)} == {"play"}
    assert {line.split()[0] for line in lines_of(position, 3)} == {"play"}


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


def trick(*cards: str) -> Position:
    """Return the first trick of the game for four after these cards, of seats 0, 1, and so on."""
    flips = [{"seat": seat, "do": "flip", "suit": suit} for seat, suit in enumerate("BLO")]
    plays = [{"seat": seat, "do": "play", "card": card} for seat, card in enumerate(cards)]
    return four(*passes_by(0, 1, 2, 3), *flips, *plays)


def kinds(position: Position, seat: int) -> set[str]:
    return {
        type(wish).__name__ + wish.card.kind for wish in plannable(position, seat) if isinstance(wish, Play)
    }


def test_a_side_whose_rank_is_in_the_trick_plans_suits_only() -> None:
    position = trick("5")
    assert kinds(position, 2) == {"Plays"}
    assert kinds(position, 3) == {"Playr", "Plays"}, "the partner has not played"
    assert kinds(position, 0) == {"Playr", "Plays"}, "the next trick is open"


def test_the_lead_suit_must_be_followed_in_plans() -> None:
    position = trick("B")
    suits = {line for line in lines_of(position, 3) if line.split()[1][0].isalpha()}
    assert suits == {"play bat", "play bat*"}, "but no wolf"
    assert kinds(position, 2) == {"Playr"}


@pytest.mark.parametrize("seats", [2, 4])
def test_every_card_that_becomes_legal_could_be_planned(seats: int) -> None:
    """Those aside that a seat got meanwhile: from its partner, from a pile, or by a deal."""
    planned: dict[int, tuple[int, list[Any]]] = {}
    for position in random_positions(seats, seed=seats + 9):
        for seat in range(seats):
            if seat not in position.awaited:
                planned[seat] = position.known, plannable(position, seat)
            elif seat in planned:
                known, wishes = planned.pop(seat)
                assert known != position.known or {*position.legal(seat)} <= {*wishes}


def test_for_two_the_cards_of_the_sky_can_be_planned_too() -> None:
    position = two(*({"seat": turn % 2, "do": "flip", "suit": suit} for turn, suit in enumerate("BLO")))
    assert {"sky 7", "sky bat*", "play 1"} <= {*lines_of(position, 1)} | {*lines_of(position, 0)}


def test_a_plan_is_read_with_the_best_wish_first() -> None:
    plan = read_plan(["plan flip bat; else flip owl; also later"], two(), 1)
    assert plan.request is PlanRequest.MAKE
    assert plan.wishes == (Flip(1, Suit.BAT), Flip(1, Suit.OWL))
    assert plan.outlasts_reveals
    position = two(*({"seat": turn % 2, "do": "flip", "suit": suit} for turn, suit in enumerate("BL")))
    plan = read_plan(["plan play 6, else the bat from the sky", "else wolf"], position, 1)
    assert [write_action(wish) for wish in plan.wishes] == ["play 6", "sky bat*", "play wolf"]
    assert read_plan(["plan sky 7"], position, 1).wishes == (Play(1, two().sky[1], Source.SKY),)  # type: ignore[arg-type]
    assert read_plan(["drop plan"], two(), 1).request is PlanRequest.DROP
    assert read_plan(["plan?"], two(), 1).request is PlanRequest.SHOW


@pytest.mark.parametrize("line", ["plan play 8", "plan flip bat; else play 7", "plan play wolf*"])
def test_what_can_not_be_legal_next_can_not_be_planned(line: str) -> None:
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
