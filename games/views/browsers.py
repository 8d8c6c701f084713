"""The addresses with which a browser asks for push messages, and stops them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.forms.notifications import BrowserForm
from games.http import PlayerRequest, no_store
from games.services.channels import browsers


@require_POST
@login_required
@no_store
def add(request: PlayerRequest) -> HttpResponse:
    """Store the browser of the user, which sends its subscription."""
    form = BrowserForm(request.POST)
    if not form.is_valid():
        return HttpResponse(_("This browser can't get push messages."), status=400, content_type="text/plain")
    browsers.add(request.user, **form.cleaned_data)
    messages.success(request, _("This browser now shows your notifications."))
    return HttpResponse(status=204)


@require_POST
@login_required
@no_store
def remove(request: PlayerRequest, pk: int) -> HttpResponse:
    """Stop push messages to a browser of the user."""
    browsers.remove(request.user, pk)
    messages.success(request, _("That browser gets no more push messages."))
    return redirect("games:notifications")
