"""A game as one person sees it: the log replayed without its secrets, and the people by name."""

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.board import Board, Choice, board
from games.models import Game
from games.people import people
from games.services.logs import public_log

NOTHING_CHOSEN = Choice()


def board_for(
    game: Game, user: User | AnonymousUser, choice: Choice = NOTHING_CHOSEN, at: int | None = None
) -> Board:
    """Return the board of a started game for `user`: now, or after action number `at`."""
    log = public_log(game)
    seated = people(game.seats.select_related("user"), user)
    viewer = next((person.seat for person in seated if person.is_you), None)
    at = at if at is not None and at < len(log.steps) else None
    position = log.position if at is None else log.at(at)
    return board(position, log.steps, seated, viewer, choice, now_showing=at, moved_at=game.moved_at)
