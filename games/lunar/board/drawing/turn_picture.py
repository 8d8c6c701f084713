"""The picture in a turn email: trick, trump, track and the player's hand; and the picture beside links.

It is drawn twice as large as mail programs show it, for sharp screens. Its only words are names of players,
and beside links whose points and stars they are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from re import compile as pattern
from typing import NamedTuple

from django.template.loader import render_to_string
from PIL import Image

from games.lunar.board.board import Board
from games.lunar.board.drawing.symbols import board_symbols
from games.lunar.board.felt import Felt, TrickCard
from games.lunar.board.hand import Fan, HeldCard
from games.shown.pictures import fill_in, image_of, jpeg_of, read_colours

STYLES = Path(__file__).parents[2] / "static/lunar/css"
COLOURS = STYLES / "base.css", STYLES / "track.css"

# The weaves of suits take time to draw, and nobody sees them at this size.
TOO_FINE = pattern(r'<rect [^>]*fill="url\(#weave-[^>]*>')

NIGHT = "#191f42"
PREVIEW = 1200, 630
WIDTH = 1072
MARGIN = 28
CARD, HEIGHT = 148, 207  # of a card in the hand
STEP = 168  # from one card of the hand to the next
SMALL, SMALL_HEIGHT = 120, 168  # of a card in the trick and in the sky
TILE = 108
TRACK = 92  # the height of the track
NAME = 34  # the height of a name
NOTE = 40  # the height of the note below the track
LONGEST_NAME = 13
LETTERS = range(0x250)  # those that the fonts have for certain
FIELD = 78  # the width of one of its fields
# The middles of the cards in the trick of four players, from the middle of the table.
CROSS = {"north": (0, -98), "south": (0, 98), "west": (-170, 0), "east": (170, 0)}


class Placed(NamedTuple):
    """A symbol in a box, or a dashed place without one. `is_dim` is for cards that can't be played."""

    symbol: str
    x: int
    y: int
    width: int
    height: int
    is_dim: bool = False
    seat: int | None = None
    is_now: bool = False
    name: str = ""
    name_y: int = 0  # the line of the name

    @property
    def middle(self) -> int:
        """The middle of the box from the left."""
        return self.x + self.width // 2

    @property
    def mark_y(self) -> int:
        """The top of the mark of the seat, below what is printed in the upper corner."""
        return self.y + self.height - 30


@dataclass(frozen=True)
class Field:
    """A field of the track with its left edge, and the seats whose discs are on it."""

    x: int
    tricks: int
    points: int
    is_best: bool
    seats: tuple[int, ...]


def draw_turn(board: Board) -> bytes:
    """Return the picture of a board for the player whose turn it is, as a JPEG."""
    return jpeg_of(image_of(turn_svg(board)))


