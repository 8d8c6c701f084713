"""Running games that anybody may watch."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Avg, F, Q
from django.utils import timezone

from accounts.models import Viewer
from games.models import Game, Seat
from games.queries.summaries import GameSummary, summaries

GAMES_SHOWN = 24
# A game in which nobody has acted for this long is hardly worth watching.
ACTIVE = timedelta(days=3)


def watched_games(viewer: Viewer, *, strongest_first: bool = False) -> Sequence[GameSummary]:
    """Return running public games of others, those with the latest action first, or of the strongest players.

    Games whose deal somebody else may play or replay are not among them, nor those of bots alone.
    """
    games = (
        Game.objects.multiplayer()
        .running()
        .listed()
        .findable_by(viewer)
        .under_known_rules()
        .filter(deal__duplicate=None, daily=None, moved_at__gt=timezone.now() - ACTIVE)
        .filter(pk__in=Seat.objects.played_by_people().filter(has_left=False).values("game"))
    )
    if viewer.is_authenticated:
        # Who has handed over a seat may know a hand, and can't see the game before its end.
        games = games.exclude(seats__user=viewer.pk).exclude(seat_changes__former=viewer.pk)
    games = games.order_by("-moved_at")
    if strongest_first:
        own_title = Q(seats__user__ratings__title=F("title"))
        games = games.annotate(strength=Avg("seats__user__ratings__mean", filter=own_title))
        games = games.order_by(F("strength").desc(nulls_last=True), "-moved_at")
    return summaries(games[:GAMES_SHOWN], viewer, with_habits=True)
