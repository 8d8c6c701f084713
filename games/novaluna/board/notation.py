"""The short notation of actions in emails: `take 2 at E1 N1`, `refill`, `resign`.

The number of a tile is its place among the tiles in reach, clockwise from the marker, from 1. The words of
the notation are the same in every language.
"""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.novaluna.board.choice import refill_offer
from games.novaluna.board.words import tile_name
from games.novaluna.engine import (
    COLOURS,
    ORIGIN,
    Cell,
    Display,
    Place,
    Position,
    Refill,
    RefillRule,
    Resign,
    Tile,
)
from games.shown.reading import find_line, not_understood, quote, tokens_of
from games.shown.words import join_words
from games.titles.lines import CannotPlay

PlayerAction = Place | Refill | Resign

_TAKE, _REFILL, _RESIGN = "take", "refill", "resign"
# A word of one of these meanings begins a move.
_VERBS = {"take": _TAKE, "place": _TAKE, "play": _TAKE, "put": _TAKE, "refill": _REFILL, "resign": _RESIGN}
_SMALL_WORDS = {
    *("a", "and", "at", "cell", "i", "in", "it", "ll", "moon", "move", "my", "number", "on", "place"),
    *("please", "put", "thank", "thanks", "the", "tile", "to", "wheel", "will", "you"),
}
_DIRECTIONS = {"east": "e", "west": "w", "north": "n", "south": "s"}
_COLOURS = [colour.word for colour in COLOURS]
_CELL = re.compile(r"\b([ewns]) ([0-9]{1,3})\b")
_TILE_AND_ORIGIN = re.compile(
    rf"(?P<number>[1-9][0-9]?)? ?(?:(?P<colour>{'|'.join(_COLOURS)})(?: (?P<cost>[1-9]))?)? ?(?P<origin>0)?"
)


def write_action(action: PlayerAction, position: Position) -> str:
    """Return a legal action of `position` in the notation; a cell only if there is a choice.

    >>> from games.novaluna.engine import TILES, Mode, Setup, start
    >>> position = start(Setup(Mode.MULTIPLAYER, 2, 20, (0, 1), tuple(TILES)))
    >>> write_action(Place(0, "B2a", 0, 0), position)
    'take 2'
    """
    match action:
        case Refill():
            return _REFILL
        case Resign():
            return _RESIGN
        case Place(seat, tile):
            number = [each.code for each in position.in_reach].index(tile) + 1
            if len(position.displays[seat].free_cells) == 1:
                return f"{_TAKE} {number}"
            return f"{_TAKE} {number} at {action.cell.name}"


def find_action(lines: Sequence[str], position: Position, seat: int) -> PlayerAction:
    """Return the action of `seat` that one of the lines of a reply names; the others may say anything.

    Raises CannotPlay if no line is a move, if several are, or if the move is not legal.
    """
    found = find_line(lines, is_move, _names_move)
    action = read_action(found.line, position, seat)
    if found.is_taken_back(resigns=isinstance(action, Resign)):
        raise found.not_understood(_example(position))
    return action


def _names_move(line: str) -> bool:
    """Whether a line has a move after other words, as in "No wait, take 2 at E1"."""
    words = words_of(line)
    ends = [words[number + 1 :] for number, word in enumerate(words) if number and word in _VERBS]
    return any(not end or end[0].isdigit() or end[0] in _COLOURS for end in ends)


