"""Compares what is stored about games and players with the logs, and names the first action that differs."""

import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from accounts.queueing import queue
from games.log.replay import Log, secret_log
from games.models import Game, GameQuerySet, Seat, Verification
from games.services.projections import standings
from games.services.projections.games import game_fields, rebuild, seat_fields
from games.services.projections.ratings import rebuild_ratings

VERIFY = "games.verify_changed"
# A part of the nightly comparison, so that turns of bots in the same queue wait for no longer.
PART = 2.0  # seconds
BATCH = 20
KEPT = 30  # rows of comparisons
# An action may be stored just before a comparison that does not see it.
OVERLAP = timedelta(hours=1)
# These change without an action.
NOT_OF_ACTIONS = {"moved_at", "projected_version", "awaited_since"}


def games_to_verify(changed_since: datetime | None = None) -> GameQuerySet:
    """Return the started games whose rules this program knows: all, or those with a later action."""
    games = Game.objects.exclude(status=Game.Status.OPEN).under_known_rules()
    return games.filter(moved_at__gte=changed_since) if changed_since else games


def verify_game(pk: int) -> list[str]:
    """Return what is wrong with the projections of a game, in words; nothing if all is right."""
    with transaction.atomic():
        # Locked, so that no action is stored between reading the log and comparing.
        game = Game.objects.select_for_update().filter(pk=pk).first()
        if game is None or game.is_open:
            return []
        try:
            log = secret_log(game)
            differences = rebuild(game, check_only=True)
            if game.is_solo:
                differences += standings.rebuild_result(game, check_only=True)
        except Exception as error:  # Of the engine, or because a stored value cannot be read.
            notes = " ".join(getattr(error, "__notes__", ["before its first action."]))
            return [f"{game.key}: its log cannot be replayed: {notes} {type(error).__name__}: {error}"]
        if not differences:
            return []
        where = _first_difference(game, log)
        return [f"{difference}. {where}" for difference in differences]


def verify_players() -> Iterator[str]:
    """Yield which standings and counts of scores are not what the results of solo games give, in words."""
    for player in standings.players_with_standings():
        yield from map(str, standings.rebuild_standings(player, check_only=True))
    yield from map(str, standings.rebuild_score_counts(check_only=True))


def verify_ratings() -> list[str]:
    """Return which ratings are not what the logs of all rated games give, in words."""
    rebuilt = rebuild_ratings(check_only=True)
    return [*rebuilt.broken, *map(str, rebuilt.differences)]


def begin(changed_since: datetime | None) -> Verification:
    """Store that a comparison begins, and remove the oldest ones."""
    kept = Verification.objects.values_list("pk", flat=True)[: KEPT - 1]
    Verification.objects.exclude(pk__in=list(kept)).delete()
    return Verification.objects.create(started_at=timezone.now(), changed_since=changed_since)


def note(row: Verification, games: int, problems: Sequence[str], *, wrong: int) -> None:
    """Add what was compared to a comparison, in memory."""
    row.games += games
    row.wrong += wrong
    row.first_problem = row.first_problem or next(iter(problems), "")


def finish(row: Verification) -> None:
    """Store the end of a comparison."""
    row.finished_at = timezone.now()
    row.save()


def latest() -> Verification | None:
    """Return the latest comparison that was finished."""
    return Verification.objects.filter(finished_at__isnull=False).first()


def verify_changed(pk: int | None = None) -> None:
    """Compare some games that changed since the last finished comparison; a task goes on with the others.

    Without an id, a new comparison begins. One whose task was lost stays unfinished, and the next one
    compares its games too.
    """
    row = Verification.objects.filter(pk=pk, finished_at=None).first() if pk else _begin_changed()
    if row is None:
        return
    until = time.monotonic() + PART
    while time.monotonic() < until:
        games = games_to_verify(row.changed_since).filter(pk__gt=row.after_game).order_by("pk")
        pks = list(games.values_list("pk", flat=True)[:BATCH])
        if not pks:
            finish(row)
            return
        found = [problems for one in pks if (problems := verify_game(one))]
        note(row, len(pks), [text for problems in found for text in problems], wrong=len(found))
        row.after_game = pks[-1]
        row.save()
    queue(VERIFY, row.pk)


def _begin_changed() -> Verification:
    last = latest()
    return begin(last.started_at - OVERLAP if last else None)


def _first_difference(game: Game, log: Log) -> str:
    """Return from which action on the stored values are not those of the log, in words."""
    seats = list(game.seats.all())
    for number in range(len(log.steps), -1, -1):
        if _is_as_after(game, seats, log, number):
            if number == len(log.steps):
                return "The board is right; clocks, turns or results differ."
            return f"The first action that differs is {number + 1}: the stored board is the one before it."
    return "The stored board is the one after no action of the log."


def _is_as_after(game: Game, seats: Sequence[Seat], log: Log, number: int) -> bool:
    position = log.at(number)
    rows: list[tuple[Game | Seat, dict[str, object]]] = [
        (game, game_fields(position, game.version, None)),
        *((seat, seat_fields(position, seat.number, {})) for seat in seats),
    ]
    return all(
        getattr(row, name) == value
        for row, values in rows
        for name, value in values.items()
        if name not in NOT_OF_ACTIONS
    )
