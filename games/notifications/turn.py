"""The kind of notification for a player's turn."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from games.models import Game, Notification
from games.notifications.kind import Kind, move_by
from games.novaluna.board.events import describe_step
from games.novaluna.board.game_view import GameView
from games.novaluna.board.offers import describe_free_cells, describe_reach, offers
from games.novaluna.board.plan import describe_played_plan
from games.novaluna.board.words import tile_name
from games.novaluna.engine import ORIGIN, Display, MultiplayerPosition, RefillRule
from games.queries.mail_links import MailTurn, move_url, reply_address_for
from games.queries.pictures import turn_picture_of
from games.queries.viewing import view_game


class TurnKind(Kind):
    """A player is owed one such notification for each turn in a game with others."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "turn over" or "newer turn"; empty while the user is to move."""
        game, user = notification.game, notification.user
        if not Game.objects.waiting_for(user).filter(pk=game.pk).exists():
            return "turn over"
        return "newer turn" if Notification.objects.later_than(notification).exists() else ""

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return what happened since the player's last turn.

        It has the actions since then, moves that look good, everybody's discs and time, and the player's
        display.
        """
        view = view_game(notification.game, notification.user)
        assert view.viewer is not None, "the user has no seat"
        turn = MailTurn(notification.game, notification.user, view.viewer, view.version + 1)
        return {
            "opponents": view.opponents,
            "move_by": move_by(notification.game, notification.user),
            "sentences": [*_played_plan(view), *_sentences_since(view)],
            "offers": [(offer, move_url(turn, offer.notation)) for offer in offers(view)],
            "reply_to": reply_address_for(turn),
            "cells": describe_free_cells(view),
            "can_refill": view.newest.refill is not RefillRule.NOT_ALLOWED,
            "rows": score_rows(view),
            "display": display_rows(view.position.displays[view.viewer]),
            "tiles": _tile_names(view.position.displays[view.viewer]),
            "reach": describe_reach(view),
        }

    def draw(self, notification: Notification) -> bytes:
        """Return the wheel with the tiles in reach, the moon track and the player's display."""
        return turn_picture_of(notification.game, view_game(notification.game, notification.user))


def _tile_names(display: Display) -> list[str]:
    """Return the tiles of a display with their cells, in the order in which they were placed."""
    names = [
        tile_name(tile) if cell == ORIGIN else f"{cell.name} {tile_name(tile)}"
        for cell, tile in display.tiles.items()
    ]
    return names or [_("no tile yet")]


def _played_plan(view: GameView) -> Sequence[str]:
    played = describe_played_plan(view)
    return [played.rstrip(".")] if played else []


def _sentences_since(view: GameView) -> Sequence[str]:
    """Return the actions after the viewer's last one in words, oldest first."""
    own = [number for number, step in enumerate(view.steps, 1) if step.seat == view.viewer]
    since = range(own[-1] + 1 if own else 1, view.version + 1)
    return [describe_step(view.steps[number - 1], view.as_played(number)) for number in since]


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
