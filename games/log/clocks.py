"""The clocks of a game as its log, the changes of its seats and the calendars of its players give them."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.db.models import Max

from games.clocks import PACES, Clock, RunningClocks
from games.log.replay import Log
from games.log.turns import begun_by
from games.models import FACTS, Action, Game, Seat, SeatChange, Vote, calendars_of, facts_of, outages_since


class Running(NamedTuple):
    """From `at` on, the clocks of `seats` run. New turns of the seats in `begun` begin.

    `number` is the last action before. `follows_action` is false after a change of a seat, or of the pace.
    Another person has got the seat `renewed` before, with a full bank. Bots play the seats in `away` for
    people.
    """

    at: datetime
    seats: Collection[int]
    number: int
    begun: Collection[int] = ()
    follows_action: bool = True
    renewed: int | None = None
    away: Collection[int] = ()

    def run(self, clocks: RunningClocks) -> None:
        """Start and stop the clocks of a game at this instant."""
        if self.renewed is not None:
            clocks.renew(self.renewed)
        clocks.run(self.seats, self.at, self.begun)


def clocks_before(
    game: Game, seats: Iterable[Seat], since: datetime, until: datetime | None = None
) -> RunningClocks:
    """Return the clocks of a game as they are before it starts, with the outages between these instants."""
    outages = outages_since(since, until)
    pace, people = PACES[game.pace], [seat for seat in seats if seat.user_id is not None]
    facts = facts_of(game)
    are_stored = "hours" in facts or "vacations" in facts
    calendars = calendars_of((seat.user_id for seat in people), are_stored=are_stored)
    return RunningClocks(
        {seat.number: Clock(pace, replace(calendars[seat.user_id], outages=outages)) for seat in people},
        {seat.number: pace.bank for seat in people},
        opens_at=(game.started_at or since) + pace.head_start,
    )


def renews_clocks(game: Game) -> bool:
    """Return whether a seat gets a full bank when another person plays it from now on."""
    return bool(game.pace) and not game.is_live


def turns_since_restart(
    game: Game, log: Log, seats: Iterable[Seat], facts: Collection[str] = FACTS
) -> list[Running]:
    """Return which clocks ran from when on, in a game that has started, with at most three queries.

    All clocks start again when the pace changes, with the turn that is in progress. Those before it are left
    out, because the game does not say what its pace was. What has no row by the `facts` is not read.
    """
    if game.started_at is None:
        return []
    changes = SeatChange.objects.filter(game=game).order_by("pk") if "seat_changes" in facts else ()
    turns = list(_turns(game, log, seats, changes, game.started_at))
    if "votes" not in facts:
        return turns
    agreed = game.votes.filter(purpose=Vote.Purpose.PACE, outcome=Vote.Outcome.AGREED)
    changed_at = agreed.aggregate(Max("settled_at"))["settled_at__max"]
    if changed_at is None:
        return turns
    before = [turn for turn in turns if turn.at <= changed_at]
    after = [turn for turn in turns if turn.at > changed_at]
    last = before[-1]
    restart = Running(changed_at, last.seats, last.number, follows_action=False, away=last.away)
    return [restart, *after]


def _turns(
    game: Game, log: Log, seats: Iterable[Seat], changes: Iterable[SeatChange], started_at: datetime
) -> Iterator[Running]:
    """Yield the seats whose clocks run, after the start and after each action and change of a seat.

    What others have stored since the log was read is left out.
    """
    people = {seat.number for seat in seats if seat.user_id is not None}
    moved_at = Action.objects.filter(game=game).order_by("number").values_list("at", flat=True)
    turns = [Running(started_at, log.start.awaited, 0)]
    for number, (step, at) in enumerate(zip(log.steps, moved_at, strict=False), 1):
        turns.append(Running(at, step.position.awaited, number, begun_by(turns[-1].seats, step)))
    known = [change for change in changes if change.number <= len(turns)]
    away: set[int] = set()
    number = 0
    for change in [*known, None]:
        last = len(turns) if change is None else change.number
        while number < last:
            turn = turns[number]
            yield turn._replace(seats=people.intersection(turn.seats) - away, away=frozenset(away))
            number += 1
        if change is not None:
            (away.add if change.bot else away.discard)(change.seat)
            running = people.intersection(turns[number - 1].seats) - away
            is_renewed = change.reason == SeatChange.Reason.HAND and renews_clocks(game)
            renewed = change.seat if is_renewed else None
            yield Running(
                change.at,
                running,
                number - 1,
                follows_action=False,
                renewed=renewed,
                away=frozenset(away),
            )
