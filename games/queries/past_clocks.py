"""What the clocks of a game showed at each action, derived from its log."""

from datetime import datetime, timedelta

from games.log.clocks import clocks_before, turns_since_restart
from games.log.replay import Log
from games.models import Game, facts_of, seats_of
from games.titles.actions import Resign
from games.titles.people import ActionTime, PastClocks


def past_clocks(game: Game, log: Log) -> PastClocks | None:
    """Return the clocks of a game at the start and after each action of its log; None without a clock.

    Runs two queries, and one each for changes of seats, votes, calendars and vacations, if there are any.
    """
    if not game.pace or game.started_at is None:
        return None
    seats = seats_of(game)
    clocks = clocks_before(game, seats, game.started_at, game.moved_at or game.started_at)
    times: dict[int, ActionTime] = {}
    acted_at: dict[int, datetime] = {}
    final_left: dict[int, timedelta] = {}  # of players who have resigned: nothing is added after that
    for turn in turns_since_restart(game, log, seats, facts_of(game)):
        took = None
        step = log.steps[turn.number - 1] if turn.number and turn.follows_action else None
        if step is not None and step.seat is not None:
            if step.seat in clocks.since:
                took = clocks.spent(step.seat, turn.at, acted_at.get(step.seat))
            acted_at[step.seat] = turn.at
            if isinstance(step.action, Resign) and step.seat in clocks.banks:
                final_left[step.seat] = clocks.left(step.seat, turn.at)
        turn.run(clocks)
        if turn.renewed is not None:
            _forget(turn.renewed, times, log)
        if turn.number not in times:  # A later change of a seat does not change what clocks showed then.
            left = {seat: clocks.left(seat, turn.at) for seat in clocks.banks} | final_left
            known = (None if seat.number in turn.away else left.get(seat.number) for seat in seats)
            times[turn.number] = ActionTime(took, tuple(known))
    return PastClocks(
        game.is_live, tuple(times.get(number, ActionTime()) for number in range(len(log.steps) + 1))
    )


def _forget(seat: int, times: dict[int, ActionTime], log: Log) -> None:
    """Remove the times of a seat that another person has got, because only their calendar is known now."""
    for number, time in times.items():
        took = None if number and log.steps[number - 1].seat == seat else time.took
        left = (None if index == seat else one for index, one in enumerate(time.left))
        times[number] = ActionTime(took, tuple(left))
