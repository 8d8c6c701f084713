"""The addresses with which a browser asks for push messages, and stops them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import security_log
from accounts.models import SecurityEvent, User
from accounts.outside import vapid
from games.forms.notifications import BrowserForm
from games.http import PUSH, PlayerRequest, no_store, push_mark
from games.services.channels import browsers
from games.services.errors import Refused

# Marks in `User-Agent`. The first one counts, because most browsers have those of others too.
BROWSERS = {"Edg": "Edge", "Firefox": "Firefox", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS": "Mac",
    "Linux": "Linux",
}


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def add(request: PlayerRequest) -> HttpResponse:
    """Store the browser of the user, which sends its subscription; on GET, return what it needs for that.

    The service worker, which has no page, renews a subscription that the browser has ended: it sends the
    endpoint of the old one, which must be a browser of the user.
    """
    if request.method != "POST":
        return JsonResponse({"key": vapid.public_key(), "headers": {"X-CSRFToken": get_token(request)}})
    form = BrowserForm(request.POST)
    if not form.is_valid():
        return HttpResponse(_("This browser can't get push messages."), status=400, content_type="text/plain")
    subscription = form.cleaned_data | {"name": _name_of_browser(request), **_place(request)}
    replaced = subscription.pop("replaced")
    if "replaced" in request.POST:
        try:
            browsers.renew(request.user, replaced, **subscription)
        except Refused as refused:
            return HttpResponse(refused.message, status=refused.status, content_type="text/plain")
    else:
        browsers.add(request.user, **subscription)
        security_log.note(request, request.user, SecurityEvent.Kind.BROWSER_ADDED, subscription["name"])
        messages.success(request, _("This browser now shows your notifications."))
    request.session[PUSH] = push_mark(request)
    return HttpResponse(status=204)


@require_POST
@login_required
@no_store
def check(request: PlayerRequest) -> HttpResponse:
    """Return what a browser is to do with its subscription, which it sends once a day."""
    state = browsers.check(request.user, request.POST.get("endpoint", ""), **_place(request))
    if state == browsers.State.GOOD:
        request.session[PUSH] = push_mark(request)
    return JsonResponse({"state": state})


@receiver(user_logged_out)
def stop_messages(request: HttpRequest, user: User | None, **_signal: object) -> None:
    """Stop push messages to the browser in which a person logs out, unless they have chosen to get them."""
    if user is not None:
        keeps_messages = "keeps_messages" in request.POST
        browsers.log_out(user, request.session.session_key or "", keeps_messages=keeps_messages)


def _place(request: PlayerRequest) -> dict[str, str]:
    """Return in which session the browser is, and the key of the site for which it subscribes."""
    return {"session_key": request.session.session_key or "", "site_key": vapid.public_key()}


def _name_of_browser(request: PlayerRequest) -> str:
    """Return a name by which a person recognises their browser, such as "Firefox, Linux"."""
    agent = request.headers.get("User-Agent", "")
    found = [
        next((name for mark, name in names.items() if mark in agent), "") for names in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found)) or "?"


@require_POST
@login_required
@no_store
def remove(request: PlayerRequest, pk: int) -> HttpResponse:
    """Stop push messages to a browser of the user."""
    browsers.remove(request.user, pk)
    # If it was this one, its next page ends the subscription.
    request.session.pop(PUSH, None)
    messages.success(request, _("That browser gets no more push messages."))
    return redirect("games:notifications")
