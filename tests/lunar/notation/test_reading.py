"""Replies as people write them: the action that they mean, or an answer that helps."""

import pytest

from games.lunar.engine import Flip, Pass, Play, Position, Source, Suit
from games.lunar.notation.reading import find_action, read_action, split
from games.lunar.notation.writing import write_action, write_cards
from games.titles.actions import Resign
from games.titles.lines import CannotPlay
from tests.lunar.notation.positions import four, passes_by, played, random_positions, two

FLIPS = (
    {"seat": 0, "do": "flip", "suit": "B"},
    {"seat": 1, "do": "flip", "suit": "L"},
    {"seat": 2, "do": "flip", "suit": "O"},
)
FLIPS_OF_TWO = tuple({**flip, "seat": number % 2} for number, flip in enumerate(FLIPS))


def trump() -> Position:
    return four(*passes_by(0, 1, 2, 3))


def tricks() -> Position:
    """Return the first trick; seat 0 has 3 4 4 5 7 8, owl owl owl owl* lynx bat."""
    return played(trump(), *FLIPS)


def sky() -> Position:
    return two(*FLIPS_OF_TWO)


def as_json(action: object) -> str:
    match action:
        case Pass(_, cards):
            return " ".join(cards)
        case Flip(_, suit):
            return f"flip {suit}"
        case Play(_, card, None):
            return str(card)
        case Play(_, card, source):
            return f"{source} {card}"
    return "resign"


def reason_of(*lines: str, position: Position, seat: int = 0) -> str:
    with pytest.raises(CannotPlay) as caught:
        find_action(lines, position, seat)
    return caught.value.reason


@pytest.mark.parametrize(
    ("line", "cards"),
    [
        ("pass 2 7 owl wolf*", "2 7 W* O"),
        ("Pass 2, 7, owl, wolf*.", "2 7 W* O"),
        ("I pass the 2, the 7, an owl and the wolf with a star, please.", "2 7 W* O"),
        ("I'll pass the 2, 7, an owl and the starred wolf", "2 7 W* O"),
        ("Give 2 7 O W*", "2 7 W* O"),
        ("2 7 o w", "2 7 W O"),
        ("pass 27 owl lynx", "2 7 O L"),
        ("pass seven, eight, owl, owl", "7 8 O O"),
        ("PASS 1 2 WOLF WOLF", "1 2 W W*"),  # the second wolf of the hand has a star
        ("pass 1 2 wolf star wolf", "1 2 W W*"),
        ("pass 1 2 wolf ★ bat", "1 2 W* B"),
        ("pass 1 2 bat *wolf", "1 2 W* B"),
        ("“pass 1 2 lynx bat”", "1 2 L B"),
        ("bat, lynx, 8 and 1", "1 8 L B"),
    ],
)
def test_a_pass_is_read_as_people_write_it(line: str, cards: str) -> None:
    action = find_action(["Hello!", line, "Best wishes, Wolf"], four(), 0)
    assert as_json(action) == cards


@pytest.mark.parametrize(
    ("line", "suit"),
    [
        ("flip bat", "B"),
        ("Turn the owl face down.", "O"),
        ("turn down the lynx tile", "L"),
        ("bat", "B"),
        ("w", "W"),
        ("flip wolves", "W"),
    ],
)
def test_a_tile_is_read_as_people_write_it(line: str, suit: str) -> None:
    assert find_action([line], trump(), 0) == Flip(0, Suit(suit))


@pytest.mark.parametrize(
    ("line", "card"),
    [
        ("play 7", "7"),
        ("7", "7"),
        ("I play my seven.", "7"),
        ("Lead the 8, please!", "8"),
        ("owl", "O"),
        ("play owl*", "O*"),
        ("play the owl with the star", "O*"),
        ("put the lynx", "L"),
        ("follow with an owl", "O"),
        ("b", "B"),
    ],
)
def test_a_card_is_read_as_people_write_it(line: str, card: str) -> None:
    assert as_json(find_action(["Hi all", line, "Thank you!"], tricks(), 0)) == card


@pytest.mark.parametrize(
    ("line", "play"),
    [
        ("sky owl", "sky O"),
        ("the owl from the sky", "sky O"),
        ("play owl from sky", "sky O"),
        ("play owl", "hand O"),
        ("owl from my hand", "hand O"),
        ("play bat*", "sky B*"),  # only the sky has it
        ("sky bat", "sky B*"),
        ("play 7", "hand 7"),
        ("sky 7", "sky 7"),
    ],
)
def test_the_sky_and_the_hand_are_told_apart(line: str, play: str) -> None:
    assert as_json(find_action([line], sky(), 0)) == play


def test_resigning_is_possible_in_the_turn_of_others_too() -> None:
    assert read_action("Resign.", tricks(), 3) == Resign(3)
    assert reason_of("play 7", position=tricks(), seat=3) == "It is not your turn."
    over = played(tricks(), {"seat": 1, "do": "resign"})
    assert reason_of("play 7", position=over) == "This game is over."


@pytest.mark.parametrize("line", ["resign 7", "2 resign", "resign owl", "resign?"])
def test_a_resignation_that_names_a_card_is_asked_back(line: str) -> None:
    assert line in reason_of(line, position=tricks())


def test_near_misses_are_asked_back() -> None:
    assert reason_of("play wolv", position=tricks()) == "We don't understand “play wolv”. Did you mean wolf?"
    assert reason_of("flipp bat", position=trump()) == "We don't understand “flipp bat”. Did you mean flip?"
    assert "for example: flip wolf" in reason_of("hello", position=trump())
    assert reason_of("", position=tricks()).startswith("Your reply is empty.")
    assert "We don't understand" in reason_of("play 7?", position=tricks())


