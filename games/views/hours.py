"""The page on which people choose when their time does not count: sleeping hours, a day off and vacations."""

from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from games.forms.hours import HoursForm, VacationForm
from games.http import PlayerRequest, no_store
from games.queries.calendars import own_calendar
from games.services import calendars
from games.services.errors import Refused


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def hours(request: PlayerRequest) -> HttpResponse:
    """Show the calendar of the user, and store their hours."""
    if request.method != "POST":
        return _show(request)
    form = HoursForm(request.POST)
    if not form.is_valid():
        return _show(request, hours_form=form)
    automatic = form.cleaned_data["automatic_vacation"]
    calendars.choose_hours(request.user, form.hours, automatic_vacation=automatic)
    messages.success(request, _("Your hours are saved."))
    return redirect("games:hours")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def plan_vacation(request: PlayerRequest) -> HttpResponse:
    """Store a vacation of the user."""
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect("games:hours")
    form = VacationForm(request.POST)
    if form.is_valid():
        try:
            calendars.plan_vacation(request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            messages.success(request, _("Your vacation is saved."))
            return redirect("games:hours")
    return _show(request, vacation_form=form)


@require_POST
@login_required
@no_store
def end_vacation(request: PlayerRequest, pk: int) -> HttpResponse:
    """End a vacation of the user, or cancel it before it starts."""
    calendars.end_vacation(request.user, pk)
    return redirect("games:hours")


def _show(
    request: PlayerRequest, hours_form: HoursForm | None = None, vacation_form: VacationForm | None = None
) -> HttpResponse:
    own = own_calendar(request.user)
    stored = {
        "time_zone": own.hours.zone.key if own.hours.zone.key != "UTC" else request.user.time_zone,
        "sleep_start": own.hours.sleep and own.hours.sleep.start,
        "sleep_end": own.hours.sleep and own.hours.sleep.end,
        "day_off": own.hours.day_off,
        "automatic_vacation": request.user.automatic_vacation,
    }
    context = {
        "own": own,
        "hours_form": hours_form or HoursForm(initial=stored),
        "vacation_form": vacation_form or VacationForm(),
    }
    is_refused = hours_form is not None or vacation_form is not None
    status = HTTPStatus.BAD_REQUEST if is_refused else HTTPStatus.OK
    return render(request, "games/hours.html", context, status=status)
