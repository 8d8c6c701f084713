"""Deals: how the site and the players make them, and how the site commits to its part.

A mixed deal follows from a secret of the site and a nonce of each person. The commitment to the secret is
public when the table opens, and the secret when the last game on the deal is over. A daily deal is drawn by
the site alone: its commitment is public from the start of its day, and its text at the end. Games from before
there were mixed deals are drawn too.
"""

import hashlib
import hmac
from collections.abc import Sequence
from datetime import date
from typing import cast

from django.utils.crypto import salted_hmac

from games.models import FIRST_TITLE, Deal, Game, seats_of
from games.novaluna.engine import TILES
from games.titles.registry import title_named
from games.titles.rules import Setup
from games.titles.shuffles import shuffled

NO_NONCE = "-"  # of a bot's seat


def commitment_to(text: str) -> str:
    """Return the SHA-256 of a text, in hex, which commits the site to the text.

    >>> commitment_to("00ff B1 R1 1 0")[:16]
    '27b62b03c28f4bd8'
    """
    return hashlib.sha256(text.encode()).hexdigest()


def secret_for(ticket: str) -> str:
    """Return the secret of the deal of a table, in hex, for a text that belongs to the request to open it.

    It follows from the ticket, so that the page with the form can show the commitment before the form is
    sent. Nobody without the secret key of the site can know it.
    """
    return salted_hmac("games.deal", ticket, algorithm="sha256").hexdigest()


def mixed_deal(secret: str, nonces: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the deck and the start order that follow from a secret and the nonces of the seats.

    The empty nonce is that of a bot's seat. The docs describe this rule: docs/deals.md.

    >>> deck, start_order = mixed_deal("5ec2e7", ["00ff", ""])
    >>> deck[:4], start_order
    (['Y3b', 'T3b', 'T5a', 'Y4c'], [0, 1])
    """
    message = " ".join(nonce or NO_NONCE for nonce in nonces)
    seed = hmac.digest(secret.encode(), message.encode(), "sha256")
    dealt = title_named(FIRST_TITLE).rules.deal(seed, len(nonces), {})
    return cast("list[str]", dealt["deck"]), cast("list[int]", dealt["start_order"])


def drawn_deal(deck: Sequence[str], start_order: Sequence[int], salt: str) -> Deal:
    """Return a deal that the site alone has drawn, unsaved, with the commitment to it."""
    deal = Deal(rule=Deal.Rule.DRAWN, deck=deck, start_order=start_order, salt=salt)
    deal.commitment = commitment_to(text_of(deal))
    return deal


def daily_deal(day: date) -> Deal:
    """Return the deal of a day for one player, unsaved.

    It depends on the day and the secret key of the site, so nobody without the key can know it in advance.
    """
    seed = salted_hmac("games.daily_deal", day.isoformat(), algorithm="sha256").digest()
    return drawn_deal(shuffled(list(TILES), seed), [0], hmac.digest(seed, b"salt", "sha256").hex())


def deal_of(game: Game) -> Deal:
    """Return the deal of a game with its secrets. Raises ValueError for a table that has none yet."""
    if game.deal is None:
        raise ValueError(f"Table {game.key} has not started: it has no deal yet.")
    return game.deal


def setup_of(game: Game) -> Setup:
    """Return the setup from which the title starts this game; it contains the secret deal."""
    deal = deal_of(game)
    return Setup(
        game.seat_count, {"discs": game.goal_discs}, {"deck": deal.deck, "start_order": deal.start_order}
    )


def revealed_deal(game: Game) -> Deal | None:
    """Return the deal after people's last game on it or, for a daily deal, after its day; None before."""
    if game.deal is None or game.is_open:
        return None
    if game.daily is not None:
        return game.deal if game.daily.is_over else None
    if not game.is_over and any(not seat.bot for seat in seats_of(game)):
        return None
    return None if game.deal.games.played_by_people().exists() else game.deal


def revealed_text(game: Game) -> str:
    """Return the text behind the commitment after the last game on the deal is over; empty before."""
    deal = revealed_deal(game)
    return text_of(deal) if deal else ""


def text_of(deal: Deal) -> str:
    """Return the text behind the commitment to a deal, which is secret until the deal is revealed.

    It is the secret of a mixed deal, or else the salt, the deck and the start order.
    """
    if deal.rule == Deal.Rule.MIXED:
        return deal.salt
    return f"{deal.salt} {' '.join(deal.deck)} {' '.join(map(str, deal.start_order))}"


def matches_commitment(deal: Deal) -> bool:
    """Return whether the stored deck, start order, salt and nonces of a deal agree with its commitment."""
    if commitment_to(text_of(deal)) != deal.commitment:
        return False
    if deal.rule == Deal.Rule.DRAWN:
        return True
    if deal.nonces is None:  # The game has not started.
        return not deal.deck and not deal.start_order
    return (deal.deck, deal.start_order) == mixed_deal(deal.salt, deal.nonces)
