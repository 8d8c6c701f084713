"""The solo page, the results of a player as a table, and the leaderboards."""

import csv

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts.guests import user_or_guest
from accounts.models import User
from games.forms.once import OnceForm
from games.http import PlayerRequest, SiteRequest, file_named, needs_talent, no_store, nonce_of
from games.models import Standing
from games.queries import scores, standings
from games.queries.lists import finished_solo_games, running_solo_games
from games.queries.streaks import streak_of
from games.queries.training import count_due
from games.services.errors import Refused
from games.services.tables import open_solo
from games.titles.registry import title_with
from games.titles.talents import Talent

LEADERS_SHOWN = 10


@require_safe
@no_store
@needs_talent(Talent.SOLO)
def solo(request: SiteRequest) -> HttpResponse:
    """Show the viewer's solo games and the top of the leaderboard."""
    return _show(request)


def _show(request: SiteRequest, error: str = "", status: int = 200) -> HttpResponse:
    pages = title_with(Talent.SOLO).solo_pages
    context: dict[str, object] = {
        "solo_pages": pages,
        "ranking": standings.leaderboard(request.user, standings.leaderboard_of(), size=LEADERS_SHOWN),
        "standing": standings.solo_standing(request.user),
        "scores": scores.scores_over_time(request.user),
        "streak": streak_of(request.user),
        "to_train": count_due(request.user),
        "solo_form": OnceForm(),
        "error": error,
    }
    if isinstance(request.user, User):
        context["running"] = running_solo_games(request.user)
        context["results"] = finished_solo_games(request.user)
    return render(request, pages.solo_page, context, status=status)


@no_store
@needs_talent(Talent.SOLO)
def start(request: SiteRequest) -> HttpResponse:
    """Start a solo game. A visitor plays it as a guest."""
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect("games:solo")
    form = OnceForm(request.POST)
    if not form.is_valid():
        return redirect("games:solo")
    request_id = form.cleaned_data["request_id"]
    user = user_or_guest(request, request_id)
    try:
        game = open_solo(user, request_id, nonce=nonce_of(request))
    except Refused as refused:
        return _show(request, error=str(refused.message), status=refused.status)
    return redirect(game)


@require_safe
@login_required
@no_store
@needs_talent(Talent.SOLO)
def results(request: PlayerRequest) -> HttpResponse:
    """Send all solo results of the viewer as a table, with the addresses of the games."""
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = file_named("solo.csv")
    response.write("\N{BYTE ORDER MARK}")  # Without it, spreadsheets may not read UTF-8.
    csv.writer(response).writerows(scores.results_table(request.user, request.build_absolute_uri))
    return response


@require_safe
@no_store
@needs_talent(Talent.SOLO)
def leaderboard(request: SiteRequest) -> HttpResponse:
    """Show a board: best scores or averages, of all time or of the present day, week or month."""
    board = standings.leaderboard_of(*(request.GET.get(name, "") for name in ("period", "measure", "kind")))
    circle = standings.circle_of(request.user) if request.GET.get("people") == "followed" else None
    context = {
        "solo_pages": title_with(Talent.SOLO).solo_pages,
        "ranking": standings.leaderboard(request.user, board, request.GET.get("page", "1"), circle=circle),
        "people": "followed" if circle is not None else "",
        "kinds": [(kind.value, kind.label) for kind in standings.RANKED_KINDS],
        "measures": Standing.Measure.choices,
        "periods": Standing.Period.choices,
    }
    return render(request, "games/leaderboard.html", context)
