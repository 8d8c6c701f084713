"""Drawings as pictures that need no style sheet, with the symbols of the board."""

import re
from functools import cache
from io import BytesIO
from pathlib import Path

import resvg_py
from django.template.loader import render_to_string
from PIL import Image

from games.novaluna.board.drawing.geometry import SPACE_RADIUS, SPACE_WIDTH, Point, point_at, space_angle
from games.novaluna.board.drawing.symbols import board_symbols

# A tile's weave and its large faint glyph: they take time to draw, and nobody sees them at this size.
TOO_FINE = re.compile(r'<rect fill="url\(#weave-[^>]*>|<use color="#fff" opacity="\.13"[^>]*>')

FONT_FOLDER = Path(__file__).parent / "fonts"
FONT = FONT_FOLDER / "literata-semibold.ttf"  # of all words; the numbers of tiles have the other one
FONTS = [str(path) for path in sorted(FONT_FOLDER.glob("*.ttf"))]
SWATCH = 55  # smaller squares would not get a colour of the palette
GAMES = Path(__file__).parents[3]
COLOURS = (GAMES / "static/games/css/tokens.css", GAMES / "novaluna/static/novaluna/css/base.css")


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
    colours = _colours()
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], svg)


def colour(name: str) -> str:
    """Return a colour of the dark theme.

    >>> colour("gold")
    '#f2c866'
    """
    return _colours()[name]


@cache
def _colours() -> dict[str, str]:
    """Return the colours of the dark theme by name: `gold` is `#f2c866`."""
    sheets = "".join(path.read_text() for path in COLOURS)
    return dict(re.findall(r"--([\w-]+): (?:light-dark\(#\w+, )?(#\w+)", sheets))


def draw_part(svg: str, width: int, height: int) -> bytes:
    """Return a piece of SVG with symbols of the board as a transparent PNG of this size in pixels."""
    return _draw(part_svg(svg, width, height))


def part_svg(svg: str, width: int, height: int) -> str:
    """Return a piece of SVG as a whole drawing, with only the tiles that it shows. It needs the fonts."""
    tiles = set(re.findall(r"#tile-(\w+)", svg))
    context = {"width": width, "height": height, "symbols": symbols_of(tiles), "svg": svg}
    return with_colours(render_to_string("novaluna/part.svg", context))


def small_png_of(svg: str) -> bytes:
    """Return a drawing as a PNG with 256 colours, which is a third as large."""
    drawn = Image.open(BytesIO(_draw(svg))).convert("RGB")
    small = BytesIO()
    # Dithering would make the picture larger.
    palette = _with_swatches(drawn).quantize(256, dither=Image.Dither.NONE)
    drawn.quantize(palette=palette, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def _with_swatches(picture: Image.Image) -> Image.Image:
    """Return a copy with squares of the players' colours, so that a palette has them too."""
    copy = picture.copy()
    for seat in range(4):
        copy.paste(colour(f"p{seat}"), (seat * SWATCH, 0, (seat + 1) * SWATCH, SWATCH))
    return copy


def png_of(svg: str) -> bytes:
    """Return a drawing as a PNG."""
    return _draw(svg)


def _draw(svg: str) -> bytes:
    return resvg_py.svg_to_bytes(svg_string=svg, font_files=FONTS, skip_system_fonts=True)
