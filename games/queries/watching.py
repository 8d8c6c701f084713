"""Running games that anybody may watch, and players found by a part of their name."""

from collections.abc import Sequence
from datetime import timedelta
from difflib import get_close_matches

from django.db.models import Avg, Case, F, Q, When
from django.db.models.functions import Length
from django.utils import timezone

from accounts.models import User, Viewer
from games.models import Game, Seat
from games.queries.summaries import GameSummary, summaries

GAMES_SHOWN = 24
PEOPLE_SHOWN = 12
# A game in which nobody has acted for this long is hardly worth watching.
ACTIVE = timedelta(days=3)
MOST_COMPARED = 5000  # names that are compared with one that nobody has


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


def people_named(text: str) -> list[str]:
    """Return the names of active players that begin with a text, or contain it, or else are similar to it.

    Guests are not found. At most `PEOPLE_SHOWN` names: first the name that is this text, if somebody has it,
    then those that begin with it, and the shortest first.
    """
    people = User.objects.filter(is_active=True, is_guest=False)
    names = people.values_list("username", flat=True)
    rank = Case(When(username__iexact=text, then=0), When(username__istartswith=text, then=1), default=2)
    ranked = names.filter(username__icontains=text).order_by(rank, Length("username"), "username")
    if found := list(ranked[:PEOPLE_SHOWN]):
        return found
    latest = names.order_by(F("last_login").desc(nulls_last=True))[:MOST_COMPARED]
    by_key = {name.casefold(): name for name in latest}
    return [by_key[key] for key in get_close_matches(text.casefold(), by_key, PEOPLE_SHOWN)]
