"""The text mode: a game as plain pages without pictures or scripts."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from games.forms.actions import MALFORMED, ActionForm, HintForm, PageForm, PlanForm, TakeBackForm
from games.http import SiteRequest, no_store
from games.models import Game
from games.queries.access import access_game
from games.queries.viewing import view_game
from games.services import hints, plans, presence
from games.services.errors import Refused
from games.services.play import play
from games.services.take_backs import take_back as take_back_action
from games.shown.history import recent_actions
from games.titles.registry import title_named
from games.titles.talents import Talent
from games.views.game.game_page import game_page
from games.views.game.show import chat_context


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def text(request: SiteRequest, key: str) -> HttpResponse:
    """Show a game as text, or play the posted action. A table has no text page, so it redirects."""
    game = access_game(request.user, key)
    if game.is_open:
        return redirect(game)
    return _play(request, game) if request.method == "POST" else _show(request, game)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def hint(request: SiteRequest, key: str) -> HttpResponse:
    """Ask for a hint. The next page shows it, or says that the expert is thinking."""
    game = access_game(request.user, key, needs=Talent.HINTS)
    here = f"{reverse('games:text', args=[key])}#move"
    if game.is_open or request.method != "POST":
        return redirect(here)
    form = HintForm(request.POST)
    if not form.is_valid():
        return _show(request, game, error=str(MALFORMED), status=400)
    try:
        hints.ask(key, request.user, form.cleaned_data["number"])
    except Refused as refused:
        return _show_refusal(request, game, refused)
    return redirect(here)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def take_back(request: SiteRequest, key: str) -> HttpResponse:
    """Take back the posted action, and show the board from before it."""
    game = access_game(request.user, key)
    here = reverse("games:text", args=[key])
    if game.is_open or request.method != "POST":
        return redirect(here)
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        return _show(request, game, error=str(MALFORMED), status=400)
    try:
        take_back_action(key, request.user, **form.cleaned_data)
    except Refused as refused:
        return _show_refusal(request, game, refused)
    return redirect(here)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def plan(request: SiteRequest, key: str) -> HttpResponse:
    """Store the posted plan for the viewer's next turn, and show it."""
    game = access_game(request.user, key, needs=Talent.PLANS)
    here = f"{reverse('games:text', args=[key])}?plan=1#plan"
    if game.is_open or request.method != "POST":
        return redirect(here)
    form = PlanForm(title_named(game.title).pages, request.POST)
    if not form.is_valid():
        return _show(request, game, error=str(MALFORMED), status=400)
    try:
        plans.change(key, request.user, *form.plan)
    except Refused as refused:
        return _show_refusal(request, game, refused)
    return redirect(here)


def _play(request: SiteRequest, game: Game) -> HttpResponse:
    form = ActionForm(title_named(game.title).pages, request.POST)
    if not form.is_valid():
        return _show(request, game, error=str(MALFORMED), status=400)
    try:
        play(game.key, request.user, *form.request)
    except Refused as refused:
        return _show_refusal(request, game, refused)
    return redirect("games:text", game.key)


def _show_refusal(request: SiteRequest, game: Game, refused: Refused) -> HttpResponse:
    game.refresh_from_db()
    return _show(request, game, error=str(refused.message), status=refused.status)


def _show(request: SiteRequest, game: Game, *, error: str = "", status: int = 200) -> HttpResponse:
    presence.mark_in(game, request.user)
    form = PageForm.read(request)
    view = view_game(game, request.user, form.action_number, form.review_part)
    title = title_named(game.title)
    board = title.pages.board(view, request.GET, is_planning=form.is_planning)
    context = {
        "page": game_page(request, game, board),
        "game": game,
        "board": board,
        **chat_context(request, game),
        "text": title.pages.text(view, board),
        "recent": recent_actions(board.history, view),
        "can_try": Talent.TRY_LINES in title.talents,
        "error": error or board.problem,
    }
    return render(request, title.pages.text_page, context, status=status)
