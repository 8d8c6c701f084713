"""Deals: how a site commits to the deal of a game.

The commitment is public from the start of a game, and its text when the last game on the deal is over. For a
daily deal, that is the start and the end of its day.
"""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import date

from django.utils.crypto import salted_hmac

from games.engine import TILES, Mode, Setup
from games.log.shuffles import shuffled
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


def daily_deal(day: date) -> Deal:
    """Return the deal of a day for one player, unsaved.

    It depends on the day and the secret key of the site, so nobody without the key can know it in advance.
    """
    seed = salted_hmac("games.daily_deal", day.isoformat(), algorithm="sha256").digest()
    deck, start_order, salt = shuffled(list(TILES), seed), [0], hmac.digest(seed, b"salt", "sha256").hex()
    return Deal(deck=deck, start_order=start_order, salt=salt, commitment=commitment(salt, deck, start_order))


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
    """Return the deal after people's last game on it or, for a daily deal, after its day; None before."""
    if game.deal is None:
        return None
    if game.daily is not None:
        return game.deal if game.daily.is_over else None
    unfinished = game.deal.games.exclude(status=Game.Status.OVER)
    return None if unfinished.filter(seats__bot="").exists() else game.deal


def revealed_text(game: Game) -> str:
    """Return the text behind the commitment after the last game on the deal is over; empty before."""
    deal = revealed_deal(game)
    return text_of(deal) if deal else ""


def text_of(deal: Deal) -> str:
    """Return the text behind the commitment to a deal, which is secret until the deal is revealed."""
    return committed_text(deal.salt, deal.deck, deal.start_order)


def matches_commitment(deal: Deal) -> bool:
    """Return whether the stored deck, start order and salt give the stored commitment."""
    return commitment(deal.salt, deal.deck, deal.start_order) == deal.commitment
