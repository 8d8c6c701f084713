"""Outages of the site during a game: no clock ran."""

from bisect import bisect_left
from collections.abc import Sequence

from django.utils import timezone

from accounts.clock import zone_of
from accounts.models import Viewer
from games.clocks import Pause, joined
from games.models import Action, Game, outages_since
from games.shown.clocks import describe_outage
from games.titles.people import Outage


def outages_of(game: Game, viewer: Viewer) -> tuple[Outage, ...]:
    """Return the outages during a game with a clock, in words for the viewer."""
    pauses = outages_during(game)
    if not pauses:
        return ()
    zone = zone_of(viewer.time_zone if viewer.is_authenticated else "")
    times = list(Action.objects.filter(game=game).order_by("number").values_list("at", flat=True))
    return tuple(
        Outage(bisect_left(times, pause.start) + 1, describe_outage(pause.start, pause.end, zone))
        for pause in pauses
    )


def outages_during(game: Game) -> Sequence[Pause]:
    """Return the known outages during a game with a clock, those of several parts of the site as one."""
    if not game.pace or game.started_at is None:
        return ()
    end = game.moved_at if game.is_over and game.moved_at else timezone.now()
    known = outages_since(game.started_at, only_known=True)
    parts = sorted(pause.within(game.started_at, end) for pause in known)
    return tuple(joined(pause for pause in parts if pause.start < pause.end))
