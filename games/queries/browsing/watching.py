"""Running games that anybody may watch, and those that a person follows."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Avg, F, Q
from django.utils import timezone

from accounts.models import User, Viewer
from games.models import FollowedGame, Game, Seat
from games.queries.summaries import GameSummary, summaries

GAMES_SHOWN = 24
# A game in which nobody has acted for this long is hardly worth watching.
ACTIVE = timedelta(days=3)
# The result of a followed game stays on the list for this long.
RESULT_SHOWN = timedelta(days=7)


def watched_games(viewer: Viewer, *, strongest_first: bool = False) -> Sequence[GameSummary]:
    """Return running public games of others, those with the latest action first, or of the strongest players.

    Games whose deal somebody else may play or replay are not among them, nor those of bots alone.
    """
    games = (
        Game.objects.running()
        .watchable_by(viewer)
        .filter(moved_at__gt=timezone.now() - ACTIVE)
        .filter(pk__in=Seat.objects.played_by_people().filter(has_left=False).values("game"))
    )
    games = games.order_by("-moved_at")
    if strongest_first:
        own_title = Q(seats__user__ratings__title=F("title"))
        games = games.annotate(strength=Avg("seats__user__ratings__mean", filter=own_title))
        games = games.order_by(F("strength").desc(nulls_last=True), "-moved_at")
    return summaries(games[:GAMES_SHOWN], viewer, with_habits=True)


def followed_games(viewer: User) -> list[GameSummary]:
    """Return the games that a person follows, the latest action first, and for some days how they ended.

    Games that are not public any more, or in which the person has got a seat, are left out.
    """
    followed = FollowedGame.objects.filter(user=viewer).values("game")
    games = Game.objects.watchable_by(viewer).filter(pk__in=followed)
    recent = Q(status=Game.Status.RUNNING) | Q(moved_at__gt=timezone.now() - RESULT_SHOWN)
    return summaries(games.filter(recent).order_by("-status", "-moved_at"), viewer)


def follows_game(viewer: Viewer, game: Game) -> bool | None:
    """Return whether a viewer follows a game; None if they can't, because of the game or without a log-in."""
    if not viewer.is_authenticated or not game.is_public or game.is_solo:
        return None
    if FollowedGame.objects.filter(user=viewer.pk, game=game).exists():
        return True
    can_follow = game.is_running and Game.objects.filter(pk=game.pk).watchable_by(viewer).exists()
    return False if can_follow else None
