"""What is stored about a position for lists and queries: derived from the log, and checked against it."""

from dataclasses import dataclass
from datetime import datetime

from games.engine import MultiplayerPosition, Position, SoloPosition, Step
from games.log.replay import secret_log
from games.models import Action, Game, Seat


@dataclass(frozen=True)
class Difference:
    """A stored value that does not agree with its game's log."""

    where: str
    field: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.where}: {self.field} is {self.stored!r}, by the log {self.derived!r}"


def of_game(
    position: Position, last: Step | None, version: int, moved_at: datetime | None
) -> dict[str, object]:
    """Return the projected fields of a Game after its action number `version`."""
    over = last.game_over if last else None
    return {
        "status": Game.Status.OVER if position.over else Game.Status.RUNNING,
        "version": version,
        "to_move": position.to_move,
        "winner": position.winner if isinstance(position, MultiplayerPosition) else None,
        "score": position.score if isinstance(position, SoloPosition) else None,
        "ending": over.reason if over else "",
        "moved_at": moved_at,
    }


def of_seat(position: Position, seat: int) -> dict[str, object]:
    """Return the projected fields of a Seat in this position."""
    values: dict[str, object] = {
        "discs": position.discs[seat],
        "time": None,
        "rank": None,
        "has_left": seat not in position.in_play,
    }
    if isinstance(position, MultiplayerPosition):
        values["time"] = position.track.time[seat]
        values["rank"] = position.ranking.index(seat) + 1 if position.ranking else None
    return values


def project(game: Game, position: Position, last: Step | None, version: int, moved_at: datetime) -> None:
    """Write the projections of a game after its action number `version`, in the caller's transaction."""
    _write(game, of_game(position, last, version, moved_at))
    for seat in game.seats.all():
        _write(seat, of_seat(position, seat.number))


def rebuild(game: Game, *, check_only: bool = False) -> list[Difference]:
    """Make the projections of a started game anew from its log; return what was wrong.

    With `check_only` nothing is written. The caller holds the lock on the game's row.
    """
    log = secret_log(game)
    last = log.steps[-1] if log.steps else None
    newest = Action.objects.filter(game=game).order_by("number").last()
    moved_at = newest.at if newest else game.started_at
    rows: list[tuple[str, Game | Seat, dict[str, object]]] = [
        (game.key, game, of_game(log.position, last, len(log.steps), moved_at))
    ]
    for seat in game.seats.all():
        rows.append((f"{game.key} seat {seat.number}", seat, of_seat(log.position, seat.number)))
    found = [
        Difference(where, field, getattr(row, field), derived)
        for where, row, values in rows
        for field, derived in values.items()
        if getattr(row, field) != derived
    ]
    if not check_only:
        for _where, row, values in rows:
            _write(row, values)
    return found


def _write(row: Game | Seat, values: dict[str, object]) -> None:
    changed = [field for field, value in values.items() if getattr(row, field) != value]
    for field in changed:
        setattr(row, field, values[field])
    if changed:
        row.save(update_fields=changed)
