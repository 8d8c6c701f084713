"""The one way in: how a view loads an object that not everybody may see or use."""

from enum import Enum

from django.shortcuts import get_object_or_404

from accounts.models import User, Viewer
from games.models import Game, Review


class To(Enum):
    """What a viewer wants to do with a game."""

    WATCH = "see its page, or its table before it starts"
    CHECK_DEAL = "see the commitment to its deal, which exists from the start of the game"


def access_game(viewer: Viewer, key: str, *, to: To = To.WATCH) -> Game:
    """Return the game `key` with its deal, if `viewer` may do this with it.

    Every viewer who knows the key may watch: it is too long to guess. Raises Http404, which does not reveal
    whether the game exists.
    """
    games = Game.objects.select_related("deal")
    if to is To.CHECK_DEAL:
        games = games.exclude(status=Game.Status.OPEN)
    return get_object_or_404(games, key=key)


def access_review(viewer: Viewer, game: Game) -> Review | None:
    """Return the review of a game, if somebody has asked for it; a review exists only after the game."""
    return Review.objects.filter(game=game).first() if game.is_over else None


def access_person(viewer: Viewer, name: str) -> User:
    """Return the person of this name, in any case of letters. Raises Http404."""
    return get_object_or_404(User, username__iexact=name, is_active=True)
