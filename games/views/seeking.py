"""The page on which a person looks for others to play a live game with."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.guests import user_or_guest
from accounts.models import User
from games.forms.once import OnceForm
from games.http import SiteRequest, no_store, nonce_of, redirect_page, wants_partial
from games.models import Seek
from games.services import tables
from games.services.errors import Refused
from games.titles.registry import TITLES, first_title
from games.views.lobby import play_now


@no_store
def seek(request: SiteRequest) -> HttpResponse:
    """Look for people to play with (POST), or show the search, and look again (GET).

    A page that waits sends GET requests repeatedly. The status is 204 while nothing changes.
    """
    try:
        found = _start(request) if request.method == "POST" else _look(request)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect_page(request, "games:home")
    if found is None and not isinstance(request.user, User):
        return redirect("games:home")
    if found and found.game and found.game.is_running:
        return redirect_page(request, found.game.get_absolute_url())
    if request.method == "POST":
        return redirect("games:seek")
    waits = found is not None and found.waits(timezone.now())
    if waits and wants_partial(request):
        return HttpResponse(status=204)
    context = {
        "seek": found if waits else None,
        "title": TITLES[found.title] if found and found.title in TITLES else first_title(),
        "play_form": OnceForm(),
    }
    return render(request, f"games/{'_seek' if wants_partial(request) else 'seek'}.html", context)


@require_POST
@no_store
def stop(request: SiteRequest) -> HttpResponse:
    """Stop looking, and play against a bot if the person wants to; show the game if one was found before."""
    found = tables.stop_looking(request.user) if isinstance(request.user, User) else None
    if found is not None and found.is_running:
        return redirect(found)
    return play_now(request) if "bot" in request.POST else redirect("games:home")


def _start(request: SiteRequest) -> Seek | None:
    form = OnceForm(request.POST)
    if not form.is_valid():
        return None
    request_id = form.cleaned_data["request_id"]
    title = TITLES.get(request.POST.get("title", ""), first_title())
    # The same page can start a game with bots, which is another one.
    game_id = uuid.uuid5(request_id, f"people {title.key}")
    user = user_or_guest(request, request_id)
    return tables.start_looking(user, title.key, game_id, nonce_of(request))


def _look(request: SiteRequest) -> Seek | None:
    return tables.look_again(request.user) if isinstance(request.user, User) else None
