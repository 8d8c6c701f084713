"""Moves in emails: they are told apart by the cell, and tiles that look alike by their goals."""

from dataclasses import replace

import pytest

from games.novaluna.board.game_view import GameView
from games.novaluna.board.offers import describe_reach, offers
from games.novaluna.board.words import describe_goals
from games.novaluna.engine import TILES, Mode, Place, Setup, start
from games.titles.people import Person


def view_of(*first: str) -> GameView:
    """Return the view of the first player at the start of a game with these tiles after the marker."""
    deck = [*first, *(code for code in TILES if code not in first)]
    position = start(Setup(Mode.MULTIPLAYER, 2, 20, (0, 1), tuple(deck)))
    assert position.to_move is not None
    people = (Person(0, "Ines", is_you=True), Person(1, "Tobias"))
    return GameView(position, (), people)


def test_tiles_in_reach_have_their_time_and_goals() -> None:
    assert (
        describe_reach(view_of("B4a", "R1", "Y3a"))[0] == "Blue 4 costs 4 in time. Goals: four red; two red"
    )


@pytest.mark.parametrize("third", ["B4c", "Y3a"])
def test_a_move_names_the_goals_of_a_tile_only_if_another_looks_like_it(third: str) -> None:
    titles = [offer.title for offer in offers(view_of("B4a", "R1", third))]
    blue = [title for title in titles if title.startswith("Blue 4")]
    assert blue
    goals = [f"Blue 4 ({describe_goals(TILES[code])}): " for code in ("B4a", "B4c")]
    assert all(title.startswith(tuple(goals)) == (third == "B4c") for title in blue)


def test_a_move_names_its_cell_except_for_the_first_tile() -> None:
    view = view_of("B4a", "R1", "Y3a")
    assert not any(" at " in offer.title for offer in offers(view))
    steps = (view.position.apply(Place(0, view.position.in_reach[0].code, 0, 0)),)
    while steps[-1].position.to_move != 0:
        steps = (*steps, steps[-1].position.apply(next(iter(steps[-1].position.legal_actions))))
    later = offers(replace(view, steps=steps))
    cells = [offer.line.partition(" at ")[2] for offer in later]
    assert all(cells)
    assert all(f" at {cell}: " in offer.title for offer, cell in zip(later, cells, strict=True))
