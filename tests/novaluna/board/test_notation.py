"""The short notation of actions: every legal action can be written and read, and nothing is guessed."""

import random
import re
import unicodedata
from collections.abc import Callable
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.novaluna.board.notation import find_action, read_action, write_action
from games.novaluna.board.plan_notation import plan_lines, read_plan, tiles_ahead
from games.novaluna.engine import Cell, Place, Position, Refill, Resign, start
from games.titles.lines import CannotPlay
from games.titles.plans import PlanRequest
from tests.novaluna.engine.games import deal, random_play

SEED = 3
WORDS = [
    *("take", "place", "refill", "resign", "not", "or", "the", "at", "blue", "red", "E", "N1", "w1", "S1"),
    *("0", "1", "2", "3", "4", "-", ",", "."),
]

WAYS_TO_TYPE: list[Callable[[str], str]] = [
    str.upper,
    lambda line: line.replace(" at ", " ").replace("take ", "Take tile number "),
    lambda line: f"  {line}. ".replace(" ", "  "),
    lambda line: f"I will {line}, please!",
    lambda line: line.replace(" at ", ",").replace(" N", "n").replace(" S", "s"),
    lambda line: (
        line.replace("E", "east ").replace("W", "west ").replace("N", "north ").replace("S", "south ")
    ),
]


@pytest.fixture
def position() -> Position:
    """A game of two in which both have a tile, so at most a few cells are free."""
    return second_turn()


def second_turn() -> Position:
    position = start(deal(2, SEED))
    while not all(display.tiles for display in position.displays):
        position = position.apply(next(iter(position.legal_actions))).position
    return position.public()


@settings(max_examples=50, deadline=None)
@given(seats=st.integers(1, 4), seed=st.integers(0, 2**32), type_it=st.sampled_from([str, *WAYS_TO_TYPE]))
def test_every_legal_action_can_be_written_and_read(
    seats: int, seed: int, type_it: Callable[[str], str]
) -> None:
    steps = list(random_play(deal(seats, seed), random.Random(seed)))[:-1]
    position = steps[seed % len(steps)].position.public()
    seat = position.to_move
    assert seat is not None
    for action in chain(position.legal_actions, [Resign(seat)]):
        line = type_it(write_action(action, position))
        assert read_action(line, position, seat) == action
        assert find_action(["Hello!", line, "Take care, Ines"], position, seat) == action


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(WORDS),
            max_size=8,
        ).map(" ".join),
    )
)
def test_any_line_is_a_legal_action_or_refused(line: str) -> None:
    position = second_turn()
    assert position.to_move is not None
    try:
        action = read_action(line, position, position.to_move)
    except CannotPlay:
        return
    assert position.is_legal(action)
    assert re.search("take|place|refill|resign", unicodedata.normalize("NFKC", line).lower())


def test_a_tile_can_be_named_by_its_number_colour_and_cost(position: Position) -> None:
    seat = position.to_move
    assert seat is not None
    for number, tile in enumerate(position.in_reach, 1):
        expected = Place(seat, tile.code, 1, 0)
        for name in (
            f"{number}",
            f"{number} ({tile.colour.word} {tile.cost})",
            f"{tile.colour.word} {tile.cost}",
        ):
            assert read_action(f"take {name} at E1", position, seat) == expected


