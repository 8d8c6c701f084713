"""Reads the lines that `Words.write_action` writes, in upper or lower case and with small words."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _

from games.shown.plain.words import AnyWords
from games.shown.reading import find_line, not_understood, quote, split_actions, tokens_of
from games.titles.actions import Resign
from games.titles.lines import CannotPlay
from games.titles.rules import AnyPosition
from games.titles.view import AnyView

RESIGN = "resign"
Tokens = tuple[str, ...]  # the words and numbers that name something
NO_LABELS: Mapping[Tokens, Any] = MappingProxyType({})
EXAMPLES = 8  # actions that an answer lists

_PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]")
_ANY = "0"  # in a form, for what a placeholder stands for

_SMALL_WORDS = {
    *("a", "and", "at", "for", "i", "in", "it", "ll", "move", "my", "of", "on", "please"),
    *("sorry", "thank", "thanks", "the", "then", "to", "will", "with", "you"),
}


def write(action: Any, words: AnyWords) -> str:
    """Return an action as a line."""
    return RESIGN if isinstance(action, Resign) else words.write_action(action)


def find(lines: Sequence[str], words: AnyWords, view: AnyView) -> Any:
    """Return the viewer's action that one of the lines of a reply names; the others may say anything.

    A line can also be the label of an action, which emails show. Raises CannotPlay if no line is an action,
    if several are, or if it is not legal.
    """
    position, seat = view.position, view.viewer
    assert seat is not None, "only players reply"
    labels = _by_label(words, view, seat)
    known = labels | _by_tokens(words, position, seat)
    verbs = {tokens[0] for tokens in known if tokens} | {form[0] for form in _forms(words)}

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
    action = read(found.line, words, position, seat, labels)
    if found.is_taken_back(resigns=isinstance(action, Resign)):
        raise found.not_understood(_example(words, position, seat))
    return action


def split(lines: Sequence[str], words: AnyWords) -> Sequence[Sequence[str]]:
    """Return the lines of a reply in parts of one action each, for `find`, as `split_actions` does."""
    forms = list(_forms(words))
    return split_actions(
        lines,
        lambda line: any(_has_form(_tokens(line), form) for form in forms),
        lambda line: _tokens(line) == (RESIGN,),
    )


def read(
    line: str, words: AnyWords, position: AnyPosition, seat: int, labels: Mapping[Tokens, Any] = NO_LABELS
) -> Any:
    """Return the action of a seat that a line, or one of these labels, names. Raises CannotPlay.

    A part of a line is enough if it fits only one: "5" for "choose 5".
    """
    if position.ending is not None:
        raise CannotPlay(_("This game is over."))
    tokens = _tokens(line)
    by_line = _by_tokens(words, position, seat)
    known = {**labels, **by_line}
    if seat not in position.awaited and tokens not in known:
        raise CannotPlay(_("It is not your turn."))
    if "?" in line or not tokens:
        raise not_understood(line, _example(words, position, seat))
    if tokens in known:
        return known[tokens]
    fitting = [action for each, action in by_line.items() if _is_part(tokens, each)]
    if len(fitting) == 1 and not isinstance(fitting[0], Resign):
        return fitting[0]
    if fitting or any(_has_form(tokens, form) for form in (*_forms(words), *by_line)):
        raise CannotPlay(
            _("%(line)s is not possible now. Write one of these: %(examples)s.")
            % {"line": quote(line), "examples": _examples(words, position, seat)}
        )
    raise not_understood(line, _example(words, position, seat))


def _tokens(line: str) -> Tokens:
    """Return the words and numbers of a line that name something."""
    return tuple(token for token in tokens_of(line) if token not in _SMALL_WORDS)


def _by_tokens(words: AnyWords, position: AnyPosition, seat: int) -> dict[Tokens, Any]:
    """Return what a seat can do by the words and numbers that name it."""
    known: dict[Tokens, Any] = {
        _tokens(words.write_action(action)): action for action in position.legal(seat)
    }
    if seat in position.in_play:
        known[(RESIGN,)] = Resign(seat)
    return known


def _by_label(words: AnyWords, view: AnyView, seat: int) -> dict[Tokens, Any]:
    """Return what a seat can do by the words and numbers of its label, if no other label has the same."""
    labels = [(_tokens(words.describe_action(one, view)), one) for one in view.position.legal(seat)]
    count = Counter(tokens for tokens, _action in labels)
    return {tokens: action for tokens, action in labels if tokens and count[tokens] == 1}


def _forms(words: AnyWords) -> Iterator[Tokens]:
    """Yield the lines and the labels of all kinds of actions, also of those that are not legal now."""
    for do, texts in words.actions.items():
        label = str(texts.label)
        fields = " ".join(_ANY for _placeholder in _PLACEHOLDER.findall(label))
        forms = (do, f"{do} {fields}", _PLACEHOLDER.sub(_ANY, label))
        yield from filter(None, map(_tokens, forms))


def _has_form(tokens: Tokens, form: Tokens) -> bool:
    """Return whether words are those of a form, perhaps with other numbers."""
    return len(tokens) == len(form) and all(
        part in (token, _ANY) or (part.isdigit() and token.isdigit())
        for token, part in zip(tokens, form, strict=True)
    )


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
