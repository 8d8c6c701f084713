"""The rules of Nova Luna, as a library.

A position is an immutable value. Applying an action returns a step: the action, the next position and the
events.

>>> setup = Setup(Mode.MULTIPLAYER, 2, 20, (1, 0), tuple(TILES))
>>> position = start(setup)
>>> position.to_move, [tile.code for tile in position.in_reach]
(1, ['B1', 'B2a', 'B2b'])
>>> step = position.apply(Place(1, "B2a", 0, 0))
>>> step.position.track.time, step.position.to_move
((0, 2), 0)
>>> step.position.apply(Refill(0))
Traceback (most recent call last):
games.novaluna.engine.errors.RefillNotAllowed: The moon wheel cannot be refilled now.
"""

from games.novaluna.engine.actions import Action, Place, Refill, action_from_json, action_to_json
from games.novaluna.engine.cells import ORIGIN, Cell
from games.novaluna.engine.display import Display, GoalAt, Support
from games.novaluna.engine.errors import (
    BadAction,
    BadRecord,
    CellNotAvailable,
    EngineError,
    GameIsOver,
    HiddenDeck,
    IllegalAction,
    RefillNotAllowed,
    RefillRequired,
    TileNotAvailable,
    UnknownRules,
    WrongSeat,
)
from games.novaluna.engine.events import (
    Ending,
    Event,
    GameOver,
    GoalsCompleted,
    PhaseEnded,
    SeatLeft,
    TilesRevealed,
    TileTaken,
)
from games.novaluna.engine.moon_track import TRACK_SPACES, MoonTrack
from games.novaluna.engine.multiplayer import MultiplayerPosition
from games.novaluna.engine.position import LegalActions, Position, RefillRule, Step
from games.novaluna.engine.records import LONGEST_RECORD, Record, read_record, record_from_json, write_record
from games.novaluna.engine.setup import MOST_DISCS, SOLO_DISCS, Mode, Setup
from games.novaluna.engine.solo import DISC_PENALTY, SoloPosition
from games.novaluna.engine.tiles import COLOURS, TILES, Colour, Goal, Tile
from games.novaluna.engine.versions import RULES, RULES_VERSION, Rules, replay, rules, start
from games.novaluna.engine.wheel import Wheel
from games.titles.actions import Cancel, Resign

__all__ = [
    "COLOURS",
    "DISC_PENALTY",
    "LONGEST_RECORD",
    "MOST_DISCS",
    "ORIGIN",
    "RULES",
    "RULES_VERSION",
    "SOLO_DISCS",
    "TILES",
    "TRACK_SPACES",
    "Action",
    "BadAction",
    "BadRecord",
    "Cancel",
    "Cell",
    "CellNotAvailable",
    "Colour",
    "Display",
    "Ending",
    "EngineError",
    "Event",
    "GameIsOver",
    "GameOver",
    "Goal",
    "GoalAt",
    "GoalsCompleted",
    "HiddenDeck",
    "IllegalAction",
    "LegalActions",
    "Mode",
    "MoonTrack",
    "MultiplayerPosition",
    "PhaseEnded",
    "Place",
    "Position",
    "Record",
    "Refill",
    "RefillNotAllowed",
    "RefillRequired",
    "RefillRule",
    "Resign",
    "Rules",
    "SeatLeft",
    "Setup",
    "SoloPosition",
    "Step",
    "Support",
    "Tile",
    "TileNotAvailable",
    "TileTaken",
    "TilesRevealed",
    "UnknownRules",
    "Wheel",
    "WrongSeat",
    "action_from_json",
    "action_to_json",
    "read_record",
    "record_from_json",
    "replay",
    "rules",
    "start",
    "write_record",
]
