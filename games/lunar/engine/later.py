"""What a seat that waits can do on its next turn, as far as it can know."""

from games.lunar.engine.actions import Play
from games.lunar.engine.facts import FLIPS, Stage
from games.lunar.engine.position import Position
from games.lunar.engine.tables import TRICKS
from games.lunar.engine.tricks import CARDS


def turns_tile(position: Position, seat: int) -> bool:
    """Return whether a seat turns a trump tile on its next turn; if it is awaited, on the one after this."""
    if position.stage not in (Stage.PASSING, Stage.TRUMP):
        return False
    turned = len(position.flips) + (position.stage is Stage.TRUMP and seat in position.awaited)
    return seat in {(position.start_player + number) % position.seats for number in range(turned, FLIPS)}


def plays_to_trick(position: Position, seat: int) -> bool:
    """Return whether a seat still plays a card to the trick that runs."""
    if position.stage is not Stage.PLAY:
        return False
    places = range(len(position.trick), CARDS)
    return seat in {(position.next_leader + place) % position.seats for place in places}


def plays_no_more(position: Position, seat: int) -> bool:
    """Return whether a seat has played its last card of the round."""
    is_last = position.stage is Stage.PLAY and len(position.tricks) == TRICKS - 1
    return is_last and not plays_to_trick(position, seat)


def check_later(play: Play, position: Position) -> None:
    """Raise IllegalAction if what is in the trick already forbids a card on the next turn of its seat.

    What a trick forbids, it forbids to its end: a side keeps its first card, and a trick its lead suit.
    """
    if plays_to_trick(position, play.seat):
        position.check_play(play)
