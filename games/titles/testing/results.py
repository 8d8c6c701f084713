"""Checks of what lists show: places, endings, figures, sides."""

from __future__ import annotations

from collections.abc import Iterator

from games.titles.testing.playouts import Finding, Game

LONGEST_ENDING = 12  # letters


def endings(game: Game) -> Iterator[Finding]:
    """An ending is a short word."""
    for number, position in enumerate(game.positions):
        word = position.ending
        if word is not None and not (isinstance(word, str) and 0 < len(word) <= LONGEST_ENDING):
            yield number, f"The ending {word!r} is not a word of 1 to {LONGEST_ENDING} letters."


def places(game: Game) -> Iterator[Finding]:
    """Places begin at 1, the seats of a side share one, and there are none before the end."""
    sides = list(game.rules.sides(game.seats))
    for number, position in enumerate(game.positions):
        found = position.places
        if not isinstance(found, tuple):
            yield number, f"places is a {type(found).__name__}, not a tuple."
        if position.ending in (None, "cancelled"):
            if found:
                yield number, f"There are places {found}, but ending is {position.ending!r}."
            continue
        if not found:
            continue
        if len(found) != game.seats or min(found) != 1 or max(found) > game.seats:
            yield number, f"The places {found} of {game.seats} seats do not begin at 1, or are too many."
        elif len(set(zip(sides, found, strict=True))) != len(set(sides)):
            yield number, f"The seats of a side do not share a place: sides {sides}, places {found}."


def sides(game: Game) -> Iterator[Finding]:
    """Each seat has a side, and sides are numbered from 0."""
    found = list(game.rules.sides(game.seats))
    if len(found) != game.seats or sorted(set(found)) != list(range(len(set(found)))):
        yield 0, f"The sides {found} of {game.seats} seats are not numbered from 0."


def figures(game: Game) -> Iterator[Finding]:
    """Figures are integers under the same names for each seat; only the end of a game adds names."""
    start = set(game.positions[0].figures(0))
    for number, position in enumerate(game.positions):
        names = start if position.awaited else start | set(position.figures(0))
        for seat in range(position.seats):
            found = position.figures(seat)
            if set(found) != names:
                yield number, f"The figures of seat {seat} are {sorted(found)}, not {sorted(names)}."
            if any(type(value) is not int for value in found.values()):
                yield number, f"The figures of seat {seat} are not all integers: {dict(found)}."


def known_never_shrinks(game: Game) -> Iterator[Finding]:
    """`known` never shrinks; nor does the number of seats change."""
    for number in range(1, len(game.positions)):
        before, after = game.positions[number - 1], game.positions[number]
        if after.known < before.known:
            yield number, f"known shrinks from {before.known} to {after.known}."
        if after.seats != game.seats:
            yield number, f"The position has {after.seats} seats, the game {game.seats}."
