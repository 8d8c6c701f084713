"""What the clocks of a game showed at each action, derived from its log."""

from datetime import datetime, timedelta

from games.log.clocks import clocks_before, turns_since_restart
from games.log.replay import Log
from games.models import Game, facts_of, seats_of
from games.titles.actions import Resign
from games.titles.people import ActionTime, PastClocks

UNKNOWN = ActionTime()


def past_clocks(game: Game, log: Log) -> PastClocks | None:
    """Return the clocks of a game at the start and after each action of its log; None without a clock.

    Runs two queries, one for each fact that is true, and two for calendars that are not empty.
    """
    if not game.pace or game.started_at is None:
        return None
    seats = seats_of(game)
    clocks = clocks_before(game, seats, game.started_at)
    times: dict[int, ActionTime] = {}
    acted_at: dict[int, datetime] = {}
    stopped: dict[int, timedelta] = {}  # of players who have left: nothing is added after that
    for turn in turns_since_restart(game, log, seats, facts_of(game)):
        took = None
        step = log.steps[turn.number - 1] if turn.number and turn.follows_action else None
        if step is not None and step.seat is not None:
            if step.seat in clocks.since:
                took = clocks.spent(step.seat, turn.at, acted_at.get(step.seat))
            acted_at[step.seat] = turn.at
            if isinstance(step.action, Resign) and step.seat in clocks.banks:
                stopped[step.seat] = clocks.left(step.seat, turn.at)
        turn.run(clocks)
        left = {seat: clocks.left(seat, turn.at) for seat in clocks.banks} | stopped
        known = times.get(turn.number, UNKNOWN)
        times[turn.number] = ActionTime(
            known.took if took is None else took, tuple(left.get(seat.number) for seat in seats)
        )
    return PastClocks(game.is_live, tuple(times.get(number, UNKNOWN) for number in range(len(log.steps) + 1)))
