"""Bots: given what a seat may know of a position, each level chooses an action."""

from games.bots.levels import LEVELS, REFERENCES, choose, estimates, value, warm_up
from games.bots.search.reading import TooLarge
from games.bots.thinking import Budget, Estimate

__all__ = [
    "LEVELS",
    "REFERENCES",
    "Budget",
    "Estimate",
    "TooLarge",
    "choose",
    "estimates",
    "value",
    "warm_up",
]
