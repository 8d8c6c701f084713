"""Reads the lines that `Words.write_action` writes, in upper or lower case and with small words."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from django.utils.translation import gettext as _

from games.shown.plain.words import AnyWords
from games.shown.reading import find_line, not_understood, quote, tokens_of
from games.titles.actions import Resign
from games.titles.lines import CannotPlay
from games.titles.rules import AnyPosition

RESIGN = "resign"
EXAMPLES = 8  # actions that an answer lists

_SMALL_WORDS = {
    *("a", "and", "at", "for", "i", "in", "it", "ll", "move", "my", "of", "on", "please"),
    *("sorry", "thank", "thanks", "the", "then", "to", "will", "with", "you"),
}


def write(action: Any, words: AnyWords) -> str:
    """Return an action as a line."""
    return RESIGN if isinstance(action, Resign) else words.write_action(action)


def find(lines: Sequence[str], words: AnyWords, position: AnyPosition, seat: int) -> Any:
    """Return the action that one of the lines of a reply names; the others may say anything.

    Raises CannotPlay if no line is an action, if several are, or if it is not legal.
    """
    known = _by_tokens(words, position, seat)
    verbs = {tokens[0] for tokens in known if tokens} | _verbs(words)

    def is_move(line: str) -> bool:
        return _tokens(line) in known

    def names_move(line: str) -> bool:
        tokens = _tokens(line)
        return any(tokens[start:] in known for start in range(1, len(tokens)))

    found = find_line(lines, is_move, names_move)
    if not is_move(found.line):
        # "Hello!" may be above an action that is not legal.
        line = next((line for line in lines if next(iter(_tokens(line)), None) in verbs), found.line)
        return read(line, words, position, seat)
    action = read(found.line, words, position, seat)
    if found.is_taken_back(resigns=isinstance(action, Resign)):
        raise found.not_understood(_example(words, position, seat))
    return action


def read(line: str, words: AnyWords, position: AnyPosition, seat: int) -> Any:
    """Return the action of a seat that a line names. Raises CannotPlay.

    A part of an action is enough if it fits only one: "5" for "choose 5".
    """
    if position.ending is not None:
        raise CannotPlay(_("This game is over."))
    tokens = _tokens(line)
    known = _by_tokens(words, position, seat)
    if seat not in position.awaited and tokens not in known:
        raise CannotPlay(_("It is not your turn."))
    if "?" in line or not tokens:
        raise not_understood(line, _example(words, position, seat))
    if tokens in known:
        return known[tokens]
    fitting = [action for each, action in known.items() if _is_part(tokens, each)]
    if len(fitting) == 1 and not isinstance(fitting[0], Resign):
        return fitting[0]
    if tokens[0] in _verbs(words) or any(tokens[0] in each for each in known):
        raise CannotPlay(
            _("%(line)s is not possible now. Write one of these: %(examples)s.")
            % {"line": quote(line), "examples": _examples(words, position, seat)}
        )
    raise not_understood(line, _example(words, position, seat))


def _tokens(line: str) -> tuple[str, ...]:
    """Return the words and numbers of a line that name something."""
    return tuple(token for token in tokens_of(line) if token not in _SMALL_WORDS)


def _by_tokens(words: AnyWords, position: AnyPosition, seat: int) -> dict[tuple[str, ...], Any]:
    """Return what a seat can do by the words and numbers that name it."""
    known: dict[tuple[str, ...], Any] = {
        _tokens(words.write_action(action)): action for action in position.legal(seat)
    }
    if seat in position.in_play:
        known[(RESIGN,)] = Resign(seat)
    return known


def _verbs(words: AnyWords) -> set[str]:
    """Return the first words of the actions that the title has, also of those that are not legal now."""
    return {_tokens(do)[0] for do in words.actions}


def _is_part(tokens: Sequence[str], of: Sequence[str]) -> bool:
    """Return whether words are among others, in the same order."""
    rest: Iterator[str] = iter(of)
    return all(token in rest for token in tokens)


def _example(words: AnyWords, position: AnyPosition, seat: int) -> str:
    """Return a line that would be right."""
    return next((words.write_action(action) for action in position.legal(seat)), RESIGN)


def _examples(words: AnyWords, position: AnyPosition, seat: int) -> str:
    """Return the first lines that would be right, as a list."""
    lines = (words.write_action(action) for action in islice(position.legal(seat), EXAMPLES))
    return str(_(", ")).join(lines)
