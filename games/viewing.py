"""A game as one person sees it: the log replayed without its secrets, and the people by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games import models
from games.board import Board, Choice, Hint, board
from games.choosing import NOTHING_CHOSEN
from games.engine import Place, Position, Refill, Step, action_from_json
from games.hinting import is_late
from games.models import Game
from games.people import people
from games.services.logs import public_log
from games.words import Person


@dataclass(frozen=True)
class Viewing:
    """A started game as one person may see it: now, or as it was after action number `at`."""

    position: Position
    steps: Sequence[Step]
    people: Sequence[Person]
    viewer: int | None
    at: int | None
    moved_at: datetime | None
    hint: Hint | None

    def board(self, choice: Choice = NOTHING_CHOSEN) -> Board:
        """Return what a page shows of it."""
        return board(
            self.position,
            self.steps,
            self.people,
            self.viewer,
            choice,
            now_showing=self.at,
            moved_at=self.moved_at,
            hint=self.hint,
        )


def board_for(
    game: Game, user: User | AnonymousUser, choice: Choice = NOTHING_CHOSEN, at: int | None = None
) -> Board:
    """Return the board of a started game for `user`: now, or after action number `at`."""
    return viewing(game, user, at).board(choice)


def viewing(game: Game, user: User | AnonymousUser, at: int | None = None) -> Viewing:
    """Return a started game as `user` may see it: now, or after action number `at`."""
    log = public_log(game)
    seated = people(game.seats.select_related("user"), user)
    viewer = next((person.seat for person in seated if person.is_you), None)
    at = at if at is not None and at < len(log.steps) else None
    position = log.position if at is None else log.at(at)
    hint = _hint(game, len(log.steps) + 1, viewer) if at is None else None
    return Viewing(position, log.steps, seated, viewer, at, game.moved_at, hint)


def _hint(game: Game, number: int, viewer: int | None) -> Hint | None:
    """Return the hint that the person on seat `viewer`, and nobody else, has for action `number`."""
    if game.is_rated or viewer is None:
        return None
    stored = models.Hint.objects.filter(game=game, number=number, seat=viewer).first()
    if stored is None:
        return None
    if stored.payload is None:
        return Hint(is_late=is_late(stored.asked_at))
    action = action_from_json(stored.payload)
    assert isinstance(action, Place | Refill)
    return Hint(action, stored.value)
