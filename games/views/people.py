"""The page of a player."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.http import SiteRequest, no_store
from games.queries.access import access_person
from games.queries.profiles import profile


@require_safe
@no_store
def person(request: SiteRequest, name: str) -> HttpResponse:
    """Show a player's profile as the viewer may see it. Redirects to the name as the player writes it."""
    found = access_person(request.user, name)
    if found.username != name:
        return redirect("games:person", found.username)
    return render(request, "games/person.html", {"profile": profile(found, request.user)})
