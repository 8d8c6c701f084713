"""Drawings as pictures that need no style sheet, with the symbols of the board."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.template.loader import render_to_string

from games.novaluna.board.drawing.geometry import SPACE_RADIUS, SPACE_WIDTH, Point, point_at, space_angle
from games.novaluna.board.drawing.symbols import board_symbols
from games.shown.pictures import fill_in, png_of, read_colours

# A tile's weave and its large faint glyph: they take time to draw, and nobody sees them at this size.
TOO_FINE = re.compile(r'<rect fill="url\(#weave-[^>]*>|<use color="#fff" opacity="\.13"[^>]*>')

COLOURS = Path(__file__).parents[2] / "static/novaluna/css/base.css"


def place_on_wheel(space: int) -> Point:
    """Return where a tile is drawn on a space of the moon wheel."""
    return point_at(SPACE_RADIUS, space_angle(space), SPACE_WIDTH)


def symbols_of(tiles: set[str]) -> str:
    """Return the symbols for a picture, without the tiles that it does not show."""
    return "".join(
        symbol for name, symbol in _sheet().items() if not name.startswith("tile-") or name[5:] in tiles
    )


@cache
def _sheet() -> dict[str, str]:
    """Return the symbols of the board's sheets by name, and their gradients and patterns as `defs`."""
    sprites = (render_to_string(f"{app}/sprite.svg") for app in ("games", "novaluna"))
    sheets = TOO_FINE.sub("", "".join(sprites) + board_symbols())
    symbols = re.finditer(r'<symbol id="([^"]+)".*?</symbol>', sheets, re.DOTALL)
    paints = re.findall(r"<defs>.*?</defs>", sheets, re.DOTALL)
    return {"defs": "".join(paints), **{found[1]: found[0] for found in symbols}}


def with_colours(svg: str) -> str:
    """Return a drawing in which colours of the dark theme replace the variables of style sheets."""
    return fill_in(svg, _colours())


def colour(name: str) -> str:
    """Return a colour of the dark theme.

    >>> colour("gold")
    '#f2c866'
    """
    return _colours()[name]


@cache
def _colours() -> Mapping[str, str]:
    return read_colours(COLOURS)


def draw_part(svg: str, width: int, height: int) -> bytes:
    """Return a piece of SVG with symbols of the board as a transparent PNG of this size in pixels."""
    return png_of(part_svg(svg, width, height))


def part_svg(svg: str, width: int, height: int) -> str:
    """Return a piece of SVG as a whole drawing, with only the tiles that it shows. It needs the fonts."""
    tiles = set(re.findall(r"#tile-(\w+)", svg))
    context = {"width": width, "height": height, "symbols": symbols_of(tiles), "svg": svg}
    return with_colours(render_to_string("novaluna/part.svg", context))
