"""The rules for players: chapters in our own words, and examples that the engine judges."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.novaluna.board.drawing.displays import DrawnDisplay, draw_display
from games.novaluna.board.drawing.wheel import DrawnTrack, draw_track
from games.novaluna.engine import TILES, Cell, Display, MoonTrack
from games.shown.chapters import Chapter, render_chapters
from games.titles.people import Person

TITLES = {
    "aim": _("The aim of the game"),
    "tile": _("Tiles"),
    "moon-wheel": _("The moon wheel"),
    "moon-track": _("The moon track: whose turn it is"),
    "turn": _("Your turn"),
    "goals": _("Goals"),
    "groups": _("Groups"),
    "discs": _("Several goals at once"),
    "refill": _("Refilling the wheel"),
    "end": _("The end of the game"),
    "leaving": _("Leaving a game"),
    "length": _("The length of a game"),
    "solo": _("Solo"),
    "advice": _("Advice for your first games"),
    "cells": _("The names of cells"),
    "terms": _("Terms"),
    "rulings": _("Rulings of our own"),
    "about": _("About Nova Luna"),
}

# Tiles by cell, x to the right and y down. The engine finds the goals that are covered.
EXAMPLES: Mapping[str, Mapping[tuple[int, int], str]] = {
    "goal": {(0, 0): "T5b", (1, 0): "B1"},
    "diagonal": {(0, 0): "T5b", (1, 0): "Y1", (1, 1): "B1"},
    "group": {(0, 0): "T6a", (1, 0): "R1", (2, 0): "R3c", (2, 1): "R4c"},
    "own_colour": {(0, 0): "R2a", (1, 0): "R1", (2, 0): "R3c", (1, 1): "R4c", (0, 1): "R6b"},
    "at_once": {(0, 0): "T5b", (1, 0): "B1", (0, 1): "R1", (1, 1): "R5a"},
}


def display_of(example: str) -> Display:
    """Return the display of an example, with a disc on each goal that is fulfilled."""
    display = Display()
    for (x, y), code in EXAMPLES[example].items():
        display = display.with_tile(TILES[code], Cell(x, y))
    return display.with_discs(display.fulfilled)


def examples() -> dict[str, DrawnDisplay]:
    """Return the drawings of the examples by name."""
    nobody = Person(0, str(_("Example")))
    return {name: draw_display(display_of(name), nobody) for name in EXAMPLES}


def example_track() -> DrawnTrack:
    """Return a moon track on which the player to move can land on top of the others, and move again."""
    people = [Person(seat, str(_("Example"))) for seat in range(3)]
    track, tile = MoonTrack(time=(3, 7, 7), order=(0, 2, 1)), TILES["B4c"]
    return draw_track(track, people, mover=0, options=[tile], chosen=tile)


def chapters() -> Sequence[Chapter]:
    """Return all chapters in the reader's language."""
    return _chapters(get_language())


@lru_cache(maxsize=16)
def _chapters(_language: str | None) -> Sequence[Chapter]:
    return render_chapters("novaluna/rules", TITLES, {"examples": examples(), "track": example_track()})
