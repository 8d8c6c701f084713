"""The pages on which people report something, and see what became of it and what was decided about them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.forms.moderation import ObjectionForm, ReportForm
from games.http import PlayerRequest, SiteRequest, no_store
from games.models import Report
from games.queries.access import access_game, access_person
from games.queries.people.reports import (
    Target,
    own_measures,
    own_reports,
    target_of_game,
    target_of_line,
    target_of_person,
)
from games.services.errors import Refused
from games.services.talk.moderation import decisions
from games.services.talk.moderation import reports as service

METHODS = ["GET", "HEAD", "POST"]


@require_safe
def house_rules(request: SiteRequest) -> HttpResponse:
    """Show the house rules."""
    return render(request, "moderation/house_rules.html")


@require_http_methods(METHODS)
@login_required
@no_store
def report_line(request: PlayerRequest, key: str, line: int) -> HttpResponse:
    """Report a line of a chat, or its author."""
    return _report(request, target_of_line(request.user, access_game(request.user, key), line))


@require_http_methods(METHODS)
@login_required
@no_store
def report_person(request: PlayerRequest, name: str) -> HttpResponse:
    """Report the name of a person, or how they play or behave."""
    found = access_person(request.user, name)
    if found == request.user:
        raise Http404
    return _report(request, target_of_person(found))


@require_http_methods(METHODS)
@login_required
@no_store
def report_game(request: PlayerRequest, key: str) -> HttpResponse:
    """Report the result of a game, or how another player behaves in it."""
    return _report(request, target_of_game(request.user, access_game(request.user, key)))


def _report(request: PlayerRequest, target: Target) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = ReportForm(sent, target.people, target.abouts)
    if not form.is_valid():
        return _show(request, target, form, 400 if form.is_bound else 200)
    data = form.cleaned_data
    about = data["about"]
    # A name is the same in every game.
    game = None if about == "name" else target.game
    line = target.line if Report.About(about).has_line else None
    try:
        service.report(request.user, data["person"], about, data["words"], game=game, line=line)
    except Refused as refused:
        form.add_error(None, str(refused.message))
        return _show(request, target, form, refused.status)
    said = _("You reported this. Moderators look at it, and you get an answer here.")
    back = _("Back to the game") if target.game else _("Back to the profile")
    messages.success(request, format_html('{} <a href="{}">{}</a>', said, target.back_url, back))
    return redirect("games:reports")


def _show(request: PlayerRequest, target: Target, form: ReportForm, status: int) -> HttpResponse:
    return render(request, "moderation/report.html", {"form": form, "target": target}, status=status)


@require_safe
@login_required
@no_store
def reports(request: PlayerRequest) -> HttpResponse:
    """Show what the viewer has reported, and what moderators have decided about the viewer."""
    if request.user.has_unread_decision:
        User.objects.filter(pk=request.user.pk).update(has_unread_decision=False)
        request.user.has_unread_decision = False
    return _show_own(request)


def _show_own(
    request: PlayerRequest, refused: ObjectionForm | None = None, pk: int = 0, status: int = 200
) -> HttpResponse:
    """Show the page with an objection to the measure `pk` that was refused, or without one."""
    measures = [(one, refused if one.pk == pk else _objection(one.pk)) for one in own_measures(request.user)]
    context = {"reports": own_reports(request.user), "measures": measures, "refused": refused}
    return render(request, "moderation/own.html", context, status=status)


def _objection(pk: int, data: object = None) -> ObjectionForm:
    return ObjectionForm(data, auto_id=f"object-{pk}-%s")  # type: ignore[arg-type]


@require_http_methods(METHODS)
@login_required
@no_store
def object_to(request: PlayerRequest, pk: int) -> HttpResponse:
    """Store the viewer's objection to a measure; show the page again if it is refused."""
    if request.method != "POST":
        return redirect("games:reports")
    form, status = _objection(pk, request.POST), 400
    if form.is_valid():
        try:
            decisions.object_to(pk, request.user, form.cleaned_data["text"])
        except Refused as refused:
            form.add_error(None, str(refused.message))
            status = refused.status
        else:
            messages.success(request, _("You objected. A moderator looks at it again and answers here."))
            return redirect("games:reports")
    return _show_own(request, form, pk, status)
