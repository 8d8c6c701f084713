"""The deals of tables: the site commits to a secret, each person adds a nonce, and the start mixes them."""

import secrets

from games.log.deals import commitment_to, drawn_deal, mixed_deal, secret_for
from games.models import Deal, Game, Seat
from games.novaluna.engine import TILES

random = secrets.SystemRandom()


def commit_deal(ticket: str) -> Deal:
    """Store a deal with the secret for this ticket, and return it; its deck follows when the game starts.

    If the secret has been used, as when somebody sends the form of another person, the secret is a new one.
    """
    deal, is_new = _store(secret_for(ticket))
    return deal if is_new else _store(secrets.token_hex(32))[0]


def _store(secret: str) -> tuple[Deal, bool]:
    """Store a deal with this secret, if it is the first one, and return it and whether it is."""
    return Deal.objects.get_or_create(
        rule=Deal.Rule.MIXED,
        commitment=commitment_to(secret),
        defaults={"salt": secret, "deck": [], "start_order": []},
    )


def mix_in(game: Game, seat: Seat, nonce: str) -> None:
    """Give a seat the nonce of the person who takes it, or a new one if they sent none; the caller stores it.

    People who accept by email, or whose browser runs no scripts, send none. Does nothing if the deck is fixed
    already, as that of a daily deal, or if the table was opened before there were mixed deals.
    """
    if game.deal is None or game.deal.is_dealt:
        return
    seat.nonce, seat.has_own_nonce = own_or_new_nonce(nonce)


def own_or_new_nonce(nonce: str) -> tuple[str, bool]:
    """Return the nonce of a person, or a new one if they sent none, and whether it is their own."""
    return nonce or secrets.token_hex(16), bool(nonce)


def deal_out(game: Game) -> Deal:
    """Return the deal of a game that starts now, stored with its deck and start order."""
    if game.deal is None:
        return _draw_deal(game.seat_count)
    if game.deal.is_dealt:
        return game.deal
    mix(game.deal, list(game.seats.order_by("number").values_list("nonce", flat=True)))
    return game.deal


def mix(deal: Deal, nonces: list[str]) -> None:
    """Mix a deal from its secret and the nonces of the seats, and store it."""
    deal.nonces = nonces
    deal.deck, deal.start_order = mixed_deal(deal.salt, nonces)
    deal.save(update_fields=["nonces", "deck", "start_order"])


def _draw_deal(seats: int) -> Deal:
    """Draw and store the deal of a table that was opened before there were mixed deals."""
    deck, start_order = list(TILES), list(range(seats))
    random.shuffle(deck)
    random.shuffle(start_order)
    deal = drawn_deal(deck, start_order, secrets.token_hex(32))
    deal.save()
    return deal
