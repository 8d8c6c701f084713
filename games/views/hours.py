"""The page on which people choose when their time does not count: sleeping hours, a day off and vacations."""

from datetime import datetime
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from games.clocks import GRACE
from games.forms.hours import HoursForm, VacationForm
from games.http import PlayerRequest, no_store
from games.queries.calendars import first_own_deadline, own_calendar
from games.services import calendars
from games.services.errors import Refused
from games.templatetags.clocks import moment


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def hours(request: PlayerRequest) -> HttpResponse:
    """Show the calendar of the user, and store their hours."""
    stored = _stored(request.user)
    form = HoursForm(request.POST if request.method == "POST" else None, initial=stored)
    if not form.is_valid():
        return _show(request, hours_form=form)
    if _is_risky(request, form):
        return _show(request, hours_form=form, is_warned=True)
    if form.changes:
        calendars.choose_hours(request.user, form.hours, automatic_vacation=form.starts_vacations)
    messages.success(request, _("Your hours are saved."))
    return redirect("games:hours")


def _is_risky(request: PlayerRequest, form: HoursForm) -> bool:
    """Return whether the person may lose a seat soon by this form, and has not been warned."""
    if "is_warned" in request.POST or form.starts_vacations or not request.user.automatic_vacation:
        return False
    deadline = first_own_deadline(request.user)
    return deadline is not None and deadline < timezone.now() + GRACE


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
    now = timezone.now()
    end = calendars.end_vacation(request.user, pk)
    if end is not None:
        messages.success(request, _words_of_end(request.user, end, now))
    return redirect("games:hours")


def _words_of_end(user: User, end: datetime, now: datetime) -> str:
    """Return what a press that ends a vacation has done."""
    if end > now + GRACE:
        return _("Your vacation is cancelled.")
    if end > timezone.now():
        return _("Your vacation ends on %(when)s. Until then, your clocks are stopped.") % {
            "when": moment(end, user)
        }
    return _("Your vacation has ended. Your clocks run again.")


def _stored(user: User) -> dict[str, Any]:
    hours = own_calendar(user).hours
    return {
        "time_zone": user.time_zone,
        "sleep_start": hours.sleep and hours.sleep.start,
        "sleep_end": hours.sleep and hours.sleep.end,
        "day_off": hours.day_off,
        "automatic_vacation": user.automatic_vacation,
    }


def _show(
    request: PlayerRequest,
    hours_form: HoursForm | None = None,
    vacation_form: VacationForm | None = None,
    *,
    is_warned: bool = False,
) -> HttpResponse:
    context = {
        "own": own_calendar(request.user),
        "hours_form": hours_form or HoursForm(initial=_stored(request.user)),
        "vacation_form": vacation_form or VacationForm(),
        "warned_of": first_own_deadline(request.user) if is_warned else None,
    }
    is_refused = is_warned or any(form is not None and form.errors for form in (hours_form, vacation_form))
    status = HTTPStatus.BAD_REQUEST if is_refused else HTTPStatus.OK
    return render(request, "games/hours.html", context, status=status)
