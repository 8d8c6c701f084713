"""Deals: committed to at the start of a game, opened when the last game on them is over."""

import hashlib
from collections.abc import Sequence

from games.engine import Mode, Setup
from games.models import Deal, Game


def committed_text(salt: str, deck: Sequence[str], start_order: Sequence[int]) -> str:
    """Return the text whose SHA-256 everybody sees when the game starts."""
    return f"{salt} {' '.join(deck)} {' '.join(map(str, start_order))}"


def commitment(salt: str, deck: Sequence[str], start_order: Sequence[int]) -> str:
    """Return the SHA-256 of the committed text, in hex.

    >>> commitment("00ff", ["B1", "R1"], [1, 0])[:16]
    '27b62b03c28f4bd8'
    """
    return hashlib.sha256(committed_text(salt, deck, start_order).encode()).hexdigest()


def deal_of(game: Game) -> Deal:
    """Return the deal of a started game, secrets included; raise ValueError for a table that has none yet."""
    if game.deal is None:
        raise ValueError(f"Table {game.key} has not started: it has no deal yet.")
    return game.deal


def setup_of(game: Game) -> Setup:
    """Return what the engine needs to start this game, the secret deck included."""
    deal = deal_of(game)
    return Setup(
        mode=Mode(game.mode),
        seats=game.seat_count,
        goal_discs=game.goal_discs,
        start_order=tuple(deal.start_order),
        deck=tuple(deal.deck),
    )


def opened_deal(game: Game) -> Deal | None:
    """Return the deal once the last game on it is over, else nothing."""
    if game.deal is None or game.deal.games.exclude(status=Game.Status.OVER).exists():
        return None
    return game.deal


def opened_text(game: Game) -> str:
    """Return the text behind the commitment once the last game on the deal is over, else nothing."""
    deal = opened_deal(game)
    return committed_text(deal.salt, deal.deck, deal.start_order) if deal else ""


def deal_is_as_committed(deal: Deal) -> bool:
    """Whether the stored deck and start order are those that the commitment was made for."""
    return commitment(deal.salt, deal.deck, deal.start_order) == deal.commitment
