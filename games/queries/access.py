"""Loads games, reviews and people for views, and checks what the viewer may do with them.

The key of a game is enough to watch it, except on a deal that others still play: that of a day that is not
over, or of a duplicate match. A game on it shows the deal to those who play it later. In a game with hands,
who has handed a seat over knows its hand, so they may not look on until the game is over.
"""

from collections.abc import Collection
from enum import Enum

from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.database.statements import Statement
from accounts.models import User, Viewer
from games.log.deals import revealed_deal
from games.models import DailyDeal, DuplicateMatch, Game, Review
from games.titles.registry import has_hands, has_talent
from games.titles.talents import Talent


class NotYet(Exception):
    """The viewer may see this game later, because of its deal or of a hand. The error page says when."""

    def __init__(self, game: Game, *, knows_hand: bool = False) -> None:
        super().__init__(game)
        self.game = game
        self.knows_hand = knows_hand


class Purpose(Enum):
    """What a viewer wants to do with a game."""

    VIEW = "see its page, or its table before it starts"
    CHECK_DEAL = "see the commitment to its deal, which exists before the game starts"


def access_game(viewer: Viewer, key: str, *, to: Purpose = Purpose.VIEW, needs: Talent | None = None) -> Game:
    """Return the game `key` with its deal, if `viewer` may load it for the purpose `to`.

    Its title has the talent that the page `needs`, or Http404 is raised.

    Everybody who knows the key may see the game, because a key is too long to guess. Raises NotYet for a game
    of somebody else on the deal of the day, until the viewer has finished their own attempt or the day is
    over, for another table of a duplicate match, until its last game is over, and for a game whose hand the
    viewer knows, until it is over. Raises Http404 in every other case, so that the response does not reveal
    whether the game exists.
    """
    game = next(iter(_games.rows(key)), None)
    if game is None or (needs is not None and not has_talent(game.title, needs)):
        raise Http404
    if to is Purpose.CHECK_DEAL and game.deal is None:
        raise Http404  # A table from before there were mixed deals.
    if to is not Purpose.CHECK_DEAL:
        if not _may_watch(viewer, game):
            raise NotYet(game)
        if _knows_hand(viewer, game):
            raise NotYet(game, knows_hand=True)
    return game


_games = Statement(lambda key: Game.objects.select_related("deal__duplicate", "daily").filter(key=key))


def _knows_hand(viewer: Viewer, game: Game) -> bool:
    """Return whether `viewer` has handed over a seat of a running game with hands, and has none in it now."""
    if not game.is_running or not viewer.is_authenticated or not has_hands(game.title):
        return False
    return game.seat_changes.filter(former=viewer.pk).exists() and not game.seats.of(viewer).exists()


def _may_watch(viewer: Viewer, game: Game) -> bool:
    """Return whether `viewer` may see what a game shows of its deal."""
    if not is_closed_to_others(game) or game.seats.of(viewer).exists():
        return True
    return game.daily is not None and knows_deal(viewer, game.daily)


def is_closed_to_others(game: Game) -> bool:
    """Return whether a game would show its deal to people who still play it, or want to.

    `GameQuerySet.closed_to_others` finds the same games.
    """
    is_shared = game.daily is not None or game.duplicate is not None
    return is_shared and revealed_deal(game) is None


def knows_deal(viewer: Viewer, daily: DailyDeal) -> bool:
    """Return whether a daily deal is no secret for `viewer`: after its day or their attempt."""
    if daily.is_over:
        return True
    return viewer.is_authenticated and Game.objects.finished_attempts(daily).with_seat_of(viewer).exists()


def access_version(viewer: Viewer, key: str, *, of_match: bool = False) -> int:
    """Return the live version of a game or table, or of a duplicate match, with one small query.

    Raises Http404.
    """
    found = _versions_of_matches([key]) if of_match else _versions_of_games([key])
    if key not in found:
        raise Http404
    return found[key]


def versions_of(keys: Collection[str]) -> dict[str, int]:
    """Return the live versions of the games, tables and duplicate matches that exist among `keys`."""
    return _versions_of_games(keys) | _versions_of_matches(keys)


def _versions_of_games(keys: Collection[str]) -> dict[str, int]:
    return {game.key: game.live_version for game in _versions.rows(keys)}


_versions = Statement(
    lambda keys: Game.objects.filter(key__in=keys).only("key", "status", "version", "changes")
)


def _versions_of_matches(keys: Collection[str]) -> dict[str, int]:
    return dict(DuplicateMatch.objects.filter(key__in=keys).values_list("key", "changes"))


def access_review(viewer: Viewer, game: Game) -> Review | None:
    """Return the review of a finished game; None if nobody has asked for it."""
    return Review.objects.filter(game=game).first() if game.is_over else None


def access_person(viewer: Viewer, name: str) -> User:
    """Return the active user with this name; upper and lower case are the same. Raises Http404."""
    return get_object_or_404(User, username__iexact=name, is_active=True)
