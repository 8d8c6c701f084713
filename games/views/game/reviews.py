"""The page with the expert's review of a finished game, its progress, and a form that asks for it."""

import uuid
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.forms.actions import PageForm
from games.http import SiteRequest, no_store, wants_partial
from games.models import Game, Review
from games.queries.access import access_game, access_review
from games.queries.lists import next_turn, rematch_of
from games.queries.notes import lines_of, note_of
from games.queries.training import can_train
from games.queries.viewing import view_game
from games.services import reviews
from games.services.errors import Refused
from games.shown.review_wait import describe_duration, describe_rest
from games.shown.search_wait import describe_search_wait
from games.titles.registry import title_named
from games.titles.talents import Talent
from games.views.game.game_page import game_page
from games.views.game.show import show_refusal

# After this time without a judged action the page says that the review takes longer than expected.
LATE = timedelta(seconds=30)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def review(request: SiteRequest, key: str) -> HttpResponse:
    """Show the review of a game, its progress, or a button that asks for it. A POST asks for it.

    Only people who are logged in can ask. A page that waits for the review sends GET requests repeatedly,
    with what it has `seen`. The status is 204 while nothing changes.
    """
    game = access_game(request.user, key, needs=Talent.REVIEWS)
    if request.method == "POST":
        return _ask(request, game)
    if not game.is_over:
        return redirect(game)
    stored = access_review(request.user, game)
    if request.htmx.target == "game":
        return _show_board(request, game)
    is_finished = stored is not None and stored.finished_at is not None
    if is_finished and wants_partial(request):
        messages.success(request, _("The review is ready."))
        return HttpResponse(headers={"HX-Refresh": "true"})  # A finished one has other scripts.
    done, rest, notice = (len(stored.turns), _rest(stored, game), _notice(stored)) if stored else (0, "", "")
    seen = f"{done} {rest} {notice}"
    if stored and wants_partial(request) and request.GET.get("seen") == seen:
        return HttpResponse(status=204)
    title, view = title_named(game.title), view_game(game, request.user)
    board = title.pages.board(view, {})
    shown = title.review_pages.build_review(view, stored.turns) if stored else None
    context = {
        "game": game,
        "game_title": board.game_title,
        "heading": board.heading,
        "is_partial": wants_partial(request),
        "is_seated": view.viewer is not None,
        "request_id": uuid.uuid4(),
        "next_game": next_turn(request.user, exclude=game),
        "rematch": None if game.is_solo else rematch_of(game, request.user),
        "stored": stored,
        "asks": stored is None,
        "note": note_of(game, request.user),
        "lines": lines_of(game, request.user),
        "done": done,
        "rest": rest,
        "notice": notice,
        "seen": seen,
        "duration": describe_duration(game.version),
        "review": shown,
        "is_finished": is_finished,
        "so_far_template": title.review_pages.so_far_template,
        "review_template": title.review_pages.review_template,
        "can_train": stored is not None and can_train(stored, request.user),
    }
    if is_finished and shown and shown.has_estimates:
        context |= _board_context(request, game, shown.opening_number)
    template = "games/_review.html" if wants_partial(request) else title.review_pages.review_page
    return render(request, template, context)


def _rest(stored: Review, game: Game) -> str:
    """Return how long a review still takes, as a sentence."""
    judging, waiting = stored.judged_at - stored.asked_at, timezone.now() - stored.judged_at
    return describe_rest(judging, waiting, stored.turns, game.version)


def _notice(stored: Review) -> str:
    """Return why a review has to wait, or takes longer than usual, as a sentence; else empty."""
    is_late = timezone.now() - stored.judged_at > LATE
    late = _("This is taking longer than usual because the bots are busy.") if is_late else ""
    return describe_search_wait() or late


def _show_board(request: SiteRequest, game: Game) -> HttpResponse:
    """Show the board of an action to a page of a finished review, which htmx updates."""
    context = _board_context(request, game, game.version) | {"game": game}
    return render(request, context["board"].part, context)


def _board_context(request: SiteRequest, game: Game, opening_number: int) -> dict[str, Any]:
    """Return the template variables of the board of the action in the address, as the review judges it."""
    number = PageForm.read(request).action_number
    number = opening_number if number is None else number
    view = view_game(game, request.user, number, "action")
    board = title_named(game.title).pages.board(view, {})
    return {
        "board": board,
        "page": game_page(request, game, board),
        "review_url": reverse("games:review", args=[game.key]),
    }


def _ask(request: SiteRequest, game: Game) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    try:
        reviews.ask(game, request.user)
    except Refused as refused:
        return show_refusal(request, game, refused)
    return redirect("games:review", game.key)
