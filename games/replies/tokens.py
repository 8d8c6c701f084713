"""Signed tokens in the addresses that emails are answered to, and in links.

The token of a turn says who may act, in which game, on which seat and as which number of the log. It needs no
expiry: when the game has moved on, the log already has an action of that number.
The token of an invitation has a fingerprint of the person who is invited in the place of a user; older ones
have the user's id, or 0 for an address. The token of a person has only the user.

The first half of a signature shows that the site has signed the token. The second half also covers a mark of
the rows that it names, because ids are given out again after a backup was restored. Both halves of tokens
without a mark, such as those from before there were marks, cover the same.
"""

import base64
import re
from collections.abc import Callable, Collection
from enum import StrEnum
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_TOKEN = re.compile(r"([0-9a-z]{1,13})-([0-9a-z]{1,13})-([0-9a-z])-([0-9a-z]{1,6})-([2-7a-z]{20})")
# 50 bits each. With the largest numbers that the database can store, "reply+" and a token have 63 of the 64
# characters that mail servers accept before the @.
_HALF = 10


class Purpose(StrEnum):
    """What a token may be used for. A token of one purpose is not valid for another."""

    REPLY = "games.replies.tokens.reply"
    MOVE = "games.replies.tokens.move"
    INVITATION = "games.replies.tokens.invitation"
    # It allows nothing: it says who gets the answer to a reply that belongs to no turn.
    PERSON = "games.replies.tokens.person"


class Turn(NamedTuple):
    """Who may act: the ids of a user and a game, the seat, and the number that the action gets in the log."""

    user: int
    game: int
    seat: int
    number: int


def turn_token(purpose: Purpose, turn: Turn, mark: str = "") -> str:
    """Return the token of a turn: small letters, digits and "-", because mail servers may change case."""
    return _signed(purpose, turn, mark, settings.SECRET_KEY)


def read_token(
    purpose: Purpose, token: str, marks_of: Callable[[Turn], Collection[str]] = lambda turn: ("",)
) -> Turn | None:
    """Return the turn of a token, in upper or lower case; None if it was not signed for this purpose.

    `marks_of` returns the marks of which the token may have one. It is called only for tokens of this site.
    """
    turn = _signed_turn(purpose, token)
    if turn is None:
        return None
    signed = (_signed(purpose, turn, mark, key) for mark in marks_of(turn) for key in _keys())
    return turn if any(constant_time_compare(token.strip().lower(), one) for one in signed) else None


def reply_address(mailbox: str, turn: Turn, purpose: Purpose = Purpose.REPLY, mark: str = "") -> str:
    """Return the address of a turn: the address of the site's mailbox, with the token after a "+"."""
    name, _at, domain = mailbox.rpartition("@")
    return f"{name}+{turn_token(purpose, turn, mark)}@{domain}"


def is_reply_address(address: str) -> bool:
    """Return whether an address has a token that this site has signed for replies, whatever its mark is."""
    token = token_of_address(address)
    return any(_signed_turn(purpose, token) for purpose in Purpose if purpose is not Purpose.MOVE)


def token_of_address(address: str) -> str:
    """Return what the part of an address before the @ has after its first "+"; empty if it has none."""
    return address.rpartition("@")[0].partition("+")[2]


def fingerprint(person: str) -> int:
    """Return a number of 63 bits that stands for a person, such as an address, and that nobody can forge."""
    return _fingerprint(person, settings.SECRET_KEY)


def is_fingerprint_of(number: int, person: str) -> bool:
    """Return whether a number is the fingerprint of a person, also with a key that was replaced."""
    return any(number == _fingerprint(person, key) for key in _keys())


def _keys() -> tuple[str | bytes, ...]:
    return (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


def _fingerprint(person: str, key: str | bytes) -> int:
    digest = salted_hmac("games.replies.tokens.fingerprint", person, secret=key, algorithm="sha256").digest()
    return int.from_bytes(digest[:8], "big") >> 1


def _signed_turn(purpose: Purpose, token: str) -> Turn | None:
    """Return the turn of a token whose signature has the first half that it must have."""
    token = token.strip().lower()
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    turn = Turn(*(int(digits, 36) for digits in match.groups()[:4]))
    own, half = token[:-_HALF], slice(None, -_HALF)
    signed = (_signed(purpose, turn, "", key)[half] for key in _keys())
    return turn if any(constant_time_compare(own, one) for one in signed) else None


def _signed(purpose: Purpose, turn: Turn, mark: str, key: str | bytes) -> str:
    value = "-".join(_base36(number) for number in turn)
    first, second = _digest(purpose, value, key), _digest(purpose, f"{value} {mark}".rstrip(), key)
    return f"{value}-{first[:_HALF]}{second[_HALF:]}"


def _digest(purpose: Purpose, value: str, key: str | bytes) -> str:
    digest = salted_hmac(purpose, value, secret=key, algorithm="sha256").digest()
    return base64.b32encode(digest).decode().lower()[: 2 * _HALF]


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
