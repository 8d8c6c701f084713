"""Deals that players check, and what pages show of them."""

import json
import re
from typing import Any

from django.test import Client

from games.models import Game
from tests.play import play_out

NONCE, OTHER = "0123456789abcdef" * 2, "fedcba9876543210" * 2


def record_of(game: Game) -> dict[str, Any]:
    """Return the record of a game after playing it to its end."""
    play_out(game)
    return json.loads(Client().get(f"/g/{game.key}/record.json").content)


def shown_on(page: str) -> list[str]:
    """Return all hexadecimal numbers on a page that are long enough for a commitment, secret or nonce."""
    return re.findall(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{32}\b", page)
