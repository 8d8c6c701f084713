"""What viewers may know of a deal: first its commitment and nonces, its text after its last game."""

from dataclasses import dataclass

from accounts.models import Viewer
from games.log.deals import commitment_to, deal_of, revealed_deal, revealed_text, secret_for
from games.log.records import record_of
from games.models import Deal, Game, Seat


@dataclass(frozen=True)
class PublicDeal:
    """The commitment to a deal, and the text behind it, which is empty until the last game on it is over.

    The text of a mixed deal is its secret.
    """

    commitment: str
    revealed_text: str
    is_mixed: bool

    @property
    def is_opened(self) -> bool:
        """Whether everybody may check the deal."""
        return bool(self.revealed_text)


@dataclass(frozen=True)
class SeatNonce:
    """What is mixed into a deal for a seat: nothing, if it is free or a bot's.

    In a later game on the same deal, it is the nonce of the seat in the first game.
    """

    seat: Seat
    nonce: str
    is_of_first_game: bool
    is_yours: bool


def public_deal(game: Game) -> PublicDeal:
    """Return what every viewer may know of the deal of a game, or of a table that has one."""
    deal = deal_of(game)
    return PublicDeal(deal.commitment, revealed_text(game), deal.rule == Deal.Rule.MIXED)


def seat_nonces(game: Game, viewer: Viewer) -> list[SeatNonce]:
    """Return the nonces of the seats in their order."""
    seats = list(game.seats.select_related("user").order_by("number"))
    mixed = deal_of(game).nonces or [seat.nonce for seat in seats]
    return [
        SeatNonce(seat, nonce, nonce != seat.nonce, seat.is_of(viewer))
        for seat, nonce in zip(seats, mixed, strict=True)
    ]


def own_nonce(game: Game, viewer: Viewer) -> str:
    """Return the nonce of the viewer's seat; empty if there is none."""
    return game.seats.of(viewer).values_list("nonce", flat=True).first() or ""


def commitment_for(ticket: str) -> str:
    """Return the commitment to the secret of the table that a form with this ticket opens."""
    return commitment_to(secret_for(ticket))


def public_record(game: Game) -> dict[str, object] | None:
    """Return the record of a game, which has the whole deck; None until the last game on its deal is over."""
    return None if revealed_deal(game) is None else record_of(game)
