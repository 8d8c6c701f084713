"""Plans in replies to emails: `plan choose 5; else choose 3; also later`, `drop plan`, `plan`."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from games.shown.plain.words import AnyWords
from games.shown.reading import not_understood, tokens_of
from games.titles.plans import PlanReply, PlanRequest
from games.titles.rules import AnyPosition

EXAMPLE = "drop plan"

_PLAN = "plan"
_DROP = {"cancel", "delete", "drop", "forget", "no", "remove"}
_SHOW = {"show", "my", "the"}
_ELSE = re.compile(r"[;:]|\b(?:else|or|otherwise)\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\W*(?:else|or|otherwise|also|even)\b", re.IGNORECASE)
_OUTLASTS = re.compile(r"\b(?:also|even)\s+later\b", re.IGNORECASE)
_FIRST_WORD = re.compile(rf"^.*?\b{_PLAN}\b", re.IGNORECASE)


def plan_lines(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a reply that are about a plan: the first such line, and those that continue it.

    >>> plan_lines(["Hello!", "plan choose 5", "else choose 3", "Ines"])
    ['plan choose 5', 'else choose 3']
    """
    first = next((number for number, line in enumerate(lines) if _is_about_plan(line)), None)
    if first is None:
        return []
    end = first + 1
    while end < len(lines) and _GOES_ON.match(lines[end]):
        end += 1
    return lines[first:end]


def read_plan(lines: Sequence[str], words: AnyWords, position: AnyPosition, seat: int) -> PlanReply:
    """Return what the lines of `plan_lines` say about the plan of a seat. Raises CannotPlay."""
    known = {tuple(tokens_of(words.write_action(one))): one for one in words.plannable(position, seat)}
    example = next((f"{_PLAN} {words.write_action(one)}" for one in known.values()), EXAMPLE)
    return read_wishes(lines, lambda part: _read_wish(part, known, example), example)


def read_wishes(lines: Sequence[str], read_wish: Callable[[str], Any], example: str) -> PlanReply:
    """Return what the lines of `plan_lines` say, with a function that reads a wish. Raises CannotPlay."""
    tokens = tokens_of(lines[0])
    if _is_drop(tokens):
        return PlanReply(PlanRequest.DROP)
    if len(lines) == 1 and _is_question(tokens):
        return PlanReply(PlanRequest.SHOW)
    text, outlasts = _OUTLASTS.subn(" ", ";".join([_FIRST_WORD.sub("", lines[0], count=1), *lines[1:]]))
    wishes = tuple(read_wish(part) for part in _ELSE.split(text) if tokens_of(part))
    if not wishes:
        raise not_understood(lines[0], example)
    return PlanReply(PlanRequest.MAKE, wishes, bool(outlasts))


def _read_wish(part: str, known: dict[tuple[str, ...], Any], example: str) -> Any:
    wish = known.get(tuple(tokens_of(part)))
    if wish is None:
        raise not_understood(part.strip(), example)
    return wish


def _is_about_plan(line: str) -> bool:
    """Whether a line is meant for a plan, unlike "Plan B"."""
    tokens = tokens_of(line)
    return (
        _is_drop(tokens)
        or _is_question(tokens)
        or (tokens[:1] == [_PLAN] and any(token.isdigit() or len(token) > 1 for token in tokens[1:]))
    )


def _is_drop(tokens: Sequence[str]) -> bool:
    return _PLAN in tokens and bool(_DROP & {*tokens}) and len(tokens) <= 3


def _is_question(tokens: Sequence[str]) -> bool:
    return _PLAN in tokens and {*tokens} <= {_PLAN, *_SHOW}
