"""Template tags and filters that draw the board."""

from collections.abc import Mapping, Sequence
from functools import cache

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.templatetags.static import static
from django.utils.html import json_script
from django.utils.safestring import SafeString

from games.novaluna.board.drawing.displays import DrawnDisplay, DrawnTile
from games.novaluna.board.drawing.symbols import board_symbols
from games.shown.kept import keep_latest
from games.shown.words import join_words
from games.templatetags.parts import include_kept
from games.titles.history import LogEntry

KEPT_LISTS = 512  # displays and parts of logs; a page has at most eight

register = template.Library()


register.simple_tag(board_symbols)


@register.simple_tag
def tile_art(tile: DrawnTile, seat: int | None = None, label: str = "") -> SafeString:
    """Return the picture of a tile with the discs of `seat`; with a `label`, it is an image by itself."""
    return include_kept("games/_tile.html", code=tile.code, discs=tile.discs, seat=seat, label=label)


@register.simple_tag
def display_cells(display: DrawnDisplay, url: str) -> SafeString:
    """Return the cells of a display; the links of the open ones lead to the page at `url`."""
    seat = display.person.seat
    parts = (
        include_kept("games/_open_cell.html", cell=cell, seat=seat, url=url)
        if cell.is_open
        else include_kept("games/_placed_tile.html", cell=cell, seat=seat)
        for cell in display.cells
    )
    return SafeString("".join(part.strip() for part in parts))


@register.simple_tag
@keep_latest(KEPT_LISTS)
def log_entries(entries: Sequence[LogEntry], url: str, part: str) -> SafeString:
    """Return actions of the log with links to the page at `url`; the ids of the links begin with `part`."""
    parts = (include_kept("games/_entry.html", entry=entry, url=url, part=part) for entry in entries)
    return SafeString("".join(entry.strip() for entry in parts))


register.filter("join_words", join_words)


class _CompactEncoder(DjangoJSONEncoder):
    item_separator, key_separator = ",", ":"


@register.simple_tag
def choices_script(choices: Mapping[str, object]) -> SafeString:
    """Return the texts of all choices as an element that scripts read."""
    return json_script(choices, "choices", encoder=_CompactEncoder)


@register.simple_tag
def turn_icon(is_turn: object) -> str:
    """Return the address of the tab's icon, which shows whether it is the viewer's turn."""
    return _turn_icon(bool(is_turn))


@cache
def _turn_icon(is_turn: bool) -> str:
    return static(f"games/icons/favicon{'-turn' if is_turn else ''}.svg")


@register.filter
def pips(count: int) -> str:
    """Return the length of a line that draws `count` pips: 12 for each pip after the first.

    The line is dashed and has round ends. The .01 is there because SVG draws no line of length 0.
    """
    return f"{max(count - 1, 0) * 12}.01"
