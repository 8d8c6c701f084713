"""Paints pictures from parts and words. A process draws each part once, so a picture takes little time."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw, ImageFont

from games.novaluna.board.drawing.displays import DrawnTile
from games.novaluna.board.drawing.geometry import Sector
from games.novaluna.board.drawing.pictures import colour, draw_part
from games.shown.pictures import FONT

KEPT_PARTS = 512  # with 150 kB at most
KEPT_LARGE_PARTS = 32  # with 3 MB at most
LARGE = 200 * 200  # pixels
TILE = 186  # pixels; the width of the largest tile in a picture


@dataclass(frozen=True)
class Part:
    """A piece of SVG in a box of the picture. Lengths are in pixels.

    The piece is drawn `drawn_width` wide and `drawn_height` high, and then resized. So a part that pictures
    show in many sizes is still drawn once. Resized parts are kept too.
    """

    svg: str
    x: float
    y: float
    width: float
    height: float
    drawn_width: int
    drawn_height: int
    opacity: float = 1
    sectors: tuple[Sector, ...] = ()  # if only these show; their radii are in pixels


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


def tile_parts(
    tile: DrawnTile, seat: int | None, x: float, y: float, width: float, opacity: float = 1
) -> Iterator[Part]:
    """Yield a tile, and the discs of a seat on it."""
    for name in (f"tile-{tile.code}", *(f"disc-{seat}-{disc.corner}" for disc in tile.discs)):
        symbol = f'<use href="#{name}" width="{TILE}" height="{TILE}"/>'
        yield Part(symbol, x, y, width, width, TILE, TILE, opacity)


def paint(width: int, height: int, things: Iterable[Part | Words], backdrop: str = "#000") -> Image.Image:
    """Return a picture with these things, each over those before it."""
    picture = Image.new("RGB", (width, height), backdrop)
    pen = ImageDraw.Draw(picture)
    for thing in things:
        if isinstance(thing, Words):
            place = round(thing.x, 1), round(thing.y, 1)
            font = _font(round(thing.size, 1))
            pen.text(place, thing.text, colour(thing.colour), font, thing.anchor)
        else:
            image = _image_of(thing)
            shown = _in_sectors(image, thing.sectors) if thing.sectors else image
            picture.paste(image, (round(thing.x), round(thing.y)), shown)
    return picture


def _in_sectors(image: Image.Image, sectors: Iterable[Sector]) -> Image.Image:
    """Return the mask of an image of which only these sectors show."""
    # Pillow draws hard edges. They are drawn in twice the size, and halved.
    mask = Image.new("L", (2 * image.width, 2 * image.height))
    pen = ImageDraw.Draw(mask)
    for start, span, radius in sectors:
        left, right = image.width - 2 * radius, image.width + 2 * radius
        pen.pieslice((left, left, right, right), start - 90, start + span - 90, 255)
    return ImageChops.multiply(image.getchannel("A"), mask.reduce(2))


def _image_of(part: Part) -> Image.Image:
    drawn, size = (part.drawn_width, part.drawn_height), (round(part.width), round(part.height))
    if drawn[0] * drawn[1] > LARGE:
        return _fit(_draw_large(part.svg, drawn), size, part.opacity)
    return _draw_to_fit(part.svg, drawn, size, part.opacity)


@lru_cache(KEPT_PARTS)
def _draw_to_fit(svg: str, drawn: tuple[int, int], size: tuple[int, int], opacity: float) -> Image.Image:
    return _fit(_draw(svg, drawn), size, opacity)


def _fit(image: Image.Image, size: tuple[int, int], opacity: float) -> Image.Image:
    if image.size != size:
        image = image.resize(size, Image.Resampling.LANCZOS)
    if opacity < 1:
        image = image.copy()
        image.putalpha(image.getchannel("A").point(lambda alpha: round(alpha * opacity)))
    return image


@lru_cache(KEPT_PARTS)
def _draw(svg: str, size: tuple[int, int]) -> Image.Image:
    return Image.open(BytesIO(draw_part(svg, *size))).convert("RGBA")


_draw_large = lru_cache(KEPT_LARGE_PARTS)(_draw.__wrapped__)


@lru_cache(64)
def _font(size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size)
