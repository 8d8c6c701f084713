"""The page on which a person sets up a webhook, tests it, renews its secret and removes it."""

from http import HTTPStatus

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import security_log
from games.forms.notifications import WebhookForm
from games.http import PlayerRequest, no_store
from games.queries.notifications import webhook_of
from games.services.channels import webhooks
from games.services.errors import Refused

# The new secret until the next page shows it, once.
SECRET = "webhook_secret"  # noqa: S105


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def webhook(request: PlayerRequest) -> HttpResponse:
    """Show the webhook of the user, and store it."""
    stored = webhook_of(request.user)
    if request.method == "POST":
        form = WebhookForm(request.POST)
    else:
        form = WebhookForm(initial={"url": stored.url, "format": stored.format} if stored else None)
    if form.is_valid():
        if secret := webhooks.store(request.user, **form.cleaned_data):
            request.session[SECRET] = secret
        if stored is None or stored.url != form.cleaned_data["url"]:
            security_log.webhook_set(request, request.user, form.cleaned_data["url"])
        messages.success(request, _("Your webhook is saved. Send a test to see whether it works."))
        return redirect("games:webhook")
    context = {"form": form, "webhook": stored, "secret": request.session.pop(SECRET, "")}
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "games/webhook.html", context, status=status)


@require_POST
@login_required
@no_store
def renew_secret(request: PlayerRequest) -> HttpResponse:
    """Give the webhook of the user another secret, and show it once."""
    try:
        request.session[SECRET] = webhooks.renew_secret(request.user)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("games:webhook")


@require_POST
@login_required
@no_store
def send_test(request: PlayerRequest) -> HttpResponse:
    """Post a test to the webhook of the user."""
    if not ratelimit.consume(request, action="webhook_test"):
        return ratelimit.respond_429(request)
    try:
        webhooks.ask_for_test(request.user)
    except Refused as refused:
        messages.error(request, refused.message)
    return redirect("games:webhook")


@require_POST
@login_required
@no_store
def remove(request: PlayerRequest) -> HttpResponse:
    """Remove the webhook of the user."""
    webhooks.remove(request.user)
    messages.success(request, _("Your webhook is removed."))
    return redirect("games:notifications")
