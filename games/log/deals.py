"""Deals: how a site commits to the deal of a game.

The commitment is public from the start of a game, and its text when the last game on the deal is over.
"""

import hashlib
from collections.abc import Sequence

from games.engine import Mode, Setup
from games.models import Deal, Game


def committed_text(salt: str, deck: Sequence[str], start_order: Sequence[int]) -> str:
    """Return the text of a deal. Its SHA-256 is the commitment, which is public when the game starts."""
    return f"{salt} {' '.join(deck)} {' '.join(map(str, start_order))}"


def commitment(salt: str, deck: Sequence[str], start_order: Sequence[int]) -> str:
    """Return the SHA-256 of the committed text, in hex.

    >>> commitment("00ff", ["B1", "R1"], [1, 0])[:16]
    '27b62b03c28f4bd8'
    """
    return hashlib.sha256(committed_text(salt, deck, start_order).encode()).hexdigest()


def deal_of(game: Game) -> Deal:
    """Return the deal of a started game with its secrets. Raises ValueError for a table, which has none."""
    if game.deal is None:
        raise ValueError(f"Table {game.key} has not started: it has no deal yet.")
    return game.deal


def setup_of(game: Game) -> Setup:
    """Return the setup from which the engine starts this game; it contains the secret deck."""
    deal = deal_of(game)
    return Setup(
        mode=Mode(game.mode),
        seats=game.seat_count,
        goal_discs=game.goal_discs,
        start_order=tuple(deal.start_order),
        deck=tuple(deal.deck),
    )


def revealed_deal(game: Game) -> Deal | None:
    """Return the deal after the last game on it is over; None before."""
    if game.deal is None or game.deal.games.exclude(status=Game.Status.OVER).exists():
        return None
    return game.deal


def revealed_text(game: Game) -> str:
    """Return the text behind the commitment after the last game on the deal is over; empty before."""
    deal = revealed_deal(game)
    return committed_text(deal.salt, deal.deck, deal.start_order) if deal else ""


def matches_commitment(deal: Deal) -> bool:
    """Return whether the stored deck, start order and salt give the stored commitment."""
    return commitment(deal.salt, deal.deck, deal.start_order) == deal.commitment
