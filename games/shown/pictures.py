"""Drawings as pictures for emails and for links on other sites: SVG that needs no style sheet, and PNG."""

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

FONT_FOLDER = Path(__file__).parent / "fonts"
FONT = FONT_FOLDER / "literata-semibold.ttf"  # of all words; tiles and cards have the other one
FONTS = [str(path) for path in sorted(FONT_FOLDER.glob("*.ttf"))]
TOKENS = Path(__file__).parents[1] / "static/games/css/tokens.css"
SHRUNK = 8  # times narrower, to find the palette
SWATCH = 7  # smaller squares would not get a colour of the palette
SEATS = 4  # that have a colour


def read_colours(*sheets: Path) -> Mapping[str, str]:
    """Return the colours of the dark theme in the tokens and these style sheets by name, with their #.

    >>> read_colours()["gold"]
    '#f2c866'
    """
    sources = "".join(path.read_text() for path in (TOKENS, *sheets))
    return dict(re.findall(r"--([\w-]+): (?:light-dark\(#\w+, )?(#\w+)", sources))


def fill_in(svg: str, colours: Mapping[str, str]) -> str:
    """Return a drawing in which colours replace the variables of style sheets."""
    return re.sub(r"var\(--([\w-]+)\)", lambda found: colours[found[1]], svg)


def png_of(svg: str) -> bytes:
    """Return a drawing as a PNG."""
    return resvg_py.svg_to_bytes(svg_string=svg, font_files=FONTS, skip_system_fonts=True)


def image_of(svg: str) -> Image.Image:
    """Return a drawing as an image without transparency."""
    return Image.open(BytesIO(png_of(svg))).convert("RGB")


def small_png_of(drawn: Image.Image) -> bytes:
    """Return an image as a PNG with 256 colours, which is a third as large."""
    small = BytesIO()
    # A smaller picture has the same colours, and its palette takes a tenth of the time. Dithering would make
    # the picture larger; the best compression saves a twentieth, and takes five times as long.
    palette = _with_swatches(drawn.reduce(SHRUNK)).quantize(256, dither=Image.Dither.NONE)
    drawn.quantize(palette=palette, dither=Image.Dither.NONE).save(small, "PNG")
    return small.getvalue()


def _with_swatches(picture: Image.Image) -> Image.Image:
    """Return a copy with squares of the players' colours, so that a palette has them too."""
    copy, colours = picture.copy(), read_colours()
    for seat in range(SEATS):
        copy.paste(colours[f"p{seat}"], (seat * SWATCH, 0, (seat + 1) * SWATCH, SWATCH))
    return copy
