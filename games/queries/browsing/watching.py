"""Running games that anybody may watch, and those that a person follows."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import product
from typing import Any

from django.db.models import (
    Avg,
    Case,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextChoices,
    When,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Viewer
from games.marked import ngettext
from games.models import Follow, FollowedGame, Game, GameQuerySet, Seat, Watch, seats_of
from games.queries.seats import seats_ahead
from games.queries.summaries import GameSummary, summaries
from games.shown.words import join_words
from games.titles.actions import CANCELLED

GAMES_SHOWN = 24
# A game in which nobody has acted for this long is hardly worth watching.
ACTIVE = timedelta(days=3)
# Games that ended lately are shown below the running ones.
FINISHED_SHOWN = 9
FEW_SHOWN = 2
RECENT, OLD = timedelta(days=30), timedelta(days=365)
# The result of a followed game stays on the list for this long.
RESULT_SHOWN = timedelta(days=30)


class Order(TextChoices):
    """What comes first among the games to watch."""

    LATEST = "latest", _("Latest")
    WATCHED = "watched", _("Most watched")
    STRENGTH = "strength", _("Strongest")


def watched_games(
    viewer: Viewer,
    order: str = Order.LATEST,
    title: str = "",
    *,
    limit: int = GAMES_SHOWN,
    skips_followed: bool = False,
) -> Sequence[GameSummary]:
    """Return running public games of others that are played now, in this order; of one title, or all.

    Games whose deal somebody else may play or replay are not among them, nor those with fewer than two
    people. By the latest action, games of people whom the viewer follows come before all others. Each game
    has `spectators`, the number of people without a seat who look at it, and `is_followed`, by the viewer.
    """
    games = _active_games(viewer).annotate(
        spectators=_count(Watch.objects.here(timezone.now()).filter(game=OuterRef("pk"))),
        is_followed=_is_followed_by(viewer),
    )
    if skips_followed:
        games = games.filter(is_followed=False)
    if title:
        games = games.filter(title=title)
    if order == Order.WATCHED:
        games = games.order_by("-spectators", "-moved_at")
    elif order == Order.STRENGTH:
        own_title = Q(seats__user__ratings__title=F("title"))
        games = games.annotate(strength=Avg("seats__user__ratings__mean", filter=own_title))
        games = games.order_by(F("strength").desc(nulls_last=True), "-moved_at")
    else:
        known = Follow.objects.filter(user=viewer.pk).values("followed")
        games = games.annotate(has_known=Exists(_people().filter(user__in=known)))
        games = games.order_by("-has_known", "-moved_at")
    return summaries(games[:limit], viewer, with_habits=True)


def finished_to_watch(
    viewer: Viewer, *, limit: int = FINISHED_SHOWN, skips_followed: bool = False
) -> Sequence[GameSummary]:
    """Return the public games of others that ended last, with two people if there are any, else with bots.

    If none ended lately, there are those of the last year, so that a visitor finds something.
    """
    people = Seat.objects.filter(bot="", game=OuterRef("pk"))
    ended = Game.objects.over().watchable_by(viewer).exclude(ending=CANCELLED).filter(version__gt=0)
    ended = ended.annotate(people=_count(people))
    if skips_followed:
        ended = ended.exclude(_is_followed_by(viewer))
    for least, span in product((2, 1), (RECENT, OLD)):
        games = ended.filter(moved_at__gt=timezone.now() - span, people__gte=least).order_by("-moved_at")
        if found := summaries(games[:limit], viewer):
            return found
    return []


def few_to_watch(viewer: Viewer) -> Sequence[GameSummary]:
    """Return a few public games of others: running ones if there are any, else those that ended last.

    Those that the viewer follows are left out, because the home page lists them already.
    """
    return watched_games(viewer, limit=FEW_SHOWN, skips_followed=True) or finished_to_watch(
        viewer, limit=FEW_SHOWN, skips_followed=True
    )


def next_to_watch(viewer: Viewer, game: Game) -> Game | None:
    """Return the running game to watch after this one, if there is another.

    The order is fixed, so who goes from game to game sees all of them.
    """
    comes_first = Case(When(pk__lt=game.pk, then=0), default=1)
    games = _active_games(viewer).exclude(pk=game.pk)
    return games.order_by(comes_first, "-pk").first()


def _active_games(viewer: Viewer) -> GameQuerySet:
    """Return running public games of others, of at least two people, that started or went on lately."""
    since = timezone.now() - ACTIVE
    games = Game.objects.running().watchable_by(viewer).filter(moved_at__gt=since)
    return games.annotate(people=_count(_people())).filter(people__gt=1)


def _people() -> QuerySet[Seat]:
    """Return the seats of people who still play in the outer game."""
    return Seat.objects.played_by_people().filter(has_left=False, game=OuterRef("pk"))


def _is_followed_by(viewer: Viewer) -> Exists:
    """Return whether a viewer follows the outer game, as an expression."""
    return Exists(FollowedGame.objects.filter(user=viewer.pk, game=OuterRef("pk")))


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Return the number of these rows of a game as an expression."""
    counted = rows.order_by().values("game").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def followed_games(viewer: User) -> list[GameSummary]:
    """Return the games that a person follows, the latest action first, and for some days how they ended.

    Games that are not public any more, or in which the person has got a seat, are left out.
    """
    followed = FollowedGame.objects.filter(user=viewer).values("game")
    games = Game.objects.watchable_by(viewer).filter(pk__in=followed)
    recent = Q(status=Game.Status.RUNNING) | Q(moved_at__gt=timezone.now() - RESULT_SHOWN)
    return summaries(games.filter(recent).order_by("-status", "-moved_at"), viewer)


def describe_lead(game: Game) -> str:
    """Return who is ahead in a running game, as a sentence; empty if nobody is."""
    seats = seats_of(game)
    ahead = seats_ahead(game.title, seats)
    names = join_words([seat.name for seat in seats if seat.number in ahead])
    if not names:
        return ""
    return ngettext("%(names)s is ahead.", "%(names)s are ahead.", len(ahead)) % {"names": names}


def follows_game(viewer: Viewer, game: Game) -> bool | None:
    """Return whether a viewer follows a game; None if they can't. Visitors could after a log-in."""
    if not game.is_public or game.is_solo:
        return None
    if not viewer.is_authenticated:
        return False if game.is_running and _is_watchable(game) else None
    if FollowedGame.objects.filter(user=viewer.pk, game=game).exists():
        return True
    can_follow = game.is_running and Game.objects.filter(pk=game.pk).watchable_by(viewer).exists()
    return False if can_follow else None


def _is_watchable(game: Game) -> bool:
    """Return whether visitors may watch a public game; `GameQuerySet.watchable_by` finds the same games."""
    return not game.is_unlisted and game.daily_id is None and game.duplicate is None
