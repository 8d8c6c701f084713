"""The projections of a game and its seats."""

from collections.abc import Collection, Mapping
from datetime import datetime

from games.log.replay import secret_log
from games.log.turns import turns_of
from games.models import Action, Game, Seat
from games.services.clocks import change, clocks_from, derived_fields, store, write
from games.services.projections.attendances import rebuild_attendances
from games.services.projections.difference import Difference
from games.titles.rules import AnyPosition


def game_fields(position: AnyPosition, version: int, moved_at: datetime | None) -> dict[str, object]:
    """Return the projected fields of a Game after action `version`."""
    return {
        "status": Game.Status.RUNNING if position.awaited else Game.Status.OVER,
        "version": version,
        "projected_version": version,
        "to_move": min(position.awaited, default=None),
        "winner": position.places.index(1) if position.places.count(1) == 1 else None,
        "score": position.figures(0).get("score") if position.seats == 1 else None,
        "ending": position.ending or "",
        "moved_at": moved_at,
    }


def seat_fields(position: AnyPosition, seat: int, turns: Mapping[int, int]) -> dict[str, object]:
    """Return the projected fields of a Seat in this position."""
    figures = dict(position.figures(seat))
    return {
        "place": position.places[seat] if position.places else None,
        "figures": figures,
        "discs": figures.get("discs"),
        "time": figures.get("time"),
        "rank": figures.get("rank"),
        "has_left": seat not in position.in_play,
        "awaited_since": turns.get(seat),
    }


def project(
    game: Game,
    seats: Collection[Seat],
    position: AnyPosition,
    version: int,
    moved_at: datetime,
    turns: Mapping[int, int],
) -> None:
    """Store the projections of a game and its seats after action `version`, in the caller's transaction.

    `turns` are those after it, as in `games.log.turns`.
    """
    # A new turn begins, which is not queued yet.
    values = game_fields(position, version, moved_at) | {"bot_queued_until": None}
    changed: dict[Game | Seat, list[str]] = {game: change(game, values)}
    changed |= {seat: change(seat, seat_fields(position, seat.number, turns)) for seat in seats}
    begun = [seat for seat, since in turns.items() if since == version]
    for row, clock in clocks_from(game, seats, moved_at, begun):
        changed[row] += change(row, clock)
    for row, fields in changed.items():
        store(row, fields)


def rebuild(game: Game, *, check_only: bool = False) -> list[Difference]:
    """Rebuild the projections of a started game from its log; return each stored value that was wrong.

    With `check_only`, nothing is stored. The caller holds the lock on the game's row.
    """
    log = secret_log(game)
    action = Action.objects.filter(game=game).order_by("number").last()
    moved_at = action.at if action else game.started_at
    rows: list[tuple[str, Game | Seat, dict[str, object]]] = [
        (game.key, game, game_fields(log.position, len(log.steps), moved_at))
    ]
    turns = turns_of(log)
    for seat in game.seats.all():
        rows.append((f"{game.key} seat {seat.number}", seat, seat_fields(log.position, seat.number, turns)))
    for row, fields in derived_fields(game, log):
        where = game.key if isinstance(row, Game) else f"{game.key} seat {row.number}"
        rows.append((where, row, fields))
    differences = [
        Difference(where, field, getattr(row, field), derived)
        for where, row, values in rows
        for field, derived in values.items()
        if getattr(row, field) != derived
    ]
    if not check_only:
        for _where, row, values in rows:
            write(row, values)
    return differences + rebuild_attendances(game, log, check_only=check_only)
