"""Paints pictures from parts and words. A process draws each part once, so a picture takes little time."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw, ImageFont

from games.novaluna.board.drawing.pictures import colour, draw_part
from games.shown.pictures import FONT

KEPT_PARTS = 512  # most are smaller than 50 kB; the largest have 3 MB


@dataclass(frozen=True)
class Part:
    """A piece of SVG in a box of the picture. Lengths are in pixels.

    The piece is drawn `drawn_width` wide and `drawn_height` high, and then resized. So a part that pictures
    show in many sizes is still drawn once.
    """

    svg: str
    x: float
    y: float
    width: float
    height: float
    drawn_width: int
    drawn_height: int
    opacity: float = 1


@dataclass(frozen=True)
class Words:
    """A text in the picture: the point of its `anchor`, its font size in pixels, and the name of its colour.

    The anchor is one of Pillow's: "ls" is the left end of the base line, "rs" the right end, "ms" its middle,
    and "mm" the middle of the text.
    """

    text: str
    x: float
    y: float
    size: float
    colour: str
    anchor: str = "ls"


def whole_part(svg: str, x: float, y: float, width: float, height: float, opacity: float = 1) -> Part:
    """Return a part that is drawn in the size in which the picture shows it."""
    return Part(svg, x, y, width, height, round(width), round(height), opacity)


def paint(width: int, height: int, things: Iterable[Part | Words]) -> bytes:
    """Return a picture with these things, each over those before it, as a JPEG."""
    picture = Image.new("RGB", (width, height))
    pen = ImageDraw.Draw(picture)
    for thing in things:
        if isinstance(thing, Words):
            place = round(thing.x, 1), round(thing.y, 1)
            font = _font(round(thing.size, 1))
            pen.text(place, thing.text, colour(thing.colour), font, thing.anchor)
        else:
            image = _image_of(thing)
            picture.paste(image, (round(thing.x), round(thing.y)), image)
    file = BytesIO()
    # A PNG would take eight times as long, and have twice the bytes. Without subsampling, edges stay sharp.
    picture.save(file, "JPEG", quality=88, subsampling=0)
    return file.getvalue()


def _image_of(part: Part) -> Image.Image:
    image = _draw(part.svg, part.drawn_width, part.drawn_height, part.opacity)
    size = round(part.width), round(part.height)
    return image if image.size == size else image.resize(size, Image.Resampling.LANCZOS)


@lru_cache(KEPT_PARTS)
def _draw(svg: str, width: int, height: int, opacity: float) -> Image.Image:
    image = Image.open(BytesIO(draw_part(svg, width, height))).convert("RGBA")
    if opacity < 1:
        image.putalpha(image.getchannel("A").point(lambda alpha: round(alpha * opacity)))
    return image


@lru_cache(64)
def _font(size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)
