"""The ratings of all players."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.http import SiteRequest, no_store
from games.queries.standings import RANKED_KINDS, circle_of, rating_list
from games.ratings import BOT_RATINGS, GAMES_OF_NEWCOMERS, START
from games.shown.words import BOT_LEVELS


@require_safe
@no_store
def ratings(request: SiteRequest) -> HttpResponse:
    """Show the players with enough rated games, best first, and what ratings mean."""
    circle = circle_of(request.user) if request.GET.get("people") == "followed" else None
    context = {
        "ratings": rating_list(request.user, request.GET.get("page", "1"), circle=circle),
        "people": "followed" if circle is not None else "",
        "bots": [(BOT_LEVELS[level], round(rating)) for level, rating in BOT_RATINGS.items()],
        "start": round(START),
        "kinds": [(kind.value, kind.label) for kind in RANKED_KINDS],
        "least_games": GAMES_OF_NEWCOMERS,
    }
    return render(request, "games/ratings.html", context)
