"""An example of a bot. It tries every action and chooses the one that makes its display worth most."""

import json
import sys

from games.novaluna.engine import Place, action_to_json, read_record, replay, start

ALMOST_FULFILLED = 0.6  # the value of a goal that is almost fulfilled; a goal with a disc has the value 1
TIME_COST = 0.35  # the loss of value for each step on the moon track


def value_after(position, action):
    """Return the value of a player's display after an action of that player."""
    if isinstance(action, Place):
        position = position.apply(action).position  # A refill changes no display.
    display = position.displays[action.seat]
    total = display.discs_placed - TIME_COST * display.cost
    for cell, tile in display.tiles.items():
        support = display.support(cell)
        for nth, goal in enumerate(tile.goals):
            if (cell, nth) not in display.covered:
                dots = sum(map(min, support, goal.needs))
                total += ALMOST_FULFILLED * (dots / len(goal.dots)) ** 2
    return total


for line in sys.stdin:
    setup, log = read_record(line, whole=False)
    position = start(setup)
    for step in replay(setup, log):
        position = step.position
    best = max(position.legal_actions, key=lambda action: value_after(position, action))
    print(json.dumps(action_to_json(best)), flush=True)
