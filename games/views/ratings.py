"""The ratings of all players."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.http import SiteRequest, no_store
from games.queries.standings import RANKED_KINDS, circle_of, rating_list
from games.ratings import GAMES_OF_NEWCOMERS, START
from games.shown.lists import lists_of, name_of
from games.shown.words import BOT_LEVELS
from games.titles.registry import TITLES


@require_safe
@no_store
def ratings(request: SiteRequest) -> HttpResponse:
    """Show the players with enough rated games, best first, and what ratings mean."""
    circle = circle_of(request.user) if request.GET.get("people") == "followed" else None
    first, *others = TITLES
    title = request.GET.get("title", "")
    title = title if title in others else first
    levels = TITLES[title].bots.levels
    context = {
        "ratings": rating_list(request.user, title, request.GET.get("page", "1"), circle=circle),
        "titles": [(key, name_of(key), key == title) for key in TITLES] if others else (),
        "title": title if title != first else "",
        "rule_of_places": lists_of(title).rule_of_places,
        "people": "followed" if circle is not None else "",
        "bots": [(BOT_LEVELS[name], round(level.rating)) for name, level in levels.items()],
        "start": round(START),
        "kinds": [(kind.value, kind.label) for kind in RANKED_KINDS],
        "least_games": GAMES_OF_NEWCOMERS,
    }
    return render(request, "games/ratings.html", context)
