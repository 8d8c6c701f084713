"""Deals: how the site and the players make them, and how the site commits to its part.

A mixed deal follows from a secret of the site and a nonce of each person. The commitment to the secret is
public when the table opens, and the secret when the last game on the deal is over. A daily deal is drawn by
the site alone: its commitment is public from the start of its day, and its text at the end. Games from before
there were mixed deals are drawn too.
"""

import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from django.utils.crypto import salted_hmac

from games.models import Deal, Game, seats_of
from games.titles.registry import Title, title_named
from games.titles.rules import AnyRules, Setup

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


def mixed_deal(
    rules: AnyRules, secret: str, nonces: Sequence[str], options: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the deal of a title that follows from a secret and the nonces of the seats.

    The empty nonce is that of a bot's seat. The docs describe this rule: docs/deals.md.
    """
    return rules.deal(mixed_seed(secret, nonces), len(nonces), options)


def mixed_seed(secret: str, nonces: Sequence[str]) -> bytes:
    """Return the seed that follows from a secret and the nonces of the seats.

    >>> mixed_seed("5ec2e7", ["00ff", ""]).hex()[:16]
    '554edc7767b6fa57'
    """
    message = " ".join(nonce or NO_NONCE for nonce in nonces)
    return hmac.digest(secret.encode(), message.encode(), "sha256")


def drawn_deal(title: str, dealt: Mapping[str, object], salt: str) -> Deal:
    """Return a deal of a title that the site alone has drawn, unsaved, with the commitment to it."""
    deal = Deal(rule=Deal.Rule.DRAWN, title=title, salt=salt)
    deal.fix(dealt)
    deal.commitment = commitment_to(text_of(deal))
    return deal


def daily_deal(title: Title, day: date) -> Deal:
    """Return the deal of a day for one player, unsaved.

    It depends on the day and the secret key of the site, so nobody without the key can know it in advance.
    """
    seed = salted_hmac("games.daily_deal", day.isoformat(), algorithm="sha256").digest()
    dealt = title.rules.deal(seed, 1, title.rules.checked_options({}, 1))
    return drawn_deal(title.key, dealt, hmac.digest(seed, b"salt", "sha256").hex())


def deal_of(game: Game) -> Deal:
    """Return the deal of a game with its secrets. Raises ValueError for a table that has none yet."""
    if game.deal is None:
        raise ValueError(f"Table {game.key} has not started: it has no deal yet.")
    return game.deal


def setup_of(game: Game) -> Setup:
    """Return the setup from which the title starts this game; it contains the secret deal.

    Raises ValueError for a table, which has none yet.
    """
    dealt = deal_of(game).contents
    if dealt is None:
        raise ValueError(f"Table {game.key} has not started: nothing is dealt yet.")
    return Setup(game.seat_count, game.all_options, dealt)


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

    It is the secret of a mixed deal, or else the salt and all that is dealt.
    """
    if deal.rule == Deal.Rule.MIXED:
        return deal.salt
    return " ".join([deal.salt, *_values_in(deal.contents)])


def _values_in(dealt: object) -> Iterator[str]:
    """Yield the numbers and texts of a deal in order, those of an object by the alphabet of their names."""
    if isinstance(dealt, Mapping):
        dealt = [dealt[name] for name in sorted(dealt)]
    if isinstance(dealt, list):
        for part in dealt:
            yield from _values_in(part)
    else:
        yield str(dealt)


def matches_commitment(game: Game) -> bool:
    """Return whether the stored deal of a game, with its salt and nonces, agrees with its commitment."""
    deal = deal_of(game)
    if commitment_to(text_of(deal)) != deal.commitment:
        return False
    if deal.rule == Deal.Rule.DRAWN:
        return True
    if deal.nonces is None:  # The game has not started.
        return not deal.is_dealt
    rules = title_named(game.title).rules
    return deal.contents == mixed_deal(rules, deal.salt, deal.nonces, game.all_options)
