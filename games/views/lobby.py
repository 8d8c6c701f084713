"""The home page, and the first game of a visitor."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts import guests
from accounts.guests import user_or_guest
from accounts.models import User
from games.forms.new_table import NewTableForm
from games.forms.once import OnceForm, SeekForm
from games.http import SiteRequest, no_store, nonce_of, wants_partial
from games.queries.browsing.seeks import offers_of_others
from games.queries.browsing.watching import few_to_watch, followed_games
from games.queries.lists import has_played, lobby, usual_title_of
from games.queries.notifications import address_to_confirm, has_dead_browser, has_dead_webhook
from games.queries.overviews import overview
from games.queries.training import count_due
from games.services.errors import Refused
from games.services.private import guest_games
from games.services.tables import TableOptions, open_table
from games.titles.registry import TITLES, first_title

# The part of the home page that is replaced when a list changes.
LISTS_OF_USER = "games/_lists.html"
LISTS_OF_VISITOR = "games/_landing_tables.html"


@require_safe
@no_store
def home(request: SiteRequest) -> HttpResponse:
    """Show the viewer's games and tables, and the tables that they can join."""
    # The version comes first. If a list changes before it is read, the page loads the lists once more.
    seen = overview(request.user.pk)
    shown = lobby(request.user)
    usual_title = usual_title_of(request.user)
    is_welcome = request.user.is_authenticated and shown.is_first
    context = {
        "lobby": shown,
        "to_watch": few_to_watch(request.user) if is_welcome else [],
        "lists_version": seen.lists,
        "my_turns": seen.turns,
        "to_train": count_due(request.user),
        "offers": offers_of_others(request.user) if not shown.live else [],
        "play_form": OnceForm(),
        "solo_form": OnceForm(),
        "first_title": first_title(),
        "usual_title": usual_title,
        "further_titles": [title for title in TITLES.values() if title != usual_title],
    }
    if not wants_partial(request):
        if isinstance(request.user, User):
            context |= {
                "followed": followed_games(request.user),
                "form": NewTableForm(
                    usual_title,
                    is_new=not has_played(request.user, usual_title),
                    is_for_guest=request.user.is_guest,
                ),
                "address_to_confirm": address_to_confirm(request.user),
                "guest_games": _guest_games(request, request.user),
                "has_dead_browser": has_dead_browser(request.user),
                "has_dead_webhook": has_dead_webhook(request.user),
            }
        return render(request, "games/home.html", context)
    lists = LISTS_OF_USER if request.user.is_authenticated else LISTS_OF_VISITOR
    return render(request, lists, context | {"is_partial": True})


def _guest_games(request: SiteRequest, user: User) -> dict[str, object] | None:
    """Return the guest as whom the user has played in this browser, and how many games they can move."""
    guest = None if user.is_guest else guests.guest_before(request)
    count = guest_games.movable_games(guest, user).count() if guest else 0
    return {"guest": guest, "count": count} if count else None


@no_store
def play_now(request: SiteRequest) -> HttpResponse:
    """Start a game against as few easy bots as possible. A visitor plays as a guest.

    The form chooses title and pace, by default the first title and no clock.
    """
    form = SeekForm(request.POST)
    form.full_clean()
    request_id = form.cleaned_data.get("request_id")
    # GET makes no guest: crawlers follow links, and people reload pages.
    if request.method != "POST" or request_id is None:
        return redirect("games:home")
    user = user_or_guest(request, request_id)
    title, pace = TITLES[form.title_and_pace[0]], form.cleaned_data.get("pace", "")
    # A page has one id for all choices, and who goes back can make another one. The page has the commitment
    # to the deal of the usual one.
    is_first = title == first_title() and not pace
    game_id = request_id if is_first else uuid.uuid5(request_id, f"{title.key} {pace}")
    seats, level = title.table_sizes[0], next(iter(title.bots.levels))
    options, bots = TableOptions(seats, title=title.key, is_public=True, pace=pace), [level] * (seats - 1)
    try:
        game = open_table(user, options, bots, request_id=game_id, nonce=nonce_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:home")
    return redirect(game)
