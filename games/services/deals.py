"""The deals of tables: the site commits to a secret, each person adds a nonce, and the start mixes them."""

import secrets

from games.log.deals import commitment_to, deal_of, drawn_deal, mixed_deal, secret_for
from games.models import DEALT, Deal, Game, Seat
from games.titles.registry import title_named


def commit_deal(title: str, ticket: str) -> Deal:
    """Store a deal of a title with the secret for this ticket, and return it; it is dealt at the start.

    If the secret has been used, as when somebody sends the form of another person, the secret is a new one.
    """
    deal, is_new = _store(title, secret_for(ticket))
    return deal if is_new else _store(title, secrets.token_hex(32))[0]


def _store(title: str, secret: str) -> tuple[Deal, bool]:
    """Store a deal with this secret, if it is the first one, and return it and whether it is."""
    return Deal.objects.get_or_create(
        rule=Deal.Rule.MIXED,
        commitment=commitment_to(secret),
        defaults={"title": title, "salt": secret, "deck": [], "start_order": []},
    )


def mix_in(game: Game, seat: Seat, nonce: str) -> None:
    """Give a seat the nonce of the person who takes it, or a new one if they sent none; the caller stores it.

    People who accept by email, or whose browser runs no scripts, send none. Does nothing if the deal is fixed
    already, as that of a day, or if the table was opened before there were mixed deals.
    """
    if game.deal is None or game.deal.is_dealt:
        return
    seat.nonce, seat.has_own_nonce = own_or_new_nonce(nonce)


def own_or_new_nonce(nonce: str) -> tuple[str, bool]:
    """Return the nonce of a person, or a new one if they sent none, and whether it is their own."""
    return nonce or secrets.token_hex(16), bool(nonce)


def deal_out(game: Game) -> Deal:
    """Return the deal of a game that starts now, stored with all that is dealt."""
    if game.deal is None:
        return _draw_deal(game)
    if not game.deal.is_dealt:
        mix(game, list(game.seats.order_by("number").values_list("nonce", flat=True)))
    return game.deal


def mix(game: Game, nonces: list[str]) -> None:
    """Mix the deal of a game, which need not be stored, from its secret and nonces, and store the deal."""
    deal, rules = deal_of(game), title_named(game.title).rules
    deal.nonces = nonces
    deal.fix(mixed_deal(rules, deal.salt, nonces, game.all_options))
    deal.save(update_fields=["nonces", *DEALT])


def _draw_deal(game: Game) -> Deal:
    """Draw and store the deal of a table that was opened before there were mixed deals."""
    dealt = title_named(game.title).rules.deal(secrets.token_bytes(32), game.seat_count, game.all_options)
    deal = drawn_deal(game.title, dealt, secrets.token_hex(32))
    deal.save()
    return deal
