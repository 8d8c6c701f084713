"""The pages of the daily deals."""

from datetime import date, timedelta
from http import HTTPStatus

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.guests import user_or_guest
from games.forms.once import OnceForm
from games.forms.tables import DailyForm
from games.http import SiteRequest, needs_talent, no_store
from games.models import leaderboard_of_day, today
from games.queries.daily import access_daily, daily_view
from games.queries.standings import leaderboard
from games.queries.streaks import streak_of
from games.services.errors import Refused
from games.services.solo import daily as service
from games.titles.registry import title_with
from games.titles.talents import Talent

LEADERS_SHOWN = 10
# An attempt that begins later may not be over at midnight, so the person is asked before.
LATE = timedelta(hours=1)
A_MINUTE = timedelta(minutes=1)


@require_safe
@no_store
@needs_talent(Talent.DAILY)
def daily(request: SiteRequest, day: date | None = None) -> HttpResponse:
    """Show the deal of a day, or of today."""
    return _show(request, day or today())


def _show(request: SiteRequest, day: date, error: str = "", status: int = 200) -> HttpResponse:
    shown, title = daily_view(request.user, day), title_with(Talent.DAILY)
    context = {
        "solo_pages": title.solo_pages,
        "own_deal": title.pages.deal_words.own_deal(reverse("games:solo")),
        "daily": shown,
        "streak": None if day != today() else streak_of(request.user),
        "ranking": leaderboard(request.user, leaderboard_of_day(day), size=LEADERS_SHOWN),
        "start_form": DailyForm(initial={"day": day, "minutes": shown.time_left // A_MINUTE}),
        "is_late": shown.time_left < LATE,
        "practice_form": OnceForm(),
        "error": error,
    }
    return render(request, "games/daily.html", context, status=status)


@no_store
@needs_talent(Talent.DAILY)
def start(request: SiteRequest) -> HttpResponse:
    """Begin the viewer's attempt at the deal of today, or go on with it. A visitor plays it as a guest.

    Ask first if the day is nearly over, and the page from which it begins did not say so.
    """
    form = DailyForm(request.POST)
    # Somebody may reload a page that shows a refusal, so the browser sends GET to the address of the form.
    if request.method != "POST" or not form.is_valid():
        return redirect("games:daily")
    shown = daily_view(request.user, today())
    minutes = form.cleaned_data["minutes"]
    is_expected = minutes is not None and shown.time_left >= minutes * A_MINUTE / 2
    is_new = form.cleaned_data["day"] == shown.day and shown.attempt is None
    if is_new and shown.time_left < LATE and not is_expected:
        error = _(
            "Your game has not started, because the day is nearly over. "
            "Please check first how much time is left."
        )
        return _show(request, shown.day, error=error, status=HTTPStatus.CONFLICT)
    user = user_or_guest(request, form.cleaned_data["request_id"])
    try:
        game = service.begin(user, form.cleaned_data["day"])
    except Refused as refused:
        return _show(request, today(), error=str(refused.message), status=refused.status)
    return redirect(game)


@no_store
@needs_talent(Talent.DAILY)
def practise(request: SiteRequest, day: date) -> HttpResponse:
    """Start a game on the deal of a day that does not count. A visitor plays it as a guest."""
    access_daily(day)
    form = OnceForm(request.POST)
    if request.method != "POST" or not form.is_valid():
        return redirect("games:daily_day", day)
    request_id = form.cleaned_data["request_id"]
    try:
        game = service.practise(user_or_guest(request, request_id), day, request_id)
    except Refused as refused:
        return _show(request, day, error=str(refused.message), status=refused.status)
    return redirect(game)
