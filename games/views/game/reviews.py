"""The page with the expert's review of a finished game, its progress, and a form that asks for it."""

import uuid
from datetime import timedelta

from django.contrib.auth.views import redirect_to_login
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.http import SiteRequest, no_store, wants_partial
from games.models import Game
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
from games.views.game.show import show_refusal

# After this time without a judged action the page says that the review takes longer than expected.
LATE = timedelta(seconds=30)


@require_http_methods(["GET", "HEAD", "POST"])
@no_store
def review(request: SiteRequest, key: str) -> HttpResponse:
    """Show the review of a game, its progress, or a button that asks for it. A POST asks for it.

    Only people who are logged in can ask.
    """
    game = access_game(request.user, key, needs=Talent.REVIEWS)
    if request.method == "POST":
        return _ask(request, game)
    if not game.is_over:
        return redirect(game)
    stored = access_review(request.user, game)
    title, view = title_named(game.title), view_game(game, request.user)
    board = title.pages.board(view, {})
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
        "done": len(stored.turns) if stored else 0,
        "rest": describe_rest(stored.judged_at - stored.asked_at, stored.turns, game.version)
        if stored
        else "",
        "search_wait": describe_search_wait(),
        "is_late": stored and timezone.now() - stored.judged_at > LATE,
        "duration": describe_duration(game.version),
        "review": title.review_pages.build_review(view, stored.turns)
        if stored and stored.finished_at
        else None,
        "review_template": title.review_pages.review_template,
        "review_styles": title.review_pages.review_styles,
        "can_train": stored is not None and can_train(stored, request.user),
    }
    return render(request, f"games/{'_review' if wants_partial(request) else 'review'}.html", context)


def _ask(request: SiteRequest, game: Game) -> HttpResponse:
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    try:
        reviews.ask(game, request.user)
    except Refused as refused:
        return show_refusal(request, game, refused)
    return redirect("games:review", game.key)
