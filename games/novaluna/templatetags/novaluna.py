"""Template tags and filters that draw the board of Nova Luna."""

from collections.abc import Mapping

from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.html import json_script
from django.utils.safestring import SafeString

from games.novaluna.board.drawing.displays import DrawnDisplay, DrawnTile
from games.novaluna.board.drawing.symbols import board_symbols
from games.shown.parts import include_kept

register = template.Library()


register.simple_tag(board_symbols)


@register.simple_tag
def tile_art(tile: DrawnTile, seat: int | None = None, label: str = "") -> SafeString:
    """Return the picture of a tile with the discs of `seat`; with a `label`, it is an image by itself."""
    return include_kept("novaluna/_tile.html", code=tile.code, discs=tile.discs, seat=seat, label=label)


@register.simple_tag
def display_cells(display: DrawnDisplay, url: str) -> SafeString:
    """Return the cells of a display; the links of the open ones lead to the page at `url`."""
    seat = display.person.seat
    parts = (
        include_kept("novaluna/_open_cell.html", cell=cell, seat=seat, url=url)
        if cell.is_open
        else include_kept("novaluna/_placed_tile.html", cell=cell, seat=seat)
        for cell in display.cells
    )
    return SafeString("".join(part.strip() for part in parts))


class _CompactEncoder(DjangoJSONEncoder):
    item_separator, key_separator = ",", ":"


@register.simple_tag
def choices_script(choices: Mapping[str, object]) -> SafeString:
    """Return the texts of all choices as an element that scripts read."""
    return json_script(choices, "choices", encoder=_CompactEncoder)


@register.filter
def pips(count: int) -> str:
    """Return the length of a line that draws `count` pips: 12 for each pip after the first.

    The line is dashed and has round ends. The .01 is there because SVG draws no line of length 0.
    """
    return f"{max(count - 1, 0) * 12}.01"
