"""Signed tokens in the addresses that emails are answered to, and in links.

The token of a turn says who may act, in which game, on which seat and as which number of the log. It needs no
expiry: when the game has moved on, the log already has an action of that number.
The token of an invitation has a fingerprint of the person who is invited in the place of a user; older ones
have the user's id, or 0 for an address. The token of a person has only the user.
"""

import base64
import re
from enum import StrEnum
from typing import NamedTuple

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_TOKEN = re.compile(r"([0-9a-z]{1,13})-([0-9a-z]{1,13})-([0-9a-z])-([0-9a-z]{1,6})-([2-7a-z]{20})")
# 100 bits. With the largest numbers that the database can store, "reply+" and a token have 63 of the 64
# characters that mail servers accept before the @.
_SIGNATURE_LENGTH = 20


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


def turn_token(purpose: Purpose, turn: Turn) -> str:
    """Return the token of a turn: small letters, digits and "-", because mail servers may change case."""
    return _signed(purpose, turn, settings.SECRET_KEY)


def read_token(purpose: Purpose, token: str) -> Turn | None:
    """Return the turn of a token, in upper or lower case; None if it was not signed for this purpose."""
    token = token.strip().lower()
    match = _TOKEN.fullmatch(token)
    if match is None:
        return None
    turn = Turn(*(int(digits, 36) for digits in match.groups()[:4]))
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return turn if any(constant_time_compare(token, _signed(purpose, turn, key)) for key in keys) else None


def reply_address(mailbox: str, turn: Turn, purpose: Purpose = Purpose.REPLY) -> str:
    """Return the address of a turn: the address of the site's mailbox, with the token after a "+"."""
    name, _at, domain = mailbox.rpartition("@")
    return f"{name}+{turn_token(purpose, turn)}@{domain}"


def is_reply_address(address: str) -> bool:
    """Return whether an address has a token that was signed for replies."""
    token = token_of_address(address)
    return any(read_token(purpose, token) for purpose in Purpose if purpose is not Purpose.MOVE)


def token_of_address(address: str) -> str:
    """Return what the part of an address before the @ has after its first "+"; empty if it has none."""
    return address.rpartition("@")[0].partition("+")[2]


def fingerprint(person: str) -> int:
    """Return a number of 63 bits that stands for a person, such as an address, and that nobody can forge."""
    return _fingerprint(person, settings.SECRET_KEY)


def is_fingerprint_of(number: int, person: str) -> bool:
    """Return whether a number is the fingerprint of a person, also with a key that was replaced."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(number == _fingerprint(person, key) for key in keys)


def _fingerprint(person: str, key: str | bytes) -> int:
    digest = salted_hmac("games.replies.tokens.fingerprint", person, secret=key, algorithm="sha256").digest()
    return int.from_bytes(digest[:8], "big") >> 1


def _signed(purpose: Purpose, turn: Turn, key: str | bytes) -> str:
    value = "-".join(_base36(number) for number in turn)
    digest = salted_hmac(purpose, value, secret=key, algorithm="sha256").digest()
    return f"{value}-{base64.b32encode(digest).decode().lower()[:_SIGNATURE_LENGTH]}"


def _base36(number: int) -> str:
    digits = ""
    while number or not digits:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits
