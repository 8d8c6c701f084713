"""The 68 tiles as arrays, numbered in the order of `TILES`; colours are numbered as in `COLOURS`."""

import numpy as np

from games.novaluna.engine import TILES

CODES = tuple(TILES)
NUMBERS = {code: number for number, code in enumerate(CODES)}
MOST_GOALS = 3

COLOUR = np.array([tile.colour_index for tile in TILES.values()], np.int16)
COST = np.array([tile.cost for tile in TILES.values()], np.int16)
GOALS = np.array([len(tile.goals) for tile in TILES.values()], np.int16)

# Dots of each colour that each goal needs: [tile, goal, colour].
NEEDS = np.zeros((len(CODES), MOST_GOALS, 4), np.int16)
for number, tile in enumerate(TILES.values()):
    for nth, goal in enumerate(tile.goals):
        NEEDS[number, nth] = goal.needs
