"""The page of a player."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from accounts.models import User
from games.http import SiteRequest, uncached
from games.profiles import profile


@require_safe
@uncached
def person(request: SiteRequest, name: str) -> HttpResponse:
    """Show what the viewer may know of a player, whose name may be written in any case."""
    found = get_object_or_404(User, username__iexact=name, is_active=True)
    if found.username != name:
        return redirect("games:person", found.username)
    return render(request, "games/person.html", {"profile": profile(found, request.user)})
