"""The pages of moderators: what waits, one case, one measure, and the trail."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from accounts.staff.moderators import for_moderators
from games.forms.moderation import AnswerForm, DecisionForm
from games.http import PlayerRequest, no_store
from games.models import Measure, Report, TrailEntry
from games.queries.people.reports import (
    case_of,
    history_of,
    records_of_reporters,
    waiting_objections,
    waiting_reports,
)
from games.services.errors import Refused
from games.services.talk.moderation import decisions
from games.services.talk.moderation.who_decides import why_not_decide, why_not_keep, why_not_see

METHODS = ["GET", "HEAD", "POST"]
ENTRIES_A_PAGE = 50
KINDS, RULES = dict(Measure.Kind.choices), dict(Measure.Rule.choices)


@require_safe
@for_moderators
@no_store
def queue(request: PlayerRequest) -> HttpResponse:
    """Show the reports and objections that wait, oldest first."""
    page = waiting_reports(request.user, request.GET.get("page"))
    context = {"page": page, "objections": waiting_objections(request.user)}
    return render(request, "moderation/queue.html", context)


@require_http_methods(METHODS)
@for_moderators
@no_store
def report(request: PlayerRequest, pk: int) -> HttpResponse:
    """Show a report with its context; on POST, decide about it."""
    found = get_object_or_404(Report.objects.select_related("subject", "game", "line", "decided_by"), pk=pk)
    if why_not := why_not_see(request.user, found):
        return _close(request, why_not)
    form = DecisionForm(request.POST if request.method == "POST" else None, decisions.kinds_for(found))
    status = 400 if form.is_bound else 200
    if form.is_valid():
        try:
            _decide(request.user, found, form)
        except Refused as refused:
            form.add_error(None, str(refused.message))
            status = refused.status
        else:
            messages.success(request, _("Decided. Everybody who reported it gets an answer."))
            return redirect("games:moderation")
    case = case_of(found, request.user)
    records = records_of_reporters(case.reports)
    context: dict[str, Any] = {
        "case": case,
        "form": form,
        "why_not": why_not_decide(request.user, found),
        "reporters": [(one, *records.get(one.reporter_id or 0, (0, 0))) for one in case.reports],
    }
    return render(request, "moderation/case.html", context, status=status)


def _close(request: PlayerRequest, why_not: str) -> HttpResponse:
    return render(request, "moderation/closed.html", {"why_not": why_not}, status=403)


def _decide(moderator: User, found: Report, form: DecisionForm) -> None:
    data = form.cleaned_data
    if form.is_dismissal:
        decisions.dismiss(found.pk, moderator)
    else:
        measure = (data["kind"], data["rule"], data["text"])
        decisions.take(found.pk, moderator, *measure, days=form.days_chosen)


@require_http_methods(METHODS)
@for_moderators
@no_store
def measure(request: PlayerRequest, pk: int) -> HttpResponse:
    """Show a measure and the objection to it; on POST, keep or lift it."""
    found = get_object_or_404(Measure.objects.select_related("user", "taken_by", "report", "game"), pk=pk)
    if why_not := why_not_see(request.user, found):
        return _close(request, why_not)
    form = AnswerForm(request.POST if request.method == "POST" else None)
    status = 400 if form.is_bound else 200
    if form.is_valid():
        do = decisions.lift if form.cleaned_data["do"] == "lift" else decisions.keep
        try:
            do(found.pk, request.user, form.cleaned_data["text"])
        except Refused as refused:
            form.add_error(None, str(refused.message))
            status = refused.status
        else:
            messages.success(request, _("Decided. The person gets your answer."))
            if Measure.objects.select_related("user").get(pk=found.pk).has_lost_name:
                lost = _("Somebody else has the name %(name)s now. The person can choose another one.")
                messages.warning(request, lost % {"name": found.quote})
            return redirect("games:moderation")
    context = {
        "measure": found,
        "form": form,
        "history": history_of(found.user, request.user),
        "why_not": why_not_decide(request.user, found),
        "why_not_keep": why_not_keep(request.user, found),
    }
    return render(request, "moderation/measure.html", context, status=status)


@require_safe
@for_moderators
@no_store
def trail(request: PlayerRequest) -> HttpResponse:
    """Show the trail, newest first, with the names of people who still have an account."""
    entries = TrailEntry.objects.shown_to(request.user.pk).order_by("-pk")
    page = Paginator(entries, ENTRIES_A_PAGE).get_page(request.GET.get("page"))
    ids = {pk for entry in page for pk in (entry.actor, entry.subject) if pk}
    names = dict(User.objects.filter(pk__in=ids).values_list("pk", "username"))
    rows = [
        (
            entry,
            *(names.get(entry.actor or 0, ""), names.get(entry.subject, "")),
            *(KINDS.get(entry.kind, entry.kind), RULES.get(entry.rule, entry.rule)),
        )
        for entry in page
    ]
    return render(request, "moderation/trail.html", {"page": page, "rows": rows})
