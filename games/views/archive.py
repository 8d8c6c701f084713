"""The finished games of the viewer: the list with its filters, statistics, and all records as one file."""

import json
from itertools import chain

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.forms.archive import ArchiveForm
from games.http import PlayerRequest, file_named, no_store, stream
from games.queries.browsing.archive import Filters, archive_page, archive_results, records
from games.queries.browsing.insights import insights
from games.queries.people.names import names_offered


@require_safe
@login_required
@no_store
def finished(request: PlayerRequest) -> HttpResponse:
    """Show the viewer's finished games that match, page by page."""
    form = ArchiveForm(request.GET)
    filters = form.filters
    games, page = archive_page(request.user, filters, request.GET.get("page", "1"))
    context = {
        "form": form,
        "games": games,
        "page": page,
        "results": archive_results(request.user, filters),
        "is_filtered": filters != Filters(),
        "names": names_offered("", request.user),
    }
    return render(request, "games/finished.html", context)


@require_safe
@login_required
@no_store
def statistics(request: PlayerRequest) -> HttpResponse:
    """Show how the viewer's finished games in one title went."""
    shown = insights(request.user, request.GET.get("title", ""))
    return render(request, "games/insights.html", {"insights": shown})


@require_POST
@login_required
@no_store
def download(request: PlayerRequest) -> HttpResponseBase:
    """Send the records of the viewer's finished games that match: JSON lines, one record each.

    It is a POST, because GET is not limited, and a file can have thousands of records. Without any
    record, the page says so; it also shows which filter it can't read.
    """
    form = ArchiveForm(request.GET)
    if not form.is_valid():
        return redirect(f"{reverse('games:finished')}?{request.GET.urlencode()}")
    if not ratelimit.consume(request, action="records", user=request.user):
        return ratelimit.respond_429(request)
    found = records(request.user, form.filters)
    first = next(found, None)
    if first is None:
        messages.info(request, _("None of these games has a record yet, so there is no file."))
        return redirect(f"{reverse('games:finished')}?{request.GET.urlencode()}")
    lines = (json.dumps(record) + "\n" for record in chain([first], found))
    response = stream(request, lines, "application/jsonl")
    # Names that a header can't hold become shorter, or are left out.
    who = slugify(request.user.username) or "games"
    response["Content-Disposition"] = file_named(f"{who}-{timezone.localdate().isoformat()}.jsonl")
    return response