def read_action(line: str, position: Position, seat: int) -> PlayerAction:
    """Return the action of `seat` that a line names, in upper or lower case and with small words.

    Raises CannotPlay if the line is not understood or names several actions, or if the action is not legal.

    >>> from games.novaluna.engine import TILES, Mode, Setup, start
    >>> position = start(Setup(Mode.MULTIPLAYER, 2, 20, (0, 1), tuple(TILES)))
    >>> read_action("Take tile 3, please.", position, 0)
    Place(seat=0, tile='B2b', x=0, y=0)
    """
    verb, *words = words_of(line) or [""]
    meaning = _VERBS.get(verb)
    if position.over:
        raise CannotPlay(_("This game is over."))
    if position.to_move != seat and not (meaning == _RESIGN and seat in position.in_play):
        raise CannotPlay(_("It is not your turn."))
    if "?" in line:
        raise not_understood(line, _example(position))
    if meaning and any(word in _VERBS for word in words):
        raise CannotPlay(_("%(line)s has several moves. Write only one.") % {"line": quote(line)})
    if meaning == _TAKE:
        if position.refill is RefillRule.FORCED:
            raise CannotPlay(_("The wheel is empty. Refill it before you take a tile."))
        return read_place(line, position.in_reach, position.displays[seat], seat, _example(position))
    if meaning is None or words:
        raise not_understood(line, _example(position))
    if meaning == _RESIGN:
        return Resign(seat)
    if position.refill is RefillRule.NOT_ALLOWED:
        raise CannotPlay(refill_offer(position).explanation)
    return Refill(seat)


def read_place(line: str, tiles: Sequence[Tile], display: Display, seat: int, example: str) -> Place:
    """Return the place action of `seat` that a line names after its first word.

    The number of a tile is its place among `tiles`, from 1. Raises CannotPlay, with `example` if the line is
    not understood.
    """
    text = " ".join(_DIRECTIONS.get(word, word) for word in words_of(line)[1:])
    named = _TILE_AND_ORIGIN.fullmatch(" ".join(_CELL.sub("", text).split()))
    if named is None:
        raise not_understood(line, example)
    cells = ["".join(match.groups()) for match in _CELL.finditer(text)]
    if named["origin"]:
        cells.append(ORIGIN.name)
    tile = _read_tile(named, tiles)
    cell = _read_cell(line, cells, display)
    return Place(seat, tile.code, cell.x, cell.y)


def _read_tile(named: re.Match[str], tiles: Sequence[Tile]) -> Tile:
    """Return the tile with this number, colour and cost, where they are named. Raises CannotPlay."""
    numbered = dict(enumerate(tiles, 1))
    fitting = [
        tile
        for number, tile in numbered.items()
        if named["number"] in (None, str(number))
        and named["colour"] in (None, tile.colour.word)
        and named["cost"] in (None, str(tile.cost))
    ]
    if len(fitting) == 1:
        return fitting[0]
    names = join_words([f"{number} ({tile_name(tile)})" for number, tile in numbered.items()])
    problem = (
        _("Which tile? The next tiles are %(tiles)s.") if fitting else _("The next tiles are %(tiles)s.")
    )
    raise CannotPlay(problem % {"tiles": names})


def _read_cell(line: str, names: Sequence[str], display: Display) -> Cell:
    """Return the free cell with these names, such as "e1" and "n2". Raises CannotPlay."""
    free = display.free_cells
    if not names and len(free) == 1:
        return next(iter(free))
    words = {"line": quote(line), "cells": join_words([cell.name for cell in free])}
    if not names:
        raise CannotPlay(_("Where? You can place the tile at %(cells)s.") % words)
    try:
        # The east or west part comes first in a name, and players may begin with the other.
        cell = Cell.parse(" ".join(sorted(names, key=lambda name: name[0] in "ns")))
    except ValueError:
        raise CannotPlay(_("%(line)s has several cells. Write only one.") % words) from None
    if cell not in free:
        raise CannotPlay(
            _("You can't place the tile at %(cell)s. You can place it at %(cells)s.")
            % {**words, "cell": cell.name}
        )
    return cell


def words_of(line: str) -> list[str]:
    """Return the words and numbers of a line in lower case, without small words; none of a long line."""
    words: list[str] = []
    for word in tokens_of(line):
        if word not in _SMALL_WORDS or (word in _VERBS and not words):
            words.append(word)
    return words


def is_move(line: str) -> bool:
    """Whether a line is meant as a move, unlike "Take care"."""
    verb, *words = words_of(line) or [""]
    return verb in _VERBS and (
        not words or any(word.isdigit() or word in _COLOURS or word in _DIRECTIONS for word in words)
    )


def _example(position: Position) -> str:
    """Return a legal action of the player to move, as an answer suggests it."""
    return next((write_action(action, position) for action in position.legal_actions), _RESIGN)
