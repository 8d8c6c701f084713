"""The page on which a person asks for the file of everything that the site stores about them."""

from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import security_log
from games.http import PlayerRequest, file_named, no_store
from games.models import Export
from games.services.private import exports


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
@reauthentication_required
def export(request: PlayerRequest) -> HttpResponseBase:
    """Show the person's export, or begin to make one.

    The person proves first that it is them: the file has their notes, addresses and log-ins.
    """
    if request.method == "POST":
        if not ratelimit.consume(request, action="export", user=request.user):
            return ratelimit.respond_429(request)
        exports.ask(request.user)
        security_log.export_asked(request, request.user)
        return redirect("games:export")
    return _page(request, HTTPStatus.OK)


@require_safe
@login_required
@no_store
def file(request: PlayerRequest, key: str) -> HttpResponseBase:
    """Send the file to its person. A page says why if it is somebody else's, too old, or was replaced."""
    # The page asks who it is, and stays in the browser beside the download.
    if is_reauthentication_required(request, app=""):
        return redirect("games:export")
    found = Export.objects.filter(user=request.user, key=key, made_at__isnull=False).first()
    if found is None or found.is_old:
        messages.warning(
            request, _("That link is too old, was replaced by a newer one, or is for another account.")
        )
        return _page(request, HTTPStatus.NOT_FOUND)
    response = HttpResponse(bytes(found.file or b""), content_type="application/zip")
    who = slugify(request.user.username) or "me"
    response["Content-Disposition"] = file_named(f"{who}-{found.asked_at:%Y-%m-%d}.zip")
    return response


def _page(request: PlayerRequest, status: HTTPStatus) -> HttpResponse:
    found = Export.objects.filter(user=request.user).defer("file").first()
    own = None if found is not None and found.is_old else found
    return render(request, "accounts/export.html", {"export": own, "days": Export.KEPT.days}, status=status)
