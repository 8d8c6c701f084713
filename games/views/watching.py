"""Games to watch or follow, and the search for players."""

from urllib.parse import urlencode

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.forms.people import FindForm, FollowGameForm
from games.http import PlayerRequest, SiteRequest, no_store, wants_partial
from games.queries.access import access_game
from games.queries.browsing.watching import Order, finished_to_watch, watched_games
from games.queries.people.found import found_people
from games.queries.people.names import names_offered, people_named
from games.queries.people.profiles import followed_by
from games.services.errors import Refused
from games.services.private import profiles
from games.shown.lists import name_of
from games.titles.registry import TITLES

FOLLOWED_SHOWN = 30


@require_safe
@no_store
def watch(request: SiteRequest) -> HttpResponse:
    """Show running public games, and the players whose names are like the one that is looked for.

    A name that somebody has leads to their page. Searches have the limit of `/names/`.
    """
    by = request.GET.get("by")
    order = Order(by) if by in Order.values else Order.LATEST
    title = request.GET.get("title", "")
    title = title if title in TITLES else ""
    shown = {"games": watched_games(request.user, order, title), "order": order, "title": title}
    if wants_partial(request):
        return render(request, "games/_watched.html", shown)
    form = FindForm(request.GET)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    if name and not ratelimit.consume(request, app="allauth.account", action="names", limit_get=True):
        return ratelimit.respond_429(request)
    people = people_named(name) if name else []
    if people and people[0].casefold() == name.casefold():
        return redirect("games:person", name)
    context = shown | {
        "form": form,
        "name": name,
        "people": found_people(people, request.user),
        "names": names_offered("", request.user),
        "followed": followed_by(request.user, FOLLOWED_SHOWN) if request.user.is_authenticated else (),
        "most_followed": FOLLOWED_SHOWN,
        "finished": finished_to_watch(request.user),
        "orders": Order,
        "titles": [(key, name_of(key)) for key in TITLES] if len(TITLES) > 1 else (),
    }
    return render(request, "games/watch.html", context)


@require_POST
@login_required
@no_store
def follow(request: PlayerRequest, key: str) -> HttpResponse:
    """Follow a game of others, or no longer. Only the viewer sees it."""
    game = access_game(request.user, key)
    form = FollowGameForm(request.POST)
    if form.is_valid():
        starts = form.cleaned_data["is_following"]
        try:
            profiles.follow_game(request.user, game, is_following=starts)
        except Refused as refused:
            messages.error(request, refused.message)
        else:
            messages.success(request, _started() if starts else _("You no longer follow this game."))
        if form.cleaned_data["to_list"]:
            return redirect("games:home")
        if by := form.cleaned_data["watched_by"]:
            title = form.cleaned_data["watched_title"]
            query = urlencode({"by": by} | ({"title": title} if title else {}))
            return redirect(f"{reverse('games:watch')}?{query}#watched-{game.key}")
    return redirect(game)


def _started() -> str:
    """Return where the viewer finds a game that they follow, with a link to choose an email about it."""
    said = _("You follow this game. It is on your home page.")
    return format_html(
        '{} <a href="{}">{}</a>', said, reverse("games:notifications"), _("Get an email when it ends")
    )