@pytest.mark.parametrize(
    "line",
    [
        "take 2 at E1 N1 and take 1 at W1",
        "take 2 at E1, refill",
        "refill and take 1 at E1",
        "refill, then resign",
        "resign or take 1 at E1",
        "take 1 at E1 E2",
        "take 1 at E1 or W1",
        "take 1 or 2 at E1",
        "take 1 2 at E1",
        "take 1 at E1 0",
        "take 1 red blue at E1",
        "take 1.5 at E1",
        "I will not take 1 at E1",
        "don't resign",
        "no refill",
        "take no 1 at E1",
        "resign? Never!",
        "resign?",
        "take 1 at E1?",
        "should I refill",
        "take 1 at E1" + " " * 300 + "or perhaps not",
        "1 at E1",
        "E1",
        "taken 1 at E1",
        "take 4 at E1",
        "take 0 at E1",
        "take -",
        "take 1 at ½",
        "take 1 at E99999999999999",
    ],
)
def test_a_line_that_is_not_exactly_one_move_is_refused(position: Position, line: str) -> None:
    assert position.to_move is not None
    with pytest.raises(CannotPlay):
        read_action(line, position, position.to_move)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "Your reply is empty. Write one line, for example: take 1 at E1"),
        ("good luck", "We don't understand “good luck”. Write one line, for example: take 1 at E1"),
        ("take 1", "Where? You can place the tile at E1, W1, S1 and N1."),
        ("take 1 at E2", "You can't place the tile at E2. You can place it at E1, W1, S1 and N1."),
        ("take 1 at 0", "You can't place the tile at 0. You can place it at E1, W1, S1 and N1."),
        ("take 1 at E1 W1", "“take 1 at E1 W1” has several cells. Write only one."),
        ("take 1 at E1, refill", "“take 1 at E1, refill” has several moves. Write only one."),
        ("don't resign", "We don't understand “don't resign”. Write one line, for example: take 1 at E1"),
        ("Never refill", "We don't understand “Never refill”. Write one line, for example: take 1 at E1"),
        (
            "or reply with: take 1",
            "We don't understand “or reply with: take 1”. Write one line, for example: take 1 at E1",
        ),
        ("refill", "You can refill when only one or two tiles are left on the wheel."),
        ("x" * 70, f"We don't understand “{'x' * 60}…”. Write one line, for example: take 1 at E1"),
    ],
)
def test_a_refusal_says_what_can_be_done_instead(position: Position, line: str, reason: str) -> None:
    assert position.to_move is not None
    with pytest.raises(CannotPlay) as error:
        read_action(line, position, position.to_move)
    assert error.value.reason == reason


@pytest.mark.parametrize("line", ["take at E1", "take 7 at E1", "take 1 turquoise 9 at E1"])
def test_a_tile_that_is_not_in_reach_is_refused_with_those_that_are(position: Position, line: str) -> None:
    assert position.to_move is not None
    tiles = [f"{n} ({tile.colour.word} {tile.cost})" for n, tile in enumerate(position.in_reach, 1)]
    with pytest.raises(CannotPlay) as error:
        read_action(line, position, position.to_move)
    assert error.value.reason.endswith(f"The next tiles are {tiles[0]}, {tiles[1]} and {tiles[2]}.")


def test_only_a_resignation_is_possible_on_another_turn(position: Position) -> None:
    other = 1 - (position.to_move or 0)
    with pytest.raises(CannotPlay, match=r"It is not your turn\."):
        read_action("take 1 at E1", position, other)
    assert read_action("Resign.", position, other) == Resign(other)

    after = position.apply(Resign(other)).position
    with pytest.raises(CannotPlay, match=r"This game is over\."):
        find_action(["hello"], after, 1 - other)


def test_an_empty_wheel_must_be_refilled_first() -> None:
    position = start(deal(2, SEED))
    while position.wheel.tile_count:
        position = position.apply(
            next(action for action in position.legal_actions if isinstance(action, Place))
        ).position
    seat = position.to_move
    assert seat is not None
    with pytest.raises(CannotPlay, match="Refill it before you take a tile"):
        read_action("take 1 at E1", position, seat)
    assert read_action("refill the wheel", position, seat) == Refill(seat)


@pytest.mark.parametrize(
    "lines",
    [
        ["take 1 at E1", "take 1 at E1"],
        ["take 1 at E1", "refill"],
        ["Hi", "take 1 at E1", "resign"],
        ["take 9 at E1", "take 1 at E1"],
        ["take 1 at E1", "No wait, take 2 at E1"],
        ["take 1 at E1", "Or rather take tile 2 at W1!"],
        ["take 1 at E1", "better: take red 3 at E1"],
        ["take 1 at E1", "Sorry, refill"],
        ["take 1 at E1", "I mean resign"],
    ],
)
def test_a_reply_with_several_moves_is_refused(position: Position, lines: list[str]) -> None:
    assert position.to_move is not None
    with pytest.raises(CannotPlay, match="Your reply has several moves: "):
        find_action(lines, position, position.to_move)


