"""The keys of games, seats that are offered, and duplicate matches, which are in their addresses."""

import secrets

KEY_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"


def new_key() -> str:
    """Return a random key, too long to guess, because everybody who knows it may watch the game."""
    return "".join(secrets.choice(KEY_ALPHABET) for _i in range(12))
