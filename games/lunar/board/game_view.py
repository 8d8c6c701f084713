"""A game of LUNAR as one viewer sees it. Hidden cards in its positions are backs."""

from games.lunar.engine.position import Position, Step
from games.titles import view

GameView = view.GameView[Position, Step]
