"""The protocol of bots: one line of JSON with a position in, one line with an action out."""

import json
import random

from games.novaluna.bots.levels import choose
from games.novaluna.bots.thinking import Budget
from games.novaluna.engine import (
    BadRecord,
    EngineError,
    GameIsOver,
    HiddenDeck,
    Position,
    action_to_json,
    read_record,
    replay,
    start,
)


def read_position(line: bytes | str) -> tuple[Position, int]:
    """Return the public position at the end of a record, and the number of actions that led to it.

    The line is a record or a position record. The deck of the position has only the tiles revealed so far.
    Raises BadRecord or IllegalAction if the line is not the record of a legal game.
    """
    if not line.strip():
        raise BadRecord("The line is empty: a position record as one JSON object was expected.")
    record = read_record(line, whole=False)
    position = start(record.setup)
    try:
        for step in replay(record.setup, record.actions):
            position = step.position
    except HiddenDeck:
        raise BadRecord("The deck has fewer tiles than the actions revealed.") from None
    return position.public(), len(record.actions)


def answer(line: bytes | str, level: str, seed: int | None = None, budget: Budget | None = None) -> str:
    """Return a bot's answer to a line, as a line of JSON: an action or an error.

    With a seed and `budget.rollouts`, the answer depends only on the position and on the number of actions
    that led to it.
    """
    try:
        position, number = read_position(line)
        if position.to_move is None:
            raise GameIsOver("The game is over: no seat is to move.")
    except EngineError as error:
        return json.dumps({"error": error.code, "message": str(error)})
    rng = random.Random() if seed is None else random.Random(f"{seed}/{number}")
    return json.dumps(action_to_json(choose(position, position.to_move, level, rng, budget)))
