"""The clocks of games: banks and deadlines are stored with each action, and follow the players' calendars.

All of them are projections. `manage.py rebuild_games --check` compares them with the log, the changes of
seats, the calendars and the outages of the site.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.utils import timezone

from games.clocks import PACES, RunningClocks
from games.log.clocks import clocks_before, renews_clocks, turns_since_restart
from games.log.replay import Log
from games.models import Game, Seat

ClockFields = tuple[Game | Seat, dict[str, object]]


def run_clocks(game: Game, seats: Collection[Seat], now: datetime, begun: Collection[int] = ()) -> None:
    """Store, in the caller's transaction, which clocks of the seats of a game run from now on.

    Call this after each action and each change of a seat: it ends the turns of seats that are not awaited any
    more, and starts the clocks of those that are. `begun` are the seats whose turn begins now. The deadlines
    follow the calendars as they are now.
    """
    for row, values in clocks_from(game, seats, now, begun):
        write(row, values)


def clocks_from(
    game: Game, seats: Collection[Seat], now: datetime, begun: Collection[int]
) -> list[ClockFields]:
    """Return the fields that `run_clocks` stores."""
    if not game.pace:
        return []
    since = {seat.number: seat.clock_started_at for seat in seats if seat.clock_started_at is not None}
    clocks = clocks_before(game, seats, min(since.values(), default=now))
    clocks.since.update(since)
    for seat in seats:
        if seat.bank is not None:
            clocks.banks[seat.number] = seat.bank
    clocks.run([seat.number for seat in seats if seat.is_awaited and seat.has_clock], now, begun)
    return _fields(game, seats, clocks)


def renew_clock(game: Game, seat: Seat) -> None:
    """Give a seat a full bank before another person plays it; the caller then calls `run_clocks`.

    In live games it keeps its bank, and its clock runs on: nobody can object there, so friends who hand a
    seat over to each other again and again could play without an end.
    """
    if renews_clocks(game):
        write(seat, {"bank": PACES[game.pace].bank, "clock_started_at": None})


def restart_clocks(game: Game, now: datetime) -> None:
    """Store new clocks with full banks after the pace of a game has changed, in the caller's transaction."""
    seats = list(game.seats.all())
    for seat in seats:
        write(seat, {"bank": None, "clock_started_at": None, "deadline": None})
    write(game, {"deadline": None})
    run_clocks(game, seats, now)


def derived_fields(game: Game, log: Log) -> list[ClockFields]:
    """Return the fields of the clocks of a game that runs, as its log and its calendars give them."""
    if not game.pace or not game.is_running or game.started_at is None:
        return []
    seats = list(game.seats.order_by("number"))
    clocks = clocks_before(game, seats, game.started_at)
    for turn in turns_since_restart(game, log, seats):
        turn.run(clocks)
    # The calendars of people who were removed do not exist any more. Those people have left the game.
    return _fields(game, [seat for seat in seats if seat.user_id is not None or seat.bot], clocks)


def deadlines_of(game: Game) -> dict[int, datetime]:
    """Return the deadlines of the clocks that run, by seat, as they are stored."""
    seats = game.seats.filter(clock_started_at__isnull=False)
    return {seat.number: at for seat in seats if (at := seat.time_is_up_at) is not None}


def write(row: Game | Seat, values: dict[str, object]) -> None:
    """Store the values of a row that have changed."""
    store(row, change(row, values))


def store(row: Game | Seat, fields: Collection[str]) -> None:
    """Store these fields of a row, if there are any."""
    if fields:
        row.save(update_fields=fields)


def change(row: Game | Seat, values: dict[str, object]) -> list[str]:
    """Set the values of a row that have changed, and return the names of the fields to store."""
    changed = [field for field, value in values.items() if getattr(row, field) != value]
    for field in changed:
        setattr(row, field, values[field])
    if isinstance(row, Game) and "deadline" in changed:
        row.deadline_changed_at = timezone.now()
        changed.append("deadline_changed_at")
    return changed


def _fields(game: Game, seats: Iterable[Seat], clocks: RunningClocks) -> list[ClockFields]:
    """Return the stored fields of the clocks, by row."""
    deadlines = clocks.deadlines
    rows: list[ClockFields] = [(game, {"deadline": min(deadlines.values(), default=None)})]
    for seat in seats:
        number = seat.number
        started_at, deadline = clocks.since.get(number), deadlines.get(number)
        bank = clocks.banks.get(number)
        rows.append((seat, {"bank": bank, "clock_started_at": started_at, "deadline": deadline}))
    return rows
