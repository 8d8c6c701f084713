"""Judge one action of a finished game: what the expert would have played, and how much was given away."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.novaluna.bots.levels import estimates, evaluate, expected_line
from games.novaluna.bots.search.reading import TooLarge
from games.novaluna.bots.thinking import Estimate
from games.novaluna.bots.worth import Worth
from games.novaluna.engine import TILES, Action, Place, Position, Refill, RefillRule, SoloPosition
from games.titles.bots import Budget

# Budgets count rollouts, not seconds, so that a review has the same results on a slow machine.
FIRST_LOOK = Budget(rollouts=3_000)
# An action that the first search judges a mistake is searched a second time.
SECOND_LOOK = Budget(rollouts=8_000)
# Solo games get the same budget for both looks.
SOLO_LOOK = Budget(rollouts=15_000)
# The line after the better action of a mistake.
LINE_LOOK = Budget(rollouts=3_000)
LINE_LENGTH = 6

# With fewer visits than this, the estimate of an action is too uncertain to rule out a mistake.
ENOUGH_VISITS = 400


@dataclass(frozen=True)
class Judgement:
    """An action compared with the best one.

    `worth` belongs to the best action, and `loss` is how much of it was given away. `worth` and `loss`
    are of the same type. `best`, `worth` and `loss` are None if the search has no estimate, and for actions
    other than Place and Refill. After a mistake, `line` has the actions that the expert expects after the
    best action, up to the next refill.
    """

    best: Place | Refill | None = None
    worth: Worth | None = None
    loss: Worth | None = None
    line: Sequence[Place | Refill] = ()

    @property
    def is_mistake(self) -> bool:
        """Whether the action gave something away."""
        return self.loss is not None and self.loss.value > 0

    def with_best(self, action: Place | Refill) -> "Judgement":
        """Return this judgement with `action` as the best one, so that nothing was given away."""
        return replace(self, best=action, loss=self.loss and self.loss.no_loss(), line=())


def judge(position: Position, action: Action, rng: random.Random) -> Judgement:
    """Return how good `action` was in `position`, which must not contain undrawn tiles."""
    if not isinstance(action, Place | Refill):
        return Judgement()
    try:
        return _judge(position, action, rng)
    except TooLarge:
        return Judgement()


def _judge(position: Position, action: Place | Refill, rng: random.Random) -> Judgement:
    is_solo = isinstance(position, SoloPosition)
    found = estimates(position, action.seat, rng, SOLO_LOOK if is_solo else FIRST_LOOK)
    best, own = found[0], _estimate_of(action, found)
    if action == best.action or position.refill is RefillRule.FORCED:
        return Judgement(action, best.worth, best.worth.no_loss())
    is_sure = own is not None and (is_solo or own.visits >= ENOUGH_VISITS)
    if own and is_sure and not best.worth.is_clearly_better_than(own.worth):
        return Judgement(action, best.worth, best.worth.no_loss())
    if not is_solo:
        better, played = _second_look(position, best.action, action, rng)
        worth = max(better, played)
    elif own:
        better, played = best.worth, own.worth
        worth = better
    else:
        played = _worth_after(position, action, rng, SOLO_LOOK)
        better = _worth_after(position, best.action, rng, SOLO_LOOK)
        worth = best.worth
    if better.is_clearly_better_than(played):
        line = line_after(position, best.action, rng)
        return Judgement(best.action, worth, better.loss_with(played), line)
    return Judgement(action, worth, worth.no_loss())


def _second_look(
    position: Position, best: Place | Refill, action: Place | Refill, rng: random.Random
) -> tuple[Worth, Worth]:
    """Return the worth of two actions by a new search.

    The first search overrates its best action: of many noisy estimates, the highest is too high on average.
    If one action is a refill, both are estimated by a search of the position before them, because that search
    averages over the tiles that may be drawn. A place action that it has hardly visited gets its own search.
    """
    if isinstance(best, Place) and isinstance(action, Place):
        return (
            _worth_after(position, best, rng, SECOND_LOOK),
            _worth_after(position, action, rng, SECOND_LOOK),
        )
    found = estimates(position, action.seat, rng, SECOND_LOOK)
    better, played = (_sure_estimate_of(one, found) for one in (best, action))
    return (
        better.worth if better else _worth_after(position, best, rng, SECOND_LOOK),
        played.worth if played else _worth_after(position, action, rng, SECOND_LOOK),
    )


def _estimate_of(action: Place | Refill, found: Sequence[Estimate]) -> Estimate | None:
    return next((estimate for estimate in found if estimate.action == action), None)


def _sure_estimate_of(action: Place | Refill, found: Sequence[Estimate]) -> Estimate | None:
    """Return the estimate of an action; None if it has too few visits and a search after it knows more."""
    estimate = _estimate_of(action, found)
    is_sure = estimate is not None and (isinstance(action, Refill) or estimate.visits >= ENOUGH_VISITS)
    return estimate if is_sure else None


def _worth_after(position: Position, action: Place | Refill, rng: random.Random, budget: Budget) -> Worth:
    """Return what the position after an action is worth to the acting seat; a refill draws random tiles."""
    if isinstance(action, Refill):
        position = with_random_deck(position, rng)
    return evaluate(position.apply(action).position.public(), action.seat, rng, budget)


def line_after(position: Position, action: Place | Refill, rng: random.Random) -> Sequence[Place | Refill]:
    """Return the actions that the expert expects after an action; none after a refill, which is chance."""
    if isinstance(action, Refill):
        return ()
    after = position.apply(action).position
    return expected_line(after.public(), LINE_LENGTH, rng, LINE_LOOK)


def with_random_deck(position: Position, rng: random.Random) -> Position:
    """Return the position with all tiles that were not drawn yet in a random order."""
    hidden = hidden_tiles(position)
    rng.shuffle(hidden)
    return with_draw_pile(position, hidden)


def with_draw_pile(position: Position, tiles: Sequence[str]) -> Position:
    """Return the position with these tiles as the next ones to draw."""
    drawn = position.setup.deck[: position.revealed_count]
    return replace(position, setup=replace(position.setup, deck=(*drawn, *tiles)))


def hidden_tiles(position: Position) -> list[str]:
    """Return the codes of all tiles that were not drawn yet."""
    drawn = position.setup.deck[: position.revealed_count]
    return [code for code in TILES if code not in drawn]
