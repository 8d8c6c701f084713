"""Games to watch, and the search for players."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.forms.people import FindForm
from games.http import SiteRequest, no_store, wants_partial
from games.queries.browsing.watching import watched_games
from games.queries.people.names import names_offered, people_named


@require_safe
@no_store
def watch(request: SiteRequest) -> HttpResponse:
    """Show running public games, and the players whose names are like the one that is looked for.

    A name that somebody has leads to their page at once.
    """
    is_by_strength = request.GET.get("by") == "strength"
    games = watched_games(request.user, strongest_first=is_by_strength)
    if wants_partial(request):
        return render(request, "games/_watched.html", {"games": games})
    form = FindForm(request.GET)
    name = form.cleaned_data["name"] if form.is_valid() else ""
    people = people_named(name) if name else []
    if people and people[0].casefold() == name.casefold():
        return redirect("games:person", name)
    context = {
        "form": form,
        "name": name,
        "people": people,
        "names": names_offered("", request.user),
        "games": games,
        "is_by_strength": is_by_strength,
    }
    return render(request, "games/watch.html", context)
