"""What emails show of a position, of an end and of a move, and their pictures."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.novaluna.board.board import build_board
from games.novaluna.board.decision import describe_turning_point
from games.novaluna.board.drawing.displays import draw_display
from games.novaluna.board.drawing.preview import draw_preview
from games.novaluna.board.drawing.turn_picture import draw_turn
from games.novaluna.board.events import describe_outcome
from games.novaluna.board.game_view import GameView
from games.novaluna.board.offers import describe_free_cells, describe_reach, offers
from games.novaluna.board.plan_notation import EXAMPLE, tiles_ahead
from games.novaluna.board.players import ranking
from games.novaluna.board.words import describe_tile, tile_name
from games.novaluna.engine import ORIGIN, Display, MultiplayerPosition, Place, Refill, RefillRule
from games.titles.mails import Offer


class NovaLunaMails:
    """The emails of Nova Luna."""

    mail_templates = "novaluna/mail"

    def offers(self, view: GameView) -> Sequence[Offer]:
        """Return up to five actions that look good."""
        return offers(view)

    def turn_values(self, view: GameView) -> Mapping[str, object]:
        """Return everybody's discs and time, the viewer's display, and the tiles and cells of a move."""
        display = view.newest.displays[view.first_seat]
        return {
            "can_refill": view.newest.refill is not RefillRule.NOT_ALLOWED,
            "cells": describe_free_cells(view),
            "display": display_rows(display),
            "example": EXAMPLE,
            "reach": describe_reach(view),
            "rows": score_rows(view),
            "tiles": _tile_names(display),
            "wheel": [describe_tile(tile) for tile in tiles_ahead(view.newest)],
        }

    def end_values(self, view: GameView) -> Mapping[str, object]:
        """Return everybody's discs and time, best first or, after a cancel, by seat; and the display."""
        rows, places = score_rows(view), ranking(view)
        return {
            "rows": [rows[place.person.seat] for place in places] or rows,
            "display": display_rows(view.newest.displays[view.first_seat]),
        }

    def move_values(self, view: GameView, action: Place | Refill | None) -> Mapping[str, object]:
        """Return the viewer's display, with the tile of an action."""
        position = view.newest.apply(action).position if isinstance(action, Place) else view.position
        seat = view.first_seat
        return {"display": draw_display(position.displays[seat], view.people[seat])}

    def describe_end(self, view: GameView) -> str:
        """Return what decided the game, or that it was cancelled."""
        assert view.game_over is not None, "the game is not over"
        return describe_turning_point(view) or f"{describe_outcome(view.game_over, view)}."

    def draw_turn(self, view: GameView) -> bytes:
        """Return the wheel with the tiles in reach, the moon track and the viewer's display."""
        return draw_turn(build_board(view))

    def draw_preview(self, view: GameView) -> bytes:
        """Return the wheel, and the displays of all."""
        return draw_preview(build_board(view))


def score_rows(view: GameView) -> list[dict[str, object]]:
    """Return each player's name, discs left and time, in seat order. In solo games the time is None."""
    position = view.position
    track = position.track if isinstance(position, MultiplayerPosition) else None
    return [
        {
            "name": person.name,
            "is_you": person.is_you,
            "discs": position.discs[person.seat],
            "time": track.time[person.seat] if track else None,
        }
        for person in view.people
    ]


def display_rows(display: Display) -> list[list[dict[str, object] | None]]:
    """Return the display as rows of cells, each with a colour word and a cost, or None if it is empty."""
    xs, ys = [cell.x for cell in display.tiles], [cell.y for cell in display.tiles]
    if not xs:
        return []
    tiles = {(cell.x, cell.y): tile for cell, tile in display.tiles.items()}
    return [
        [
            {"colour": tile.colour.word, "cost": tile.cost} if (tile := tiles.get((x, y))) else None
            for x in range(min(xs), max(xs) + 1)
        ]
        for y in range(min(ys), max(ys) + 1)
    ]


def _tile_names(display: Display) -> list[str]:
    """Return the tiles of a display with their cells, in the order in which they were placed."""
    names = [
        tile_name(tile) if cell == ORIGIN else f"{cell.name} {tile_name(tile)}"
        for cell, tile in display.tiles.items()
    ]
    return names or [_("no tile yet")]
