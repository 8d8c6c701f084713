"""Reads what a line says, whatever the position is: a verb, cards, and where a card comes from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from difflib import get_close_matches
from typing import NamedTuple

from games.lunar.engine import RANKS, Card, Source, Suit
from games.lunar.engine.cards import MARK
from games.lunar.notation.writing import FLIP, PASS, PLAY, RESIGN
from games.lunar.words import SUIT_KEYS, suit_word

# Many words for one thing, because people write what they would say at a table.
_VERBS = {
    **dict.fromkeys(("pass", "give"), PASS),
    **dict.fromkeys(("flip", "turn", "remove", "discard"), FLIP),
    **dict.fromkeys(("play", "lead", "put", "throw", "lay", "follow"), PLAY),
    "resign": RESIGN,
}
_SUITS = {
    **{key: suit for suit, key in SUIT_KEYS.items()},
    **{f"{key}s": suit for suit, key in SUIT_KEYS.items()},
    "wolves": Suit.WOLF,
    "lynxes": Suit.LYNX,
}
_LETTERS = {str(suit).lower(): suit for suit in Suit}
_STARS = {MARK, "★", "⭐", "☆", "star"}
_STARRED = re.compile(r"(?:\bstarred\s+|(?<!\w)[*★⭐☆])(\w+)")
# "One" is too often no rank: "play the small one".
_NUMBERS = dict(zip(("two", "three", "four", "five", "six", "seven", "eight"), RANKS[1:], strict=True))
_SMALL_WORDS = {
    *(
        "a",
        "an",
        "and",
        "at",
        "card",
        "cards",
        "down",
        "face",
        "for",
        "from",
        "i",
        "in",
        "it",
        "its",
        "ll",
        "me",
    ),
    *("move", "my", "of", "on", "partner", "please", "rank", "ranks", "suit", "suits", "thank", "thanks"),
    *("that", "the", "them", "this", "tile", "to", "trump", "will", "with", "you"),
}
_TOKEN = re.compile(r"[^\W\d_]+|[0-9]+|[*★⭐☆]")
_LONGEST = 200


class Said(NamedTuple):
    """What a line says. `unknown` are the words that mean nothing here."""

    verb: str = ""
    cards: tuple[Card, ...] = ()
    source: Source | None = None
    unknown: tuple[str, ...] = ()
    several: bool = False  # whether it has more than one verb

    @property
    def is_action(self) -> bool:
        """Whether the line is meant as an action, unlike "Play well"."""
        named = bool(self.cards) != (self.verb == RESIGN)
        return bool(self.verb or self.source) and named and not self.unknown

    @property
    def is_cards(self) -> bool:
        """Whether the line has nothing but cards, such as "7" or "owl*"."""
        return bool(self.cards) and not (self.verb or self.source or self.unknown)


def parse(line: str) -> Said:
    """Return what a line says.

    >>> parse("Pass the 2, 7, an owl and the wolf with a star, please.").cards
    ('2', '7', 'O', 'W*')
    >>> parse("sky O"), parse("play wolv").unknown
    (Said(verb='', cards=('O',), source=<Source.SKY: 'sky'>, unknown=(), several=False), ('wolv',))
    """
    said = Said()
    for token in _tokens(line):
        said = _with_token(said, token)
    return said


def near_misses(said: Said) -> list[str]:
    """Return words that the unknown ones may be, such as "wolf" for "wolv"."""
    words = [*SUIT_KEYS.values(), PASS, FLIP, PLAY, Source.SKY, RESIGN]
    found = (get_close_matches(word, words, n=1, cutoff=0.7) for word in said.unknown)
    return [match for matches in found for match in matches]


def _with_token(said: Said, token: str) -> Said:
    if token in {*Source}:
        return said._replace(source=Source(token))
    if token in _VERBS:
        return said._replace(verb=said.verb or _VERBS[token], several=bool(said.verb) or said.several)
    if token in _STARS and said.cards:
        *cards, last = said.cards
        return said._replace(cards=(*cards, Card(last[0] + MARK)))
    if (suit := _suit(token)) is not None:
        return said._replace(cards=(*said.cards, Card(suit)))
    digits = _NUMBERS.get(token, token)
    if all(digit in RANKS for digit in digits):
        return said._replace(cards=(*said.cards, *map(Card, digits)))
    return said if token in _SMALL_WORDS else said._replace(unknown=(*said.unknown, token))


def _suit(token: str) -> Suit | None:
    """Return the suit with a name or a letter, or with the name that the reader's language has for it."""
    own = {suit_word(suit).lower(): suit for suit in Suit}
    return _SUITS.get(token) or _LETTERS.get(token) or own.get(token)


def _tokens(line: str) -> Iterator[str]:
    if len(line) <= _LONGEST:
        text = unicodedata.normalize("NFKC", line).lower()
        yield from _TOKEN.findall(_STARRED.sub(rf"\1{MARK}", text))
