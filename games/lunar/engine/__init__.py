"""The rules of LUNAR, as a library.

A position is an immutable value. Applying an action returns a step: the action, the next position and the
events.

>>> position = Position.start(Setup(2, leads=(1, 0)), SeedDealer(b"moon", Stars.SUITS))
>>> position.stage.value, sorted(position.awaited), position.hands[1]
('trump', [1], ('1', '2', '2', '3', '5', '6', 'W', 'O', 'L', 'L*', 'B', 'B'))
>>> step = position.apply(Flip(1, Suit.BAT))
>>> step.position.tiles, sorted(step.position.awaited)
((<Suit.WOLF: 'W'>, <Suit.OWL: 'O'>, <Suit.LYNX: 'L'>), [0])
>>> step.position.apply(Flip(0, Suit.BAT))
Traceback (most recent call last):
games.lunar.engine.errors.TileNotAvailable: The tile is face down already.
"""

from games.lunar.engine.actions import Action, Flip, Pass, Play, Source, action_from_json, action_to_json
from games.lunar.engine.cards import RANKS, SUITS, Card, Deck, Kind, Stars, Suit, deck_of, in_order
from games.lunar.engine.errors import (
    BadAction,
    BadRecord,
    CardNotAvailable,
    GameIsOver,
    HiddenCards,
    MustFollow,
    TileNotAvailable,
    WrongKind,
    WrongSeat,
    WrongStage,
)
from games.lunar.engine.events import (
    CardsPassed,
    Event,
    RoundEnded,
    RoundResult,
    SkyFilled,
    TrickWon,
    TrumpSet,
)
from games.lunar.engine.facts import Ending, Stage
from games.lunar.engine.guesses import deal_suits, passed_to, played_cards, unseen, voids
from games.lunar.engine.legal import LegalActions
from games.lunar.engine.position import Position, Step
from games.lunar.engine.position_records import read_position, write_position
from games.lunar.engine.records import read_record, write_record
from games.lunar.engine.setup import SEAT_COUNTS, Dealer, ListDealer, SeedDealer, Setup, draw_leads, side_of
from games.lunar.engine.states import state_of
from games.lunar.engine.tables import GOAL, HOUSE_POINTS, HOUSE_STARS, TRICKS, may_never_end
from games.lunar.engine.tricks import Played, Trick, lead_suit_of, winner_of

__all__ = [
    "GOAL",
    "HOUSE_POINTS",
    "HOUSE_STARS",
    "RANKS",
    "SEAT_COUNTS",
    "SUITS",
    "TRICKS",
    "Action",
    "BadAction",
    "BadRecord",
    "Card",
    "CardNotAvailable",
    "CardsPassed",
    "Dealer",
    "Deck",
    "Ending",
    "Event",
    "Flip",
    "GameIsOver",
    "HiddenCards",
    "Kind",
    "LegalActions",
    "ListDealer",
    "MustFollow",
    "Pass",
    "Play",
    "Played",
    "Position",
    "RoundEnded",
    "RoundResult",
    "SeedDealer",
    "Setup",
    "SkyFilled",
    "Source",
    "Stage",
    "Stars",
    "Step",
    "Suit",
    "TileNotAvailable",
    "Trick",
    "TrickWon",
    "TrumpSet",
    "WrongKind",
    "WrongSeat",
    "WrongStage",
    "action_from_json",
    "action_to_json",
    "deal_suits",
    "deck_of",
    "draw_leads",
    "in_order",
    "lead_suit_of",
    "may_never_end",
    "passed_to",
    "played_cards",
    "read_position",
    "read_record",
    "side_of",
    "state_of",
    "unseen",
    "voids",
    "winner_of",
    "write_position",
    "write_record",
]
