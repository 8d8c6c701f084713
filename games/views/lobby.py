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
from games.forms.once import OnceForm
from games.http import SiteRequest, no_store, nonce_of, wants_partial
from games.queries.browsing.watching import few_to_watch, followed_games
from games.queries.lists import has_played, lobby
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
    is_welcome = request.user.is_authenticated and shown.is_first
    context = {
        "lobby": shown,
        "to_watch": few_to_watch(request.user) if is_welcome else [],
        "lists_version": seen.lists,
        "my_turns": seen.turns,
        "to_train": count_due(request.user),
        "play_form": OnceForm(),
        "solo_form": OnceForm(),
        "first_title": first_title(),
        "further_titles": [*TITLES.values()][1:],
    }
    if not wants_partial(request):
        if isinstance(request.user, User):
            context |= {
                "followed": followed_games(request.user),
                "form": NewTableForm(
                    first_title(),
                    is_new=not has_played(request.user, first_title()),
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

    It is of the title that the pressed button names, or else of the first one.
    """
    form = OnceForm(request.POST)
    # GET makes no guest: crawlers follow links, and people reload pages.
    if request.method != "POST" or not form.is_valid():
        return redirect("games:home")
    request_id = form.cleaned_data["request_id"]
    user = user_or_guest(request, request_id)
    title = TITLES.get(request.POST.get("title", ""), first_title())
    # A page has one id for the buttons of all titles, and who goes back can press another one.
    game_id = uuid.uuid5(request_id, title.key) if title != first_title() else request_id
    seats, level = title.table_sizes[0], next(iter(title.bots.levels))
    options, bots = TableOptions(seats, title=title.key, is_public=True), [level] * (seats - 1)
    try:
        game = open_table(user, options, bots, request_id=game_id, nonce=nonce_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:home")
    return redirect(game)
