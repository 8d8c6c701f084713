"""Opening, joining, leaving and closing tables."""

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guests import user_or_guest
from accounts.models import User
from games.forms.new_table import NewTableForm
from games.forms.once import OnceForm
from games.forms.tables import AddBotsForm, SwapForm
from games.http import SiteRequest, no_store, nonce_of, redirect_page, seat_of, wants_partial
from games.models import Game
from games.queries.access import access_game
from games.queries.lists import has_played, usual_title_of
from games.services import seat_changes, tables
from games.services.errors import Refused
from games.services.solo.expert_games import play_same_deal
from games.titles.registry import Title, UnknownTitle, first_title, title_named
from games.views.game.show import show, show_refusal
from games.views.invitations import invite_to, log_in_and_sit_down, named_guest, wants_account


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def new(request: SiteRequest) -> HttpResponse:
    """Open a table. A visitor opens it as a guest, or logs in for what guests cannot do.

    The page can be for a person who then gets an invitation to the table (`invite`), or begin with a game
    against people (`with`).
    """
    sent = request.POST if request.method == "POST" else None
    key = (request.GET if sent is None else sent).get("title", "")
    title = _title_named(key) if key or sent is not None else usual_title_of(request.user)
    form = NewTableForm(
        title,
        sent,
        is_new=not has_played(request.user, title),
        is_for_guest=not isinstance(request.user, User) or request.user.is_guest,
        is_with_people=request.GET.get("with") == "people",
        invited=request.GET.get("invite", ""),
    )
    if form.needs_account and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    if not form.is_valid():
        return render(request, "games/new.html", {"form": form}, status=400 if form.is_bound else 200)
    data = form.cleaned_data
    user = user_or_guest(request, data["request_id"])
    try:
        game = tables.open_table(
            user, form.options, form.bots, request_id=data["request_id"], nonce=nonce_of(request)
        )
    except Refused as refused:
        form.add_error(None, refused.message)
        form.renew()
        return render(request, "games/new.html", {"form": form}, status=refused.status)
    if data["invited"] and game.is_open:
        try:
            invite_to(game, request, user, data["invited"])
        except Refused as refused:
            messages.warning(request, refused.message)
    return redirect(game)


def _title_named(key: str) -> Title:
    """Return the title of this key, or the first one without a key. Raises Http404 for an unknown one."""
    try:
        return title_named(key) if key else first_title()
    except UnknownTitle:
        raise Http404 from None


@no_store
def join(request: SiteRequest, key: str) -> HttpResponse:
    """Take a seat at a table. A visitor takes it as a guest, or after a log-in."""
    if request.method == "POST" and not request.user.is_authenticated:
        game, form = access_game(request.user, key), OnceForm(request.POST)
        if wants_account(request, game) or not form.is_valid():
            return log_in_and_sit_down(request, game)
        named_guest(request, form)
    join_table = partial(tables.join, nonce=nonce_of(request), number=seat_of(request))
    return _change(request, key, join_table, opens_it=True)


@no_store
def swap(request: SiteRequest, key: str) -> HttpResponse:
    """Let two seats of a table change places: who sits where says who plays with whom."""
    form = SwapForm(request.POST)
    if not form.is_valid() and request.method == "POST":
        raise BadRequest("not two seats")
    return _change(request, key, partial(tables.swap, **form.cleaned_data), opens_it=True)


@no_store
def add_bots(request: SiteRequest, key: str) -> HttpResponse:
    """Give one free seat of a table, or all, to bots."""
    form = AddBotsForm(title_named(access_game(request.user, key).title), request.POST)
    if not form.is_valid() and request.method == "POST":
        raise BadRequest("not a level or a seat of a bot")
    return _change(request, key, partial(tables.add_bots, **form.cleaned_data), opens_it=True)


@no_store
def take_back(request: SiteRequest, key: str) -> HttpResponse:
    return _change(request, key, seat_changes.take_back, opens_it=True)


@no_store
def leave(request: SiteRequest, key: str) -> HttpResponse:
    return _change(request, key, tables.leave)


@no_store
def decline(request: SiteRequest, key: str) -> HttpResponse:
    return _change(request, key, tables.decline, done=_("You declined. The others can see that."))


@no_store
def rematch(request: SiteRequest, key: str) -> HttpResponse:
    """Offer or accept a rematch. Until it starts, its players stay on the page of the finished game."""
    return _change(request, key, partial(tables.rematch, nonce=nonce_of(request)), opens_it=True)


@no_store
def expert(request: SiteRequest, key: str) -> HttpResponse:
    """Show the expert's game on the deal of a finished solo game. The first POST starts it."""
    return _change(request, key, play_same_deal, opens_it=True)


@no_store
def close(request: SiteRequest, key: str) -> HttpResponse:
    return _change(request, key, tables.close)


def _change(
    request: SiteRequest,
    key: str,
    change: Callable[[str, User], Game | None],
    *,
    opens_it: bool = False,
    done: str = "",
) -> HttpResponse:
    """Change a table, and redirect to the game that `change` returns or to the home page, with a message.

    The board of a finished game stays where it is while its rematch waits.
    """
    game = access_game(request.user, key)
    finished = game if game.is_over else game.rematch_of
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect(game)
    if not isinstance(request.user, User):
        messages.info(request, _("Please log in or sign up first."))
        return redirect_to_login(game.get_absolute_url())
    try:
        changed = change(key, request.user)
    except Refused as refused:
        shown = finished if finished is not None and wants_partial(request) else game
        return show_refusal(request, shown, refused)
    if finished is not None and (changed is None or changed.is_open):
        if wants_partial(request):
            return show(request, access_game(request.user, finished.key))
        if game.is_over:
            return redirect("games:text", key) if "text" in request.POST else redirect(game)
    if done:
        messages.success(request, done)
    return redirect_page(request, changed.get_absolute_url() if changed and opens_it else "games:home")
