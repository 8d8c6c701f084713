"""The page on which the players of a game agree to change its pace."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.forms import PaceForm
from games.http import PlayerRequest, no_store
from games.queries.access import access_game
from games.queries.clocks import can_change_pace, open_offer
from games.services import pace as service
from games.services.errors import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def pace(request: PlayerRequest, key: str) -> HttpResponse:
    """Show the offer to change the pace, or a form for one; store an offer or an answer."""
    game = access_game(request.user, key)
    if request.method != "POST":
        if not can_change_pace(game, request.user):
            return redirect(game)
        return _show(request, key, PaceForm(initial={"pace": game.pace or "none"}))
    form = PaceForm(request.POST)
    if form.is_valid():
        try:
            _store(request, key, form)
        except Refused as refused:
            form.add_error(None, refused.message)
            return _show(request, key, form, refused.status)
        return redirect(game)
    return _show(request, key, form, 400)


def _store(request: PlayerRequest, key: str, form: PaceForm) -> None:
    if form.cleaned_data["do"] == "offer":
        service.offer(key, request.user, form.chosen_pace)
    else:
        agrees = form.cleaned_data["do"] == "agree"
        service.answer(key, request.user, form.cleaned_data["offer"], agrees=agrees)


def _show(request: PlayerRequest, key: str, form: PaceForm, status: int = 200) -> HttpResponse:
    game = access_game(request.user, key)
    context = {"game": game, "form": form, "offer": open_offer(game, request.user)}
    return render(request, "games/pace.html", context, status=status)
