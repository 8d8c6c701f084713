"""The rules for players: chapters in our own words, examples that the engine judges, and a search."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.novaluna.board.drawing.displays import DrawnDisplay, draw_display
from games.novaluna.board.drawing.wheel import DrawnTrack, draw_track
from games.novaluna.engine import TILES, Cell, Display, MoonTrack
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


@dataclass(frozen=True)
class Chapter:
    """A chapter of the rules; `slug` is its anchor."""

    slug: str
    title: str
    html: SafeString


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
    context = {"examples": examples(), "track": example_track()}
    # Marked safe because the text is our own, in templates that escape their variables.
    return tuple(
        Chapter(slug, str(title), mark_safe(render_to_string(f"novaluna/rules/{slug}.html", context)))  # noqa: S308 - see above
        for slug, title in TITLES.items()
    )


def search(query: str) -> Sequence[Chapter]:
    """Return the chapters in which each word of `query` starts a word of the text, and mark these words."""
    words = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in query.split()]
    return [
        Chapter(chapter.slug, chapter.title, _mark(chapter.html, words))
        for chapter in chapters()
        if all(word.search(f"{chapter.title} {strip_tags(chapter.html)}") for word in words)
    ]


def _mark(html: str, words: Sequence[re.Pattern[str]]) -> SafeString:
    """Return a chapter with `words` marked in its text, but not in its tags and drawings."""
    wanted = re.compile("|".join(word.pattern for word in words), re.IGNORECASE)
    parts = re.split(r"(<svg.*?</svg>|<[^>]*>|&\w+;)", html, flags=re.DOTALL)
    parts[::2] = [wanted.sub(r"<mark>\g<0></mark>", text) for text in parts[::2]]
    return mark_safe("".join(parts))  # noqa: S308 (the text is our own, and marks add no text)
