"""Plans in replies to emails: `plan take 2 at E1 N1; else take 3 at W1; also after a refill`, `drop plan`.

The number of a tile is its place on the wheel, clockwise from the marker, from 1, in the email that is
answered. So the tiles in reach have the same numbers as in the notation of actions.
"""

import re
from collections.abc import Sequence

from games.novaluna.board.game_view import Wish
from games.novaluna.board.notation import is_move, read_place, words_of
from games.novaluna.board.plan import ANY_SEAT
from games.novaluna.engine import Display, Position, Refill, Tile
from games.shown.reading import not_understood
from games.titles.plans import PlanReply, PlanRequest

EXAMPLE = "plan take 1"

_PLAN, _REFILL, _RESIGN = "plan", "refill", "resign"
_DROP = {"cancel", "delete", "drop", "forget", "no", "remove"}
_ELSE = re.compile(r";|\b(?:else|or|otherwise)\b", re.IGNORECASE)
_BEGINS_WITH_ELSE = re.compile(r"\W*(?:else|or|otherwise|also|even)\b", re.IGNORECASE)
_OUTLASTS = re.compile(r"\b(?:also|even)\s+after\s+(?:a\s+|the\s+|any\s+)?refill\b", re.IGNORECASE)
_FIRST_WORD = re.compile(rf"^.*?\b{_PLAN}\b", re.IGNORECASE)
# Without another wish, the player is asked as usual.
_LAST_RESORT = ["ask", "me"]
_ENOUGH = 100


def plan_lines(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a reply that are about a plan: the first such line, and those that continue it.

    >>> plan_lines(["Hello!", "plan take 2 at E1", "else refill", "Ines"])
    ['plan take 2 at E1', 'else refill']
    """
    first = next((number for number, line in enumerate(lines) if _is_about_plan(line)), None)
    if first is None:
        return []
    end = first + 1
    while end < len(lines) and (_BEGINS_WITH_ELSE.match(lines[end]) or is_move(lines[end])):
        end += 1
    return lines[first:end]


def read_plan(lines: Sequence[str], seen: Position, display: Display) -> PlanReply:
    """Return what the lines of `plan_lines` say. Raises CannotPlay.

    The numbers of tiles are those of the position that the player has `seen`. `display` is theirs as it is
    now.
    """
    line = lines[0]
    words = _first_words(line)
    if _is_drop(words):
        return PlanReply(PlanRequest.DROP)
    if len(lines) == 1 and _is_question(words):
        return PlanReply(PlanRequest.SHOW)
    text, outlasts = _OUTLASTS.subn(" ", ";".join([_FIRST_WORD.sub("", line, count=1), *lines[1:]]))
    wishes = tuple(
        _read_wish(part.strip(), seen, display)
        for part in _ELSE.split(text)
        if words_of(part) not in ([], _LAST_RESORT)
    )
    if not wishes:
        raise not_understood(line, EXAMPLE)
    return PlanReply(PlanRequest.MAKE, wishes, bool(outlasts))


def tiles_ahead(position: Position) -> list[Tile]:
    """Return the tiles on the wheel, clockwise from the marker."""
    wheel = position.wheel
    return [tile for tile in (*wheel.spaces[wheel.marker :], *wheel.spaces[: wheel.marker]) if tile]


def _read_wish(part: str, seen: Position, display: Display) -> Wish:
    if words_of(part) == [_REFILL]:
        return Refill(ANY_SEAT)
    if not is_move(part) or words_of(part)[0] in {_REFILL, _RESIGN}:
        raise not_understood(part, EXAMPLE)
    return read_place(part, tiles_ahead(seen), display, ANY_SEAT, EXAMPLE)


def _is_about_plan(line: str) -> bool:
    """Whether a line is meant for a plan, unlike "Plan B"."""
    words = _first_words(line)
    if _is_drop(words) or _is_question(words):
        return True
    rest = _FIRST_WORD.sub("", line[:_ENOUGH], count=1)
    return words[:1] == [_PLAN] and (is_move(rest) or any(word.isdigit() for word in words))


def _is_drop(words: Sequence[str]) -> bool:
    return len(words) == 2 and _PLAN in words and bool(_DROP & {*words})


def _is_question(words: Sequence[str]) -> bool:
    return _PLAN in words and {*words} <= {_PLAN, "show"}


def _first_words(line: str) -> list[str]:
    """Return the words at the beginning of a line, which can be longer than a line with one move."""
    return words_of(line[:_ENOUGH])
