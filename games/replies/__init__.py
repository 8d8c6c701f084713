"""Replies to emails: what their sender wrote, and the signed tokens of reply addresses and move links.

A reply is read without the database and without the game. The title of the game reads its lines as an action.
"""

from games.replies.answers import read_answer
from games.replies.automatic import Ignored, WhyIgnored
from games.replies.reading import Reply, Unreadable, read_reply
from games.replies.tokens import (
    Purpose,
    Turn,
    fingerprint,
    is_fingerprint_of,
    is_reply_address,
    read_token,
    reply_address,
    token_of_address,
    turn_token,
)

__all__ = [
    "Ignored",
    "Purpose",
    "Reply",
    "Turn",
    "Unreadable",
    "WhyIgnored",
    "fingerprint",
    "is_fingerprint_of",
    "is_reply_address",
    "read_answer",
    "read_reply",
    "read_token",
    "reply_address",
    "token_of_address",
    "turn_token",
]
