"""The clocks of games: banks and deadlines are stored with each action, and follow the players' calendars.

All of them are projections. `manage.py rebuild_games --check` compares them with the log, the changes of
seats, the calendars and the outages of the site.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max
from django.utils import timezone

from games.clocks import PACES, Clock, RunningClocks
from games.log.replay import Log
from games.models import Action, Game, Seat, SeatChange, Vote, calendars_of, outages_since

ClockFields = tuple[Game | Seat, dict[str, object]]


class Running(NamedTuple):
    """From `at` on, the clock of `seat` runs; another person has got the seat `renewed` before."""

    at: datetime
    seat: int | None
    renewed: int | None = None


def run_clocks(game: Game, now: datetime) -> None:
    """Store, in the caller's transaction, whose clock runs from now on.

    Call this after each action and each change of a seat: it ends the turn of the seat whose clock has run,
    and starts the clock of the seat to move. The deadline follows the calendar as it is now.
    """
    if not game.pace:
        return
    seats = list(game.seats.order_by("number"))
    started_at = next((seat.clock_started_at for seat in seats if seat.clock_started_at is not None), now)
    clocks = _clocks_of(game, seats, started_at)
    for seat in seats:
        if seat.bank is not None:
            clocks.banks[seat.number] = seat.bank
        if seat.clock_started_at is not None:
            clocks.seat, clocks.since = seat.number, seat.clock_started_at
    clocks.run(next((seat.number for seat in seats if _runs(seat, game.to_move)), None), now)
    for row, values in _fields(game, seats, clocks):
        write(row, values)


def renew_clock(game: Game, seat: Seat) -> None:
    """Give a seat a full bank before another person plays it; the caller then calls `run_clocks`.

    In live games it keeps its bank, and its clock runs on: nobody can object there, so friends who hand a
    seat over to each other again and again could play without an end.
    """
    if _renews_clocks(game):
        write(seat, {"bank": PACES[game.pace].bank, "clock_started_at": None})


def restart_clocks(game: Game, now: datetime) -> None:
    """Store new clocks with full banks after the pace of a game has changed, in the caller's transaction."""
    for seat in game.seats.all():
        write(seat, {"bank": None, "clock_started_at": None})
    write(game, {"deadline": None})
    run_clocks(game, now)


def derived_fields(game: Game, log: Log) -> list[ClockFields]:
    """Return the fields of the clocks of a game that runs, as its log and its calendars give them."""
    if not game.pace or not game.is_running or game.started_at is None:
        return []
    seats = list(game.seats.order_by("number"))
    clocks = _clocks_of(game, seats, game.started_at)
    turns = list(_seats_to_move(game, log, seats, game.started_at))
    agreed = game.votes.filter(purpose=Vote.Purpose.PACE, outcome=Vote.Outcome.AGREED)
    changed_at = agreed.aggregate(Max("settled_at"))["settled_at__max"]
    if changed_at is not None:
        # All clocks start again when the pace changes, with the turn that is in progress.
        before = [turn for turn in turns if turn.at <= changed_at]
        after = [turn for turn in turns if turn.at > changed_at]
        turns = [Running(changed_at, before[-1].seat), *after]
    for turn in turns:
        if turn.renewed is not None and _renews_clocks(game):
            clocks.renew(turn.renewed)
        clocks.run(turn.seat, turn.at)
    # The calendars of people who were removed do not exist any more. Those people have left the game.
    return _fields(game, [seat for seat in seats if seat.user_id is not None or seat.bot], clocks)


def write(row: Game | Seat, values: dict[str, object]) -> None:
    """Store the values of a row that have changed."""
    changed = [field for field, value in values.items() if getattr(row, field) != value]
    for field in changed:
        setattr(row, field, values[field])
    if isinstance(row, Game) and "deadline" in changed:
        row.deadline_changed_at = timezone.now()
        changed.append("deadline_changed_at")
    if changed:
        row.save(update_fields=changed)


def _clocks_of(game: Game, seats: Iterable[Seat], since: datetime) -> RunningClocks:
    """Return the clocks of a game as they are before it starts, with the outages that ended after `since`."""
    outages = outages_since(since)
    pace, people = PACES[game.pace], [seat for seat in seats if seat.user_id is not None]
    calendars = calendars_of(seat.user_id for seat in people)
    return RunningClocks(
        {seat.number: Clock(pace, replace(calendars[seat.user_id], outages=outages)) for seat in people},
        {seat.number: pace.bank for seat in people},
    )


def _renews_clocks(game: Game) -> bool:
    """Return whether a seat gets a full bank when another person plays it from now on."""
    return bool(game.pace) and game.pace != Game.Pace.LIVE


def _runs(seat: Seat, to_move: int | None) -> bool:
    return seat.number == to_move and seat.has_clock


def _fields(game: Game, seats: Iterable[Seat], clocks: RunningClocks) -> list[ClockFields]:
    """Return the stored fields of the clocks, by row."""
    rows: list[ClockFields] = [(game, {"deadline": clocks.deadline})]
    for seat in seats:
        since = clocks.since if seat.number == clocks.seat else None
        rows.append((seat, {"bank": clocks.banks.get(seat.number), "clock_started_at": since}))
    return rows


def _seats_to_move(game: Game, log: Log, seats: Iterable[Seat], started_at: datetime) -> Iterator[Running]:
    """Yield the seat whose clock runs, after the start and after each action and change of a seat."""
    people = {seat.number for seat in seats if seat.user_id is not None}
    moved_at = Action.objects.filter(game=game).order_by("number").values_list("number", "at")
    turns = [(started_at, log.start.to_move), *((at, log.at(number).to_move) for number, at in moved_at)]
    changes = list(SeatChange.objects.filter(game=game).order_by("pk"))
    away: set[int] = set()
    number = 0
    for change in [*changes, None]:
        last = len(turns) if change is None else change.number
        while number < last:
            at, seat = turns[number]
            yield Running(at, seat if seat in people - away else None)
            number += 1
        if change is not None:
            (away.add if change.bot else away.discard)(change.seat)
            seat = turns[number - 1][1]
            renewed = change.seat if change.reason == SeatChange.Reason.HAND else None
            yield Running(change.at, seat if seat in people - away else None, renewed)
