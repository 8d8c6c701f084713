"""What viewers may know of a deal: its commitment from the start, its text after its last game."""

from dataclasses import dataclass

from games.log.deals import deal_of, revealed_deal, revealed_text
from games.log.records import record_of
from games.models import Game


@dataclass(frozen=True)
class PublicDeal:
    """The commitment to a deal, and the text behind it, which is empty until the last game on it is over."""

    commitment: str
    revealed_text: str


def public_deal(game: Game) -> PublicDeal:
    """Return what every viewer may know of the deal of a started game."""
    return PublicDeal(deal_of(game).commitment, revealed_text(game))


def public_record(game: Game) -> dict[str, object] | None:
    """Return the record of a game, which has the whole deck; None until the last game on its deal is over."""
    return None if revealed_deal(game) is None else record_of(game)
