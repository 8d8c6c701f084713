"""The chat of a game: its lines, the form for a new one, and what the viewer has read."""

import uuid

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from games.forms.talk import ChatForm, ReadForm
from games.http import SiteRequest, no_store, wants_partial
from games.models import Game
from games.queries.access import access_game
from games.queries.chat import chat_of
from games.services.errors import Refused
from games.services.talk import chat as service

UNREADABLE = _("Please write a line of one to 500 characters that others can see.")


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def chat(request: SiteRequest, key: str) -> HttpResponse:
    """Show the chat of a game as a page, or store the posted line.

    htmx gets only the lines after the one that it names, or the panel after a post and when it asks for it.
    """
    game = access_game(request.user, key)
    if request.method == "POST":
        return _write(request, game)
    if not wants_partial(request) or "panel" in request.GET:
        return _show(request, game)
    shown = chat_of(game, request.user)
    form = ReadForm(request.GET)
    after = form.cleaned_data["line"] if form.is_valid() else 0
    lines = [line for line in shown.lines if line.id > after] if shown else []
    return render(request, "games/_chat_lines.html", {"lines": lines, "game": game})


@require_POST
@no_store
def read(request: SiteRequest, key: str) -> HttpResponse:
    """Store that the viewer has read the chat up to the posted line."""
    game = access_game(request.user, key)
    form = ReadForm(request.POST)
    if form.is_valid():
        service.mark_read(key, request.user, form.cleaned_data["line"])
    return HttpResponse(status=204) if wants_partial(request) else _back(request, game)


def _write(request: SiteRequest, game: Game) -> HttpResponse:
    form = ChatForm(request.POST)
    if not form.is_valid():
        return _show(request, game, error=str(UNREADABLE), status=400)
    try:
        service.write(game.key, request.user, form.cleaned_data["text"], form.cleaned_data["request_id"])
    except Refused as refused:
        return _show(request, game, error=str(refused.message), status=refused.status)
    return _show(request, game) if wants_partial(request) else _back(request, game)


def _back(request: SiteRequest, game: Game) -> HttpResponse:
    """Lead back to the chat on the page of the game, or on its text page."""
    return redirect(f"{_page_of(request, game)}#chat-lines")


def _page_of(request: SiteRequest, game: Game) -> str:
    return reverse("games:text", args=[game.key]) if "text_mode" in request.POST else game.get_absolute_url()


def _show(request: SiteRequest, game: Game, *, error: str = "", status: int = 200) -> HttpResponse:
    """Show the chat as a page or as its panel, which is empty for a viewer who has no chat any more.

    Raises Http404 if the viewer may not read it.
    """
    shown = chat_of(game, request.user)
    if shown is None and wants_partial(request) and request.method == "GET":
        return HttpResponse()
    if shown is None:
        raise Http404
    context = {
        "game": game,
        "game_page": _page_of(request, game),
        "is_text": "text_mode" in request.POST,
        "chat": shown,
        "chat_request_id": uuid.uuid4(),
        "chat_error": error,
        "chat_draft": request.POST.get("text", "") if error else "",
    }
    template = "games/_chat.html" if wants_partial(request) else "games/chat.html"
    return render(request, template, context, status=status)
