"""A game or table as a page, or for htmx as the part of it that changes."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from games import queries
from games.forms import ChoiceForm
from games.http import SiteRequest, wants_part
from games.models import Game
from games.services import presence
from games.services.deals import deal_of, opened_text
from games.services.errors import Refused
from games.viewing import board_for


def show(request: SiteRequest, game: Game, *, error: str = "", status: int = 200) -> HttpResponse:
    """Show the game as it is now, or its table as long as it has not started."""
    page = _table if game.is_open else _board
    return page(request, game, error, status)


def show_refusal(request: SiteRequest, game: Game, refused: Refused) -> HttpResponse:
    """Show the game as it is now with the reason why a wish was refused."""
    game = get_object_or_404(Game.objects.select_related("deal"), pk=game.pk)
    return show(request, game, error=str(refused.message), status=refused.status)


def with_nothing_chosen(response: HttpResponse, game: Game) -> HttpResponse:
    """Let the address of a page that htmx has changed forget the choice, which the board shows no longer."""
    response["HX-Replace-Url"] = game.get_absolute_url()
    return response


def _board(request: SiteRequest, game: Game, error: str, status: int) -> HttpResponse:
    asked = ChoiceForm(request.GET)
    asked.full_clean()
    if not wants_part(request):
        # A part may be asked for by a hidden tab; whoever loads the page looks at it.
        presence.mark(game.key, request.user.pk)
    context = {
        "game": game,
        "board": board_for(game, request.user, asked.choice, at=asked.cleaned_data.get("at")),
        "error": error,
        "request_id": uuid.uuid4(),
        "resigning": "resign" in request.GET,
        "asking": "hint" in request.GET,
        "live": game.is_running,
        "commitment": deal_of(game).commitment,
        "opened": opened_text(game),
        "next_game": queries.next_turn(request.user, besides=game),
    }
    return render(request, f"games/{'_game' if wants_part(request) else 'game'}.html", context, status=status)


def _table(request: SiteRequest, game: Game, error: str, status: int) -> HttpResponse:
    summary = queries.summary(game, request.user)
    is_opener = request.user.is_authenticated and request.user.pk == game.opened_by_id
    context = {
        "game": game,
        "summary": summary,
        "error": error,
        "can_join": summary.you is None,
        "can_leave": summary.you is not None and not is_opener,
        "can_close": is_opener,
        "share_url": request.build_absolute_uri(game.get_absolute_url()),
        "version": queries.live_version(game.key),
    }
    return render(
        request, f"games/{'_table' if wants_part(request) else 'table'}.html", context, status=status
    )