def draw_preview(board: Board) -> bytes:
    """Return the picture that other sites show with a link: the table and the track, as a JPEG."""
    table = image_of(turn_svg(board, with_hand=False))
    preview = Image.new("RGB", PREVIEW, NIGHT)
    preview.paste(table, ((PREVIEW[0] - table.width) // 2, (PREVIEW[1] - table.height) // 2))
    jpeg = BytesIO()
    preview.save(jpeg, "JPEG", quality=85)
    return jpeg.getvalue()


def turn_svg(board: Board, *, with_hand: bool = True) -> str:
    """Return the picture as an SVG that needs nothing but the fonts."""
    table, table_height = _table(board)
    track_y = MARGIN + table_height + MARGIN
    hand_y = track_y + TRACK + MARGIN
    hand = list(_hand(board.hand, hand_y)) if with_hand else []
    context = {
        "width": WIDTH,
        "height": hand_y + (2 * HEIGHT + 20 + MARGIN if with_hand else NOTE - MARGIN),
        "night": NIGHT,
        "symbols": _sheet(),
        "parts": [*table, *hand],
        "fields": list(_fields(board)),
        "track_y": track_y,
        "field": FIELD,
        "track": TRACK,
        "note": "" if with_hand or not _is_printable(board.track.note) else board.track.note,
        "note_y": hand_y,
        "middle": WIDTH // 2,
    }
    return fill_in(render_to_string("lunar/turn_picture.svg", context), _colours())


def _table(board: Board) -> tuple[Sequence[Placed], int]:
    """Return what is on the table, and the height that it needs."""
    felt, middle = board.felt, WIDTH // 2
    if not felt.trick:
        y = MARGIN + (SMALL_HEIGHT + MARGIN if board.sky else 0)
        left = middle - 2 * TILE - 30
        symbols = [f"tile-{tile.suit}" if tile.is_up else "tile-down" for tile in felt.tiles]
        tiles = [
            Placed(symbol, left + nth * (TILE + 20), y, TILE, TILE) for nth, symbol in enumerate(symbols)
        ]
        return [*_sky(board.sky), *tiles], y + TILE - MARGIN
    if felt.is_for_two:
        y = MARGIN + SMALL_HEIGHT + 2 * MARGIN
        left = middle - 2 * SMALL - 45
        cards = [_played(card, left + nth * (SMALL + 30), y) for nth, card in enumerate(felt.trick)]
        trump = _trump(felt, y + (SMALL_HEIGHT - TILE) // 2)
        return [*_sky(board.sky), *trump, *cards], y + SMALL_HEIGHT + NAME - MARGIN
    height = 2 * SMALL_HEIGHT + 28 + 2 * NAME
    parts = [*_trump(felt, MARGIN)]
    for card in felt.trick:
        x, y = CROSS[card.place]
        left, top = middle + x - SMALL // 2, MARGIN + height // 2 + y - SMALL_HEIGHT // 2
        parts.append(_played(card, left, top, is_named_above=card.place == "north"))
    return parts, height


def _played(card: TrickCard, x: int, y: int, *, is_named_above: bool = False) -> Placed:
    name = card.name if len(card.name) <= LONGEST_NAME else card.name[: LONGEST_NAME - 1] + "…"
    return Placed(
        card.symbol,
        x,
        y,
        SMALL,
        SMALL_HEIGHT,
        seat=card.seat,
        is_now=card.is_now,
        name=name if _is_printable(card.name) else "",
        name_y=y - 12 if is_named_above else y + SMALL_HEIGHT + NAME - 6,
    )


def _is_printable(text: str) -> bool:
    """Return whether the fonts have all letters of a text."""
    return all(ord(letter) in LETTERS for letter in text)


def _trump(felt: Felt, y: int) -> Iterator[Placed]:
    """Yield the trump tile in a golden frame."""
    if felt.trump:
        yield Placed(f"tile-{felt.trump.suit}", MARGIN + 6, y + 6, TILE, TILE, is_now=True)


def _sky(fans: Sequence[Fan]) -> Iterator[Placed]:
    x = WIDTH // 2 - 3 * (SMALL + 10) - 20
    for fan in fans:
        for card in fan.cards:
            is_dim = card is not None and bool(card.reason)
            yield Placed(card.symbol if card else "", x, MARGIN, SMALL, SMALL_HEIGHT, is_dim)
            x += SMALL + 10
        x += 40


def _hand(fans: Sequence[Fan], y: int) -> Iterator[Placed]:
    for fan in fans:
        cards: list[HeldCard] = [card for card in fan.cards if card is not None]
        left = (WIDTH - (len(cards) - 1) * STEP - CARD) // 2
        for nth, card in enumerate(cards):
            yield Placed(card.symbol, left + nth * STEP, y, CARD, HEIGHT, bool(card.reason))
        y += HEIGHT + 20


def _fields(board: Board) -> Iterator[Field]:
    left = (WIDTH - len(board.track.fields) * FIELD) // 2
    for nth, field in enumerate(board.track.fields):
        yield Field(left + nth * FIELD, field.tricks, field.points, field.is_best, field.seats)


@cache
def _sheet() -> str:
    sprites = (render_to_string(f"{app}/sprite.svg") for app in ("games", "lunar"))
    return TOO_FINE.sub("", "".join(sprites) + board_symbols())


@cache
def _colours() -> Mapping[str, str]:
    return read_colours(*COLOURS)
