"""The page on which players offer their seat, and the page of an offered seat."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.guests import user_or_guest
from accounts.models import User
from games.forms.once import OnceForm
from games.forms.tables import HandOverForm
from games.http import PlayerRequest, SiteRequest, no_store
from games.models import SeatOffer
from games.queries.access import access_game
from games.queries.hand_overs import seat_offers, show_offer
from games.queries.summaries import summary
from games.services import hand_overs
from games.services.errors import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def hand_over(request: PlayerRequest, key: str) -> HttpResponse:
    """Show the offer of the viewer's seat, or the ways to offer it; store an offer or an answer to one."""
    game = access_game(request.user, key)
    if request.method != "POST":
        may_offer = game.is_running and not game.is_solo and not game.duplicate
        if not may_offer or not game.seats.of(request.user).filter(has_left=False).exists():
            return redirect(game)
        return _show(request, key, HandOverForm())
    form = HandOverForm(request.POST)
    if not form.is_valid():
        return _show(request, key, form, 400)
    try:
        _store(request, key, form)
    except Refused as refused:
        form.add_error(None, refused.message)
        return _show(request, key, form, refused.status)
    if form.cleaned_data["do"] == "object":
        return redirect("games:text", key) if "text" in request.POST else redirect(game)
    return redirect("games:hand_over", key)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def seat(request: SiteRequest, offer: str) -> HttpResponse:
    """Show an offered seat; on POST, take it or give it up. Visitors do so as guests or after a log-in."""
    if request.method != "POST":
        return _show_seat(request, offer)
    user = request.user
    if not isinstance(user, User):
        form = OnceForm(request.POST)
        offered = get_object_or_404(SeatOffer.objects.running().select_related("game"), key=offer)
        if offered.game.needs_account or "log_in" in request.POST or not form.is_valid():
            return redirect_to_login(request.path)
        user = user_or_guest(request, form.cleaned_data["request_id"])
    gives_up = request.POST.get("do") == "give_up"
    try:
        game = (hand_overs.give_up if gives_up else hand_overs.take)(offer, user)
    except Refused as refused:
        return _show_seat(request, offer, refused.message, refused.status)
    if gives_up:
        messages.success(request, _("You have given the seat up. It is free again."))
    if gives_up or game.seats.of(user).exists():
        return redirect(game)
    return redirect("games:seat", offer)


def _store(request: PlayerRequest, key: str, form: HandOverForm) -> None:
    data = form.cleaned_data
    if data["do"] == "object":
        hand_overs.object_to(key, request.user, data["offer"])
    elif data["do"] == "withdraw":
        hand_overs.withdraw(key, request.user)
    else:
        hand_overs.offer(key, request.user, is_public=data["do"] == "everybody")


def _show(request: PlayerRequest, key: str, form: HandOverForm, status: int = 200) -> HttpResponse:
    game = access_game(request.user, key)
    own = next((offer for offer in seat_offers(game, request.user) if offer.is_yours), None)
    context = {"game": game, "form": form, "offer": own}
    if own:
        context["share_url"] = request.build_absolute_uri(f"/seats/{own.key}/")
    return render(request, "games/hand_over.html", context, status=status)


def _show_seat(request: SiteRequest, key: str, error: object = "", status: int = 200) -> HttpResponse:
    offers = SeatOffer.objects.select_related("game", "offered_by", "taker")
    offered = get_object_or_404(offers, key=key)
    game = access_game(request.user, offered.game.key)
    context = {
        "offer": show_offer(offered, request.user),
        "is_free": offered.settled_at is None and offered.taken_at is None and game.is_running,
        "was_objected": offered.outcome == SeatOffer.Outcome.OBJECTED and game.is_running,
        "waits": offered.settled_at is None and game.is_running,
        "game": game,
        "seat_key": key,
        "summary": summary(game, request.user),
        "has_objection_time": offered.has_objection_time,
        "once_form": OnceForm(),
        "error": error,
    }
    return render(request, "games/seat.html", context, status=status)
