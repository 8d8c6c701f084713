"""Tokens of turns: valid for one person, seat, number and purpose, in any case, and short enough."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import Settings

from games.replies import (
    Purpose,
    Turn,
    is_reply_address,
    read_token,
    reply_address,
    token_of_address,
    turn_token,
)

TURN = Turn(user=1234, game=987654, seat=2, number=41)
purposes = pytest.mark.parametrize("purpose", Purpose)


@given(
    st.sampled_from(Purpose),
    st.builds(
        Turn,
        user=st.integers(1, 2**63 - 1),
        game=st.integers(1, 2**63 - 1),
        seat=st.integers(0, 3),
        number=st.integers(1, 2**31 - 1),
    ),
)
def test_a_token_is_read_as_its_turn_in_upper_and_lower_case(purpose: Purpose, turn: Turn) -> None:
    token = turn_token(purpose, turn)
    assert read_token(purpose, token) == turn
    assert read_token(purpose, token.upper()) == turn
    assert read_token(purpose, f" {token}\n") == turn


def test_the_longest_address_is_short_enough_for_mail_servers() -> None:
    address = reply_address("reply@play.example.org", Turn(2**63 - 1, 2**63 - 1, 3, 2**31 - 1))
    name, domain = address.split("@")
    assert domain == "play.example.org"
    assert len(name) <= 64
    assert re.fullmatch(r"reply\+[a-z0-9-]+", name)


def test_the_token_of_an_address_is_read_in_upper_case() -> None:
    address = reply_address("reply@play.example.org", TURN)
    assert read_token(Purpose.REPLY, token_of_address(address)) == TURN
    assert read_token(Purpose.REPLY, token_of_address(address.upper())) == TURN


@pytest.mark.parametrize(
    "address", ["", "reply", "reply@play.example.org", "reply+@play.example.org", "+", "@"]
)
def test_an_address_without_a_token_has_no_turn(address: str) -> None:
    assert read_token(Purpose.REPLY, token_of_address(address)) is None


def test_a_token_of_one_purpose_is_not_valid_for_another() -> None:
    assert read_token(Purpose.MOVE, turn_token(Purpose.REPLY, TURN)) is None
    assert read_token(Purpose.REPLY, turn_token(Purpose.MOVE, TURN)) is None


@purposes
@pytest.mark.parametrize(
    "other",
    [TURN._replace(user=1235), TURN._replace(game=1), TURN._replace(seat=1), TURN._replace(number=42)],
)
def test_a_signature_is_not_valid_for_another_turn(purpose: Purpose, other: Turn) -> None:
    signature = turn_token(purpose, TURN).rpartition("-")[2]
    forged = turn_token(purpose, other).rpartition("-")[0] + "-" + signature
    assert read_token(purpose, forged) is None


@purposes
def test_a_token_with_one_character_changed_is_not_valid(purpose: Purpose) -> None:
    token = turn_token(purpose, TURN)
    for at, character in enumerate(token):
        for other in "a2-":
            if other != character:
                assert read_token(purpose, token[:at] + other + token[at + 1 :]) is None


@pytest.mark.parametrize(
    "token", ["", "-", "----", "0-0-0-0-", "x" * 10_000, "ı-1-1-1-" + "a" * 20, "１-1-1-1-" + "a" * 20, "\0"]
)
def test_a_text_that_is_no_token_has_no_turn(token: str) -> None:
    assert read_token(Purpose.REPLY, token) is None


def test_a_number_has_only_one_token() -> None:
    token = turn_token(Purpose.REPLY, TURN)
    assert read_token(Purpose.REPLY, f"0{token}") is None


def test_a_token_stays_valid_while_the_secret_key_is_replaced(settings: Settings) -> None:
    token, old = turn_token(Purpose.REPLY, TURN), settings.SECRET_KEY
    settings.SECRET_KEY = "another"
    assert read_token(Purpose.REPLY, token) is None
    settings.SECRET_KEY_FALLBACKS = [old]
    assert read_token(Purpose.REPLY, token) == TURN


@purposes
def test_a_token_with_a_mark_is_valid_for_this_mark_alone(purpose: Purpose) -> None:
    token = turn_token(purpose, TURN, "moon")
    assert read_token(purpose, token, lambda turn: ["sun", "moon"]) == TURN
    assert read_token(purpose, token, lambda turn: ["sun"]) is None
    assert read_token(purpose, token, lambda turn: []) is None
    assert read_token(purpose, token) is None
    assert read_token(purpose, turn_token(purpose, TURN), lambda turn: ["moon"]) is None
    assert len(token) == len(turn_token(purpose, TURN))


def test_an_address_with_a_mark_is_known_as_signed_without_the_database() -> None:
    address = reply_address("reply@play.example.org", TURN, mark="moon")
    assert is_reply_address(address.upper())
    assert not is_reply_address(address.replace("-15-", "-16-")), "of another action"
