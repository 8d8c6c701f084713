"""Lines of a title that has only rules and words."""

import pytest

from games.shown.plain.pages import PlainPages
from games.titles.actions import Resign
from games.titles.lines import CannotPlay
from games.titles.people import Person
from games.titles.rules import Setup
from games.titles.view import GameView
from tests.titles.pairs.rules import Choose, PairsPosition, PairsRules
from tests.titles.pairs.words import PairsWords

rules = PairsRules()
pages = PlainPages(rules, PairsWords())
NAMES = ("Ines", "Tobias", "Halley", "Mina")
DEALT = {"hands": [[1, 2, 3], [4, 4, 5], [1, 6, 7], [2, 6, 7]], "bonuses": [5, 2, 1]}


def start() -> PairsPosition:
    return rules.start(Setup(4, {"rounds": 3}, DEALT), 1)


def seen(position: PairsPosition) -> GameView:
    people = tuple(Person(seat, name, is_you=seat == 0) for seat, name in enumerate(NAMES))
    return GameView(start=position, steps=(), people=people)


def reason_of(*lines: str, position: PairsPosition | None = None) -> str:
    with pytest.raises(CannotPlay) as caught:
        pages.find_action(lines, seen(position or start()))
    return caught.value.reason


@pytest.mark.parametrize(
    "line",
    ["choose 2", "Choose the 2, please!", "CHOOSE 2", "“choose 2”", "2", "I choose 2.", "Choose 2, sorry!"],
)
def test_a_line_is_read_with_small_words_and_quotes(line: str) -> None:
    assert pages.read_action(line, start(), 0) == Choose(0, 2)


def test_a_reply_names_one_action_and_may_say_anything_else() -> None:
    lines = ["Hello Ines!", "choose 3", "Have a nice week, and choose well."]
    assert pages.find_action(lines, seen(start())) == Choose(0, 3)
    assert pages.find_action(["resign", "Thank you."], seen(start())) == Resign(0)
    assert "several moves" in reason_of("choose 1", "choose 2")
    assert "several moves" in reason_of("choose 1", "No wait, choose 2")
    assert "We don't understand" in reason_of("choose 1", "no, wait")
    assert "We don't understand" in reason_of("resign", "or should I?")


def test_an_answer_says_what_is_possible() -> None:
    possible = "is not possible now. Write one of these: choose 1, choose 2, choose 3."
    assert reason_of("choose 7") == reason_of("Hello", "choose 7") == f"“choose 7” {possible}"
    assert reason_of("choose") == f"“choose” {possible}"
    assert reason_of("") == "Your reply is empty. Write one line, for example: choose 1"
    assert reason_of("choose 2?") == "We don't understand “choose 2?”. Write one line, for example: choose 1"
    assert reason_of("r") == "We don't understand “r”. Write one line, for example: choose 1"


def test_a_line_that_only_begins_like_an_action_is_not_understood() -> None:
    for line in ("choose whatever you like best", "Choose well, my friend", "2 or 3, what do you think"):
        assert reason_of(line) == f"We don't understand “{line}”. Write one line, for example: choose 1"


def test_who_is_not_awaited_can_only_resign() -> None:
    position = start().apply(Choose(0, 2)).position
    assert reason_of("choose 3", position=position) == "It is not your turn."
    assert pages.read_action("Resign", position, 0) == Resign(0)
    over = position.apply(Resign(1)).position
    assert reason_of("choose 3", position=over) == "This game is over."
