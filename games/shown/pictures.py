"""Drawings as pictures for emails and for links on other sites, from SVG that needs no style sheet."""

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image

FONT_FOLDER = Path(__file__).parent / "fonts"
FONT = FONT_FOLDER / "literata-semibold.ttf"  # of all words; tiles and cards have the other one
FONTS = [str(path) for path in sorted(FONT_FOLDER.glob("*.ttf"))]
QUALITY = 80  # of a JPEG; pictures are twice as large as they are shown, so nobody sees its traces
TOKENS = Path(__file__).parents[1] / "static/games/css/tokens.css"


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


def jpeg_of(drawn: Image.Image) -> bytes:
    """Return an image as a JPEG.

    A PNG of 256 colours takes eight times as long, and its gradients have steps.
    """
    jpeg = BytesIO()
    drawn.save(jpeg, "JPEG", quality=QUALITY)
    return jpeg.getvalue()
