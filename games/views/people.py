"""The page of a player."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.forms import MuteForm
from games.http import PlayerRequest, SiteRequest, no_store
from games.queries.access import access_person
from games.queries.chat import is_muted
from games.queries.profiles import profile
from games.services import chat


@require_safe
@no_store
def person(request: SiteRequest, name: str) -> HttpResponse:
    """Show a player's profile as the viewer may see it. Redirects to the name as the player writes it."""
    found = access_person(request.user, name)
    if found.username != name:
        return redirect("games:person", found.username)
    context = {"profile": profile(found, request.user), "is_muted": is_muted(found, request.user)}
    return render(request, "games/person.html", context)


@require_POST
@login_required
@no_store
def mute(request: PlayerRequest, name: str) -> HttpResponse:
    """Hide the chat lines of a person from the viewer, or show them again."""
    found = access_person(request.user, name)
    form = MuteForm(request.POST)
    if not form.is_valid():
        return redirect("games:person", found.username)
    chat.mute(request.user, found, is_muted=form.cleaned_data["is_muted"])
    if form.cleaned_data["is_muted"]:
        messages.success(request, _("You no longer see what %(name)s writes.") % {"name": found.username})
    else:
        messages.success(request, _("You see what %(name)s writes again.") % {"name": found.username})
    key = form.cleaned_data["game"]
    return redirect("games:game", key) if key else redirect("games:person", found.username)
