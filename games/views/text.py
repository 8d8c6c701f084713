"""The text mode: a whole game as plain pages, without pictures and scripts."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games import queries
from games.forms import MALFORMED, ActionForm, ChoiceForm, HintForm
from games.http import SiteRequest, uncached
from games.models import Game
from games.services import hints, presence
from games.services.deals import deal_of, opened_text
from games.services.errors import Refused
from games.services.play import play
from games.text import tell
from games.viewing import viewing


@require_http_methods(["GET", "HEAD", "POST"])
@uncached
def text(request: SiteRequest, key: str) -> HttpResponse:
    """Show a game as text, or carry out the posted action; a table has no text of its own."""
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    if game.is_open:
        return redirect(game)
    return _play(request, game) if request.method == "POST" else _show(request, game)


@require_http_methods(["GET", "HEAD", "POST"])
@uncached
def hint(request: SiteRequest, key: str) -> HttpResponse:
    """Ask for a hint; the page that follows tells it, or that it is still thought about."""
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    here = f"{reverse('games:text', args=[key])}#move"
    if game.is_open or request.method != "POST":
        return redirect(here)
    form = HintForm(request.POST)
    if not form.is_valid():
        return _show(request, game, error=str(MALFORMED), status=400)
    try:
        hints.ask(key, request.user, form.cleaned_data["number"])
    except Refused as refused:
        game.refresh_from_db()
        return _show(request, game, error=str(refused.message), status=refused.status)
    return redirect(here)


def _play(request: SiteRequest, game: Game) -> HttpResponse:
    form = ActionForm(request.POST)
    if not form.is_valid():
        return _show(request, game, error=str(MALFORMED), status=400)
    try:
        play(game.key, request.user, form.wish, form.cleaned_data["number"], form.cleaned_data["request_id"])
    except Refused as refused:
        game.refresh_from_db()
        return _show(request, game, error=str(refused.message), status=refused.status)
    return redirect("games:text", game.key)


def _show(request: SiteRequest, game: Game, *, error: str = "", status: int = 200) -> HttpResponse:
    presence.mark(game.key, request.user.pk)
    asked = ChoiceForm(request.GET)
    asked.full_clean()
    seen = viewing(game, request.user, asked.cleaned_data.get("at"))
    board = seen.board(asked.choice)
    context = {
        "game": game,
        "board": board,
        "text": tell(board, seen.position, seen.people, seen.viewer),
        "error": error or board.problem,
        "request_id": uuid.uuid4(),
        "resigning": "resign" in request.GET and board.can_resign and not board.is_past,
        "asking": "hint" in request.GET,
        "commitment": deal_of(game).commitment,
        "opened": opened_text(game),
        "next_game": queries.next_turn(request.user, besides=game),
    }
    return render(request, "games/text/page.html", context, status=status)
