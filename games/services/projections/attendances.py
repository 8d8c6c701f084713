"""Attendances: how each person took part in a game, stored with the action that ends it.

The reliability of a person is the share of games that they finished, among those that count:

- A game counts when it is over, if at least two people started it. A cancelled game counts for nobody, but
  for an absent player because of whom the others cancelled it.
- A person has finished it if they played to the end, or resigned as the last one to leave, which ends it: as
  everywhere, a loser may resign against one opponent. Who takes their seat back from a bot has stayed, and
  who hands their seat over has finished: the others play on.
- They have not finished it if a bot plays their seat at the end, if they are out because of time or of the
  others' vote, or if they resigned while the others had to play on.
- A live game that was lost on time is finished, unless nobody had acted in it for two minutes: then the
  player was away. In the same way, Lichess counts a loss on time against a player only if the last wait was
  long (https://github.com/lichess-org/lila, `Playban.scala`).

An answer is a turn that ended with an action of the person. Its counted time has no outage of the site in it,
and no sleeping hours, days off and vacations, except in live games, as on the clocks. So a vacation makes no
answer longer. Who gets a seat during its turn answers from then on.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from games.clocks import NO_PAUSES, counted
from games.log.replay import Log, secret_log
from games.log.turns import begun_by
from games.models import Action, Attendance, Game, Seat, SeatChange, Vote, calendars_of, outages_since
from games.services.projections.difference import Difference
from games.titles.actions import CANCELLED, Cancel, Resign

# Who loses a live game on time after so long without any action was away.
AWAY = timedelta(minutes=2)


def store_attendances(game: Game) -> None:
    """Store the attendances of a game that is over, in the transaction of its last action."""
    if _seats_that_count(game):
        Attendance.objects.bulk_create(_derive(game, secret_log(game)))


def rebuild_attendances(game: Game, log: Log, *, check_only: bool) -> list[Difference]:
    """Rebuild the attendances of a game; return a difference for each person whose row was wrong."""
    derived = {row.user_id: row for row in _derive(game, log)}
    stored = {row.user_id: row for row in Attendance.objects.filter(game=game)}
    differences = [
        Difference(
            f"{game.key} user {user}", "attendance", _facts(stored.get(user)), _facts(derived.get(user))
        )
        for user in sorted(stored.keys() | derived.keys())
        if _facts(stored.get(user)) != _facts(derived.get(user))
    ]
    if differences and not check_only:
        Attendance.objects.filter(game=game).delete()
        Attendance.objects.bulk_create(derived.values())
    return differences


def _facts(row: Attendance | None) -> tuple[object, ...] | None:
    return None if row is None else (row.ended_at, row.has_finished, row.answers)


def _derive(game: Game, log: Log) -> list[Attendance]:
    """Return the attendances of a game as its log gives them; none if it counts for nobody."""
    seats = _seats_that_count(game)
    if not seats:
        return []
    assert game.moved_at is not None, "the game is over"
    answers = _answers(game, log)
    has_finished = _former_players(game) | {
        seat.user_id: _has_finished(game, seat, log) for seat in seats if seat.user_id is not None
    }
    return [
        Attendance(
            game=game,
            user_id=user,
            ended_at=game.moved_at,
            has_finished=finished,
            answers=answers.get(user, []),
        )
        for user, finished in has_finished.items()
    ]


def _former_players(game: Game) -> dict[int, bool]:
    """Return True for each person who has handed their seat over; nobody if the game was cancelled."""
    if game.ending == CANCELLED:
        return {}
    former = SeatChange.objects.filter(game=game, former__isnull=False).order_by("pk")
    return {user: True for user in former.values_list("former", flat=True) if user is not None}


def _seats_that_count(game: Game) -> list[Seat]:
    """Return the seats of the people for whom a game counts."""
    seats = list(game.seats.select_related("user").order_by("number"))
    # A person who was removed leaves a seat without a user.
    if not game.is_over or sum(not seat.bot for seat in seats) < 2:
        return []
    if game.ending == CANCELLED:
        votes = game.votes.filter(purpose=Vote.Purpose.CANCEL, outcome=Vote.Outcome.AGREED)
        absent = set(votes.values_list("seat", flat=True))
        seats = [seat for seat in seats if seat.number in absent]
    return [seat for seat in seats if seat.user is not None]


def _has_finished(game: Game, seat: Seat, log: Log) -> bool:
    if seat.caretaker or log.steps[-1].action == Cancel():
        return False
    if not seat.has_left or log.steps[-1].action == Resign(seat.number):
        return True
    return game.is_live and _has_stayed_until_time_was_up(game, seat, log)


def _has_stayed_until_time_was_up(game: Game, seat: Seat, log: Log) -> bool:
    """Return whether the time of a seat was up, in a turn that was shorter than an absence."""
    out = Resign(seat.number, "time")
    number = next((number for number, step in enumerate(log.steps, 1) if step.action == out), None)
    if number is None:
        return False
    assert game.started_at is not None, "the game is over"
    latest = Action.objects.filter(game=game, number__in=(number - 1, number)).order_by("number")
    *before, end = latest.values_list("at", flat=True)
    start = before[0] if before else game.started_at
    return counted(replace(NO_PAUSES, outages=outages_since(start)), start, end) < AWAY


def _answers(game: Game, log: Log) -> Mapping[int | None, list[int]]:
    """Return the counted seconds of the answers in a game, by the person who made them."""
    assert game.started_at is not None, "the game is over"
    rows = Action.objects.filter(game=game).order_by("number")
    turns: defaultdict[int | None, list[tuple[datetime, datetime]]] = defaultdict(list)
    handed_over = {
        (change.number, change.seat): change.at
        for change in SeatChange.objects.filter(game=game, reason=SeatChange.Reason.HAND).order_by("pk")
    }
    since = dict.fromkeys(log.start.awaited, game.started_at)  # the start of each turn, by seat
    for number, (step, (at, made_by)) in enumerate(
        zip(log.steps, rows.values_list("at", "made_by"), strict=True), 1
    ):
        since = {seat: handed_over.get((number, seat), start) for seat, start in since.items()}
        begun = begun_by(since, step)
        goes_on = step.position.awaited - begun
        # Who resigns answers nobody, and neither does a cancel.
        if step.seat in since and step.seat not in goes_on and not isinstance(step.action, Resign):
            turns[made_by].append((since[step.seat], at))
        since = dict.fromkeys(begun, at) | {seat: since[seat] for seat in goes_on}
    calendars, outages = {} if game.is_live else calendars_of(turns), outages_since(game.started_at)

    def seconds(user: int | None, turn: tuple[datetime, datetime]) -> int:
        calendar = replace(calendars.get(user, NO_PAUSES), outages=outages)
        return round(counted(calendar, *turn).total_seconds())

    return {user: [seconds(user, turn) for turn in spans] for user, spans in turns.items()}
