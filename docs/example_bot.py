"""An example of a bot: it tries every action, and takes the one after which its display is worth most."""

import json
import sys

from games.engine import Place, action_to_json, read_record, replay, start

HOPE = 0.6  # what a goal is worth that is all but fulfilled; one with its disc is worth 1
TIME = 0.35  # what a step on the moon track costs


def worth(position, action):
    """Return what a display is worth after an action of its owner."""
    if isinstance(action, Place):
        position = position.apply(action).position  # a refill changes no display
    display = position.displays[action.seat]
    total = display.placed - TIME * display.cost
    for cell, tile in display.tiles.items():
        support = display.support(cell)
        for nth, goal in enumerate(tile.goals):
            if (cell, nth) not in display.covered:
                supplied = sum(map(min, support, goal.needs))
                total += HOPE * (supplied / len(goal.dots)) ** 2
    return total


for line in sys.stdin:
    setup, log = read_record(line, whole=False)
    position = start(setup)
    for step in replay(setup, log):
        position = step.position
    best = max(position.legal_actions, key=lambda action: worth(position, action))
    print(json.dumps(action_to_json(best)), flush=True)
