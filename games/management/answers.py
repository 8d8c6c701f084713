"""The protocol of programs that play: one line of JSON with a position in, one line with an action out."""

import json
import random

from games.titles.bots import Bots, Budget
from games.titles.records import BadRecord, read_json
from games.titles.rules import AnyPosition, AnyRules, IllegalAction, UnknownRules


def read_position(rules: AnyRules, line: bytes | str) -> tuple[AnyPosition, int, int]:
    """Return the position at the end of a record, the seat that acts, and the number of actions before.

    The line is a record, which may lack what nobody knows yet. If several seats are awaited, its key `seat`
    says which of them acts; without it, it is the first. The position is as this seat sees it. Raises
    BadRecord, UnknownRules or IllegalAction if the line is not the record of a legal game that goes on.
    """
    if not line.strip():
        raise BadRecord("The line is empty: a position record as one JSON object was expected.")
    record = read_json(line)
    position = rules.read_position(record)
    if not position.awaited:
        raise GameOver("The game is over: no seat is to move.")
    seat = record.get("seat", min(position.awaited))
    if seat not in position.awaited:
        raise BadRecord("The seat of the record is not awaited.")
    actions = record["actions"]
    return position.seen_by(seat), seat, len(actions)


class GameOver(IllegalAction):
    """The game of a record is over."""

    code = "game_over"


def answer(
    rules: AnyRules,
    bots: Bots,
    line: bytes | str,
    level: str,
    seed: int | None = None,
    budget: Budget | None = None,
) -> str:
    """Return a bot's answer to a line, as a line of JSON: an action or an error.

    With a seed and `budget.rollouts`, the answer depends only on the position and on the number of actions
    that led to it.
    """
    try:
        position, seat, number = read_position(rules, line)
    except (BadRecord, UnknownRules, IllegalAction) as error:
        return json.dumps({"error": error.code, "message": str(error)})
    rng = random.Random() if seed is None else random.Random(f"{seed}/{number}")
    return json.dumps(rules.action_to_json(bots.choose(position, seat, level, rng, budget)))