@pytest.mark.parametrize(
    "after", ["or should I?", "is what I will not do", "if you want", "Or do you think so?"]
)
def test_what_follows_can_take_back_a_resignation(position: Position, after: str) -> None:
    assert position.to_move is not None
    with pytest.raises(CannotPlay, match=r"We don't understand “resign "):
        find_action(["resign", after], position, position.to_move)


@pytest.mark.parametrize(
    "after",
    ["No, wait!", "wait", "Stop", "Cancel that, please", "Oops, wrong one", "undo", "no", "Scrap that"],
)
def test_what_follows_can_take_back_a_move(position: Position, after: str) -> None:
    assert position.to_move is not None
    with pytest.raises(CannotPlay, match=r"We don't understand “take 1 at E1 "):
        find_action(["take 1 at E1", after], position, position.to_move)


@pytest.mark.parametrize(
    "after",
    [
        "Your turn!",
        "How are you?",
        "No hurry :-)",
        "Nothing else to do here",
        "No, thanks for asking!",
        "Wait until Friday!",
        "Forget about Monday, we play again at 5",
        "We play cards on Friday",
        "Take care",
        "or so",
        "Waiting for you in Place 3",
    ],
)
def test_other_words_do_not_take_back_a_move(position: Position, after: str) -> None:
    assert position.to_move is not None
    action = find_action(["take 1 at E1", after], position, position.to_move)
    assert action == read_action("take 1 at E1", position, position.to_move)


@pytest.mark.parametrize(
    "line", ["take 1 at E1 thanks", "Take 1 at E1, thank you!", "I'll take 1 at E1", "My move: take 1 at E1"]
)
def test_polite_words_beside_a_move_are_small(position: Position, line: str) -> None:
    assert position.to_move is not None
    action = read_action(line, position, position.to_move)
    assert action == read_action("take 1 at E1", position, position.to_move)


@pytest.mark.parametrize("after", ["thanks for the game", "Well played!", "Ines", "sorry"])
def test_thanks_do_not_take_back_a_resignation(position: Position, after: str) -> None:
    assert position.to_move is not None
    assert find_action(["resign", after], position, position.to_move) == Resign(position.to_move)


@pytest.mark.parametrize("type_it", [str, *WAYS_TO_TYPE])
def test_every_wish_of_a_plan_can_be_read(position: Position, type_it: Callable[[str], str]) -> None:
    display = position.displays[1]
    wishes = [
        Place(-1, tile.code, *cell)
        for tile, cell in zip(tiles_ahead(position), [*display.free_cells] * 4, strict=False)
    ][:4]
    moves = [
        type_it(f"take {number} at {Cell(wish.x, wish.y).name}") for number, wish in enumerate(wishes, 1)
    ]
    lines = [
        f"Plan: {moves[0]}; or {moves[1]} else {moves[2]}",
        f"ELSE {moves[3]}; else refill",
        "else ask me",
    ]
    assert plan_lines(["Hello!", *lines, "Ines", "take 2"]) == lines
    reply = read_plan(lines, position, display)
    assert (reply.request, reply.wishes) == (PlanRequest.MAKE, (*wishes, Refill(-1)))
    assert not reply.outlasts_reveals
    assert read_plan([f"plan {moves[0]}, even after the refill"], position, display).outlasts_reveals


@pytest.mark.parametrize(
    "line", ["Plan B: I am away", "I have no plan for tomorrow", "My plan failed", "take 2"]
)
def test_a_line_that_is_not_about_a_plan_is_none(line: str) -> None:
    assert plan_lines([line]) == []
