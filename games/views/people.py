"""The page of a player, to follow or mute them, and what people hide on their own."""

from urllib.parse import urlencode

from allauth.core.internal import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.people import BlockForm, FollowForm, MuteForm, ProfileForm
from games.http import PlayerRequest, SiteRequest, no_store, wants_partial
from games.models import ProfilePart
from games.queries.access import access_person
from games.queries.chat import is_muted
from games.queries.people.names import names_offered
from games.queries.people.profiles import (
    blocked_by,
    followed_by,
    hidden_parts,
    is_apart,
    is_blocking,
    is_following,
    offered_parts,
    profile,
    running_games,
)
from games.services.errors import Refused
from games.services.private import blocks, profiles
from games.services.talk import chat


@require_safe
@no_store
def person(request: SiteRequest, name: str) -> HttpResponse:
    """Show a player's profile as the viewer may see it. Redirects to the name as the player writes it.

    An open page asks repeatedly for the running games.
    """
    found = access_person(request.user, name)
    if wants_partial(request):
        return render(request, "games/_running.html", {"running": running_games(found, request.user)})
    if found.username != name:
        return redirect("games:person", found.username)
    context = {
        "profile": profile(found, request.user),
        "is_muted": is_muted(found, request.user),
        "is_followed": is_following(request.user, found),
        "is_blocked": is_blocking(request.user, found),
        "is_apart": is_apart(request.user, found),
    }
    return render(request, "games/person.html", context)


@require_safe
@no_store
def names(request: SiteRequest) -> HttpResponse:
    """Show the names to offer while the viewer types one: to find a player, or to invite somebody.

    Shows none if too many are asked for from one IP address.
    """
    text = (request.GET.get("who") or request.GET.get("name", "")).strip()
    is_allowed = ratelimit.consume(request, app="allauth.account", action="names", limit_get=True)
    offered = names_offered(text, request.user) if is_allowed and "@" not in text else []
    return render(request, "games/_names.html", {"names": offered})


@require_POST
@login_required
@no_store
def follow(request: PlayerRequest, name: str) -> HttpResponse:
    """Follow a person, or no longer. Only the viewer sees it."""
    found = access_person(request.user, name)
    form = FollowForm(request.POST)
    if not form.is_valid():
        return redirect("games:person", found.username)
    starts = form.cleaned_data["is_following"]
    try:
        profiles.follow(request.user, found, is_following=starts)
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        done = (
            _("You follow %(name)s. Their games come first on the page Watch.")
            if starts
            else _("You no longer follow %(name)s.")
        )
        messages.success(request, done % {"name": found.username})
    if form.cleaned_data["to_list"]:
        return redirect("games:profile_settings")
    if form.cleaned_data["game"]:
        return redirect("games:game", form.cleaned_data["game"])
    if sought := form.cleaned_data["sought"]:
        return redirect(f"{reverse('games:watch')}?{urlencode({'name': sought})}")
    return redirect("games:person", found.username)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def profile_settings(request: PlayerRequest) -> HttpResponse:
    """Show which parts of their profile the viewer hides, and whom they follow; store the hidden parts."""
    hidden = hidden_parts(request.user)
    stored = [part for part in ProfilePart.values if part not in hidden]
    form = ProfileForm(request.POST if request.method == "POST" else None, initial={"shown": stored})
    if form.is_valid():
        profiles.hide_parts(request.user, form.hidden)
        messages.success(request, _("Your profile is saved."))
        return redirect("games:profile_settings")
    offered = offered_parts()
    context = {
        "form": form,
        "parts": [(part.value, part.label, part not in hidden, part in offered) for part in ProfilePart],
        "followed": followed_by(request.user),
        "blocked": blocked_by(request.user),
    }
    return render(request, "games/profile_settings.html", context, status=400 if form.is_bound else 200)


@require_POST
@login_required
@no_store
def block(request: PlayerRequest, name: str) -> HttpResponse:
    """Keep the viewer and a person apart, or no longer."""
    found = access_person(request.user, name)
    form = BlockForm(request.POST)
    if not form.is_valid():
        return redirect("games:person", found.username)
    try:
        if form.cleaned_data["is_blocked"]:
            blocks.block(request.user, found)
            done = _("You have blocked %(name)s. A game that you play together goes on.")
        else:
            blocks.unblock(request.user, found)
            done = _("You no longer block %(name)s.")
    except Refused as refused:
        messages.error(request, refused.message)
    else:
        messages.success(request, done % {"name": found.username})
    if form.cleaned_data["to_list"]:
        return redirect("games:profile_settings")
    return redirect("games:person", found.username)


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
