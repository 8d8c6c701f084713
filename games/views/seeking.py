"""The page on which a person looks for others to play a live game with."""

import uuid
from datetime import timedelta
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.guests import user_or_guest
from accounts.models import User
from games.forms.once import SeekForm
from games.http import SiteRequest, no_store, nonce_of, redirect_page, wants_partial
from games.models import Seek
from games.queries.browsing.seeks import offers_of_others
from games.queries.lists import usual_title_of
from games.services import tables
from games.services.errors import Refused
from games.titles.registry import TITLES, first_title
from games.views.lobby import play_now

A_SECOND = timedelta(seconds=1)


@no_store
def seek(request: SiteRequest) -> HttpResponse:
    """Look for people to play with (POST), or show the search, and look again (GET).

    A page that waits sends GET requests repeatedly, with what it shows of others. The status is 204 while
    nothing changes. The page leads to the game that was found when its person looks at it.
    """
    try:
        found = _start(request) if request.method == "POST" else _look(request)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect_page(request, "games:home")
    game = found.game if found and found.game and found.game.is_running else None
    if game and not wants_partial(request):
        return redirect(game)
    if request.method == "POST" and not wants_partial(request):
        return redirect("games:seek")
    now = timezone.now()
    waits = found is not None and found.waits(now)
    offers = offers_of_others(request.user)
    shown = " ".join(f"{offer.title}-{offer.pace}" for offer in offers)
    if waits and wants_partial(request) and request.GET.get("others") == shown:
        return HttpResponse(status=204)
    title = TITLES[found.title] if found and found.title in TITLES else first_title()
    usual = {"title": usual_title_of(request.user).key} | _choice_in(request.GET)
    chosen = {"title": found.title, "pace": found.pace} if found else usual
    context = {
        "seek": found if waits else None,
        "game": game,
        "was_in_vain": found is not None and found.was_in_vain(now),
        "seconds": found.has_waited(now) // A_SECOND if found else 0,
        "title": title,
        "offers": offers,
        "others": shown,
        "play_form": SeekForm(initial=chosen),
    }
    return render(request, f"games/{'_seek' if wants_partial(request) else 'seek'}.html", context)


@require_POST
@no_store
def stop(request: SiteRequest) -> HttpResponse:
    """Stop looking, and play against a bot if the person wants to; show the game if one was found before.

    Without a bot, the page of the search keeps what was chosen.
    """
    found = tables.stop_looking(request.user) if isinstance(request.user, User) else None
    if found is not None and found.is_running:
        return redirect(found)
    if "bot" in request.POST:
        return play_now(request)
    return redirect(f"{reverse('games:seek')}?{urlencode(_choice_in(request.POST))}")


@require_POST
@no_store
def leave(request: SiteRequest) -> HttpResponse:
    """Note that a page of the search is closed. Another one of the same person goes on with it."""
    if isinstance(request.user, User):
        tables.leave_search(request.user)
    return HttpResponse(status=204)


def _choice_in(fields: QueryDict) -> dict[str, str]:
    """Return the title and the pace that these fields name; form fields begin with what is missing."""
    form = SeekForm(fields)
    form.full_clean()
    return {name: value for name in ("title", "pace") if (value := form.cleaned_data.get(name))}


def _start(request: SiteRequest) -> Seek | None:
    form = SeekForm(request.POST)
    form.full_clean()
    request_id = form.cleaned_data.get("request_id")
    if request_id is None:
        return None
    title, pace = form.title_and_pace
    # The same page can start a game with bots, which is another one, and look for other games.
    game_id = uuid.uuid5(request_id, f"people {title} {pace}")
    user = user_or_guest(request, request_id)
    return tables.start_looking(user, title, game_id, nonce_of(request), pace=pace)


def _look(request: SiteRequest) -> Seek | None:
    return tables.look_again(request.user) if isinstance(request.user, User) else None
