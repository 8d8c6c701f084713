"""What viewers may know of a deal: the commitment from the start, and the deal itself after its last game."""

from dataclasses import dataclass

from games.log.deals import deal_of, opened_deal, opened_text
from games.log.records import record_of
from games.models import Game


@dataclass(frozen=True)
class PublicDeal:
    """The commitment to a deal, and the text behind it once the last game on the deal is over."""

    commitment: str
    opened_text: str


def public_deal(game: Game) -> PublicDeal:
    """Return what everybody may know of the deal of a started game."""
    return PublicDeal(deal_of(game).commitment, opened_text(game))


def public_record(game: Game) -> dict[str, object] | None:
    """Return the record of a game, which has the whole deck; None until the last game on its deal is over."""
    return None if opened_deal(game) is None else record_of(game)
