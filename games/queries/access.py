"""Loads games, reviews and people for views, and checks what the viewer may do with them.

Today the key of a game is enough to watch it, so no function needs its `viewer` yet. It is a parameter so
that views need not change when a rule about viewers, such as blocking, is added here.
"""

from enum import Enum

from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.models import User, Viewer
from games.models import Game, Review


class Purpose(Enum):
    """What a viewer wants to do with a game."""

    VIEW = "see its page, or its table before it starts"
    CHECK_DEAL = "see the commitment to its deal, which exists from the start of the game"


def access_game(viewer: Viewer, key: str, *, to: Purpose = Purpose.VIEW) -> Game:
    """Return the game `key` with its deal, if `viewer` may load it for the purpose `to`.

    Everybody who knows the key may see the game, because a key is too long to guess. Raises Http404 in every
    other case, so that the response does not reveal whether the game exists.
    """
    games = Game.objects.select_related("deal")
    if to is Purpose.CHECK_DEAL:
        games = games.exclude(status=Game.Status.OPEN)
    return get_object_or_404(games, key=key)


def access_version(viewer: Viewer, key: str) -> int:
    """Return a number that changes with each change of the page of a game or table. Raises Http404.

    It is the number of actions in a game, and -1 minus the number of changes at a table. It takes one small
    query, because open pages ask often.
    """
    found = Game.objects.filter(key=key).values_list("status", "version", "changes").first()
    if found is None:
        raise Http404
    status, version, changes = found
    return -1 - changes if status == Game.Status.OPEN else version


def access_review(viewer: Viewer, game: Game) -> Review | None:
    """Return the review of a finished game; None if nobody has asked for it."""
    return Review.objects.filter(game=game).first() if game.is_over else None


def access_person(viewer: Viewer, name: str) -> User:
    """Return the active user with this name; upper and lower case are the same. Raises Http404."""
    return get_object_or_404(User, username__iexact=name, is_active=True)