def test_answers_about_a_pass_say_what_is_missing() -> None:
    hand = "Your hand: 1 2 3 5 7 8 wolf wolf* owl owl lynx bat"
    assert reason_of("pass 2 4 owl wolf", position=four()) == f"You don't have 4. {hand}"
    assert reason_of("pass 7 7 owl bat*", position=four()) == f"You don't have 7 and bat*. {hand}"
    for line in ("pass 2 7 owl", "pass 2 7 8 owl wolf", "pass", "pass 2 7 owl wolf bat"):
        assert "A pass has two ranks and two suits" in reason_of(line, position=four())


def test_answers_about_a_tile_say_which_are_face_up() -> None:
    after = played(trump(), FLIPS[0])
    assert reason_of("flip bat", position=after, seat=1) == (
        "The bat is face down already: wolf, owl and lynx are face up."
    )
    assert "Write the animal of one tile" in reason_of("flip wolf owl", position=after, seat=1)


def test_answers_about_a_card_say_why_and_what_is_possible() -> None:
    led = played(tricks(), {"seat": 0, "do": "play", "card": "O"})
    assert reason_of("play lynx*", position=led, seat=1) == (
        "“play lynx*” is not possible now. Owl was led, and you have one, so you can't play another suit. "
        "Write one of these: "
        "play 2, play 3, play 6, play owl."
    )
    second = played(led, {"seat": 1, "do": "play", "card": "2"})
    why = "Your partner has played a suit, so you must play a rank."
    assert why in reason_of("play wolf", position=second, seat=2), "also where the lead suit was not followed"
    assert reason_of("play wolf", position=tricks()).startswith("There is no wolf to play.")
    assert reason_of("play 3 4", position=tricks()).startswith("Write one card.")
    assert reason_of("play", position=tricks()).startswith("Which card?")


def test_answers_say_what_the_round_is_about() -> None:
    assert "Now everybody passes two ranks and two suits." in reason_of("play 7", position=four())
    assert "Now a trump tile is turned face down." in reason_of("sky 7", position=trump())
    assert "Now you play a card." in reason_of("flip owl", position=tricks())


def test_doubt_plays_nothing() -> None:
    assert "several moves" in reason_of("play 7", "No wait, play 8", position=tricks())
    assert "We don't understand" in reason_of("play 7", "no, wait", position=tricks())
    assert "several moves" in reason_of("play 7 flip owl", position=tricks())


@pytest.mark.parametrize(
    "line", ["no 7", "No, 7", "sorry 7", "or 7", "I mean 7", "oops, 7", "rather the owl"]
)
@pytest.mark.parametrize("action", ["play 8", "8"])
def test_a_correction_without_a_verb_plays_nothing(action: str, line: str) -> None:
    assert "several moves" in reason_of(action, line, position=tricks())


def test_a_line_after_a_card_is_a_correction_only_if_it_says_so() -> None:
    for line in ("See you at 8", "Best, Wolf", "I can play until 5"):
        assert find_action(["7", line], tricks(), 0) == find_action(["7"], tricks(), 0)


def test_the_name_of_a_person_plays_no_card() -> None:
    assert reason_of("Thanks!", "Wolf", position=trump()).startswith("We don't understand “Thanks!”.")
    assert find_action(["Hi", "7"], tricks(), 0) == find_action(["7", "Wolf"], tricks(), 0)


def test_a_reply_has_several_actions_in_order() -> None:
    assert split(["Hello!", "pass 2 7 owl wolf*; flip bat", "play 7", "Wolf"]) == [
        ["Hello!", "pass 2 7 owl wolf*"],
        ["flip bat"],
        ["play 7", "Wolf"],
    ]
    assert split(["flip bat, then play 7"]) == [["flip bat"], ["play 7"]]
    assert split(["play 7; then owl"]) == [["play 7; then owl"]], "nothing is between"
    assert split(["play 7, then owl"]) == [["play 7"], ["owl"]]
    assert split(["7, then owl"]) == [["7, then owl"]]
    assert split(["pass 2, 7, owl, wolf*"]) == [["pass 2, 7, owl, wolf*"]]
    assert split(["play 7", "resign"]) == [["play 7", "resign"]]
    assert split(["7", "owl"]) == [["7", "owl"]], "the owl can be a name"
    assert split(["play 7", "owl", "8"]) == [["play 7"], ["owl"], ["8"]]
    assert split(["Hi", "7", "8", "Wolf"]) == [["Hi", "7"], ["8", "Wolf"]]


@pytest.mark.parametrize("seats", [2, 4])
def test_every_legal_action_is_read_as_it_is_written(seats: int) -> None:
    for position in random_positions(seats, seed=seats):
        for seat in position.awaited:
            lines = {write_action(action): action for action in position.legal(seat)}
            assert len(lines) == len(position.legal(seat))
            for line, action in [*lines.items()][:40]:
                assert find_action([line, "Thank you."], position, seat) == action


def test_an_answer_about_a_card_from_the_wrong_place_names_the_right_one() -> None:
    found = set()
    for position in random_positions(2, seed=1):
        seat = min(position.awaited)
        own = next((one for one in position.trick if one.seat == seat), None)
        if own is None or own.source is not Source.HAND:
            continue
        kept = [card for card in position.hands[seat] if card.kind is not own.card.kind]
        for card in kept[:1]:
            reason = reason_of(f"play {write_cards([card])}", position=position, seat=seat)
            found.add(reason.split(". ")[1])
    assert found == {"Your first card came from your hand, so the second must come from the sky"}
