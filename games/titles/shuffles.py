"""Shuffles that everybody can repeat from their seed."""

import hmac
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TypeVar

Item = TypeVar("Item")

WORDS = 2**256  # how many numbers a HMAC-SHA-256 can be


def shuffled(items: Sequence[Item], seed: bytes) -> list[Item]:
    """Return the items in an order that depends on the seed only; all orders are equally likely.

    It is the shuffle of Fisher and Yates as Durstenfeld wrote it down (Algorithm 235, 1964): from the last
    item to the second, each is swapped with one at or before it.

    >>> shuffled("ABCDE", b"moon")
    ['E', 'B', 'A', 'C', 'D']
    """
    order, words = list(items), _words(seed)
    for last in range(len(order) - 1, 0, -1):
        chosen = _below(last + 1, words)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def _words(seed: bytes) -> Iterator[int]:
    """Yield HMAC-SHA-256 of 0, 1, 2 … in eight bytes each, keyed by the seed, as big-endian numbers."""
    for number in count():
        yield int.from_bytes(hmac.digest(seed, number.to_bytes(8, "big"), "sha256"), "big")


def _below(limit: int, words: Iterator[int]) -> int:
    """Return a number from 0 to `limit` - 1; words that would make some numbers more likely are skipped."""
    fair = WORDS - WORDS % limit
    return next(word for word in words if word < fair) % limit
