"""The trainer: the turns of today, one turn to answer, and its judged answer."""

import uuid

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from games.forms.actions import MALFORMED, ActionForm
from games.http import PlayerRequest, needs_talent, no_store, wants_partial
from games.models import DISTANCES, MOST_A_DAY, TrainingPosition
from games.queries.access import access_game
from games.queries.training import access_training, trainer, view_before, view_of
from games.services import training
from games.services.errors import Refused
from games.shown.headings import game_title
from games.shown.search_wait import describe_search_wait
from games.titles.actions import Resign
from games.titles.registry import offers, title_named
from games.titles.talents import Talent


@require_safe
@login_required
@no_store
@needs_talent(Talent.TRAINER)
def today(request: PlayerRequest) -> HttpResponse:
    """Show the turns that the viewer can train today, and how many there are."""
    shown = trainer(request.user)
    context = {
        "trainer": shown,
        "most_a_day": MOST_A_DAY,
        "distances": DISTANCES,
        "has_solo": offers(Talent.SOLO),
    }
    return render(request, "games/trainer/today.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def turn(request: PlayerRequest, pk: int) -> HttpResponse:
    """Show a turn to answer, or the answer of today with its judgement; a POST answers.

    After a wrong answer, `again` in the query shows the turn once more, and `better` the better action.
    A page that waits for the judgement sends GET requests repeatedly. Their status is 204 until it is there.
    """
    stored = access_training(request.user, pk)
    if request.method == "POST":
        return _answer(request, stored)
    if stored.is_due or (stored.can_answer_again and "again" in request.GET):
        return _show_board(request, stored)
    if stored.is_answer_awaited:
        if wants_partial(request):
            return HttpResponse(status=204)
        return render(request, "games/trainer/wait.html", {"search_wait": describe_search_wait()})
    action = stored.answered_action
    if action is None:
        return redirect("games:trainer")
    if wants_partial(request):
        return HttpResponseClientRefresh()
    return _show_answer(request, stored, action)


@require_POST
@login_required
@no_store
def train(request: PlayerRequest, key: str) -> HttpResponse:
    """Add the viewer's most costly turns of a reviewed game to the trainer."""
    game = access_game(request.user, key, needs=Talent.TRAINER)
    try:
        training.train(game, request.user)
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("games:review", key)
    return redirect("games:trainer")


def _answer(request: PlayerRequest, stored: TrainingPosition) -> HttpResponse:
    form = ActionForm(title_named(stored.game.title).pages, request.POST)
    action = form.cleaned_data["action"] if form.is_valid() else None
    if action is None or isinstance(action, Resign):
        return _refuse(request, stored, str(MALFORMED), 400)
    try:
        training.answer(request.user, stored.pk, action, form.cleaned_data["request_id"])
    except Refused as refused:
        return _refuse(request, stored, str(refused.message), refused.status)
    return redirect("games:training", stored.pk)


def _refuse(request: PlayerRequest, stored: TrainingPosition, error: str, status: int) -> HttpResponse:
    stored.refresh_from_db()
    if stored.is_due or stored.can_answer_again:
        return _show_board(request, stored, error, status)
    messages.error(request, error)
    return redirect("games:trainer")


def _show_board(
    request: PlayerRequest, stored: TrainingPosition, error: str = "", status: int = 200
) -> HttpResponse:
    pages = title_named(stored.game.title).trainer_pages
    board = title_named(stored.game.title).pages.board(view_before(stored), request.GET)
    problem = error or board.problem
    context = {
        "board": board,
        "training": stored,
        "game_title": board.game_title,
        "request_id": uuid.uuid4(),
        "error": problem,
    }
    status = 400 if problem and status == 200 else status
    return render(request, pages.turn_template, context, status=status)


def _show_answer(request: PlayerRequest, stored: TrainingPosition, action: object) -> HttpResponse:
    view, pages = view_of(stored), title_named(stored.game.title).trainer_pages
    context = {
        "game": stored.game,
        "training": stored,
        "game_title": game_title(view),
        "is_solo": view.is_solo,
        "hides_better": stored.can_answer_again and "better" not in request.GET,
        "shown": pages.build_answer(view, stored.number, action, stored.values, stored.line),
        "next": next(iter(trainer(request.user).turns), None),
    }
    return render(request, pages.answer_template, context)
