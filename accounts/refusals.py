"""The page for somebody who did something too often: what it was, and when to try again."""

import time
from datetime import timedelta
from http import HTTPStatus
from math import ceil

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from accounts import pots
from accounts.clock import when_again

APP = "allauth.account"
# For limits whose counters are not known here.
USUAL_WAIT = 5 * 60  # seconds
# What was done too often, by the limit that was reached.
TEXTS = {
    "guest": _("Too many people have begun to play as guests from your network within an hour."),
    "guests": _("Too many people have begun to play as guests within an hour."),
    "guest_code": _("Too many codes were entered from your network within an hour."),
    "guest_code_made": _("You have made too many codes within an hour."),
    "signup": _("Too many people have signed up from your network within an hour."),
    "login": _("Too many people have logged in from your network within a minute."),
    "mails": _(
        "We send only a few emails in an hour, so that nobody gets emails that they did not ask for. "
        "If you expect one, please check your spam folder."
    ),
    "rename": _("You have changed your name three times within a day."),
    "export": _("You have asked for your data three times within a day."),
    "names": _("Too many names were searched for from your network within a minute."),
    "records": _("You have downloaded your games too often within an hour."),
    "webhook_test": _("You have sent too many tests to your webhook."),
}
# The limit of views that answer by `ratelimit.respond_429`, by the name of their URL.
BY_VIEW = {
    "accounts:log_in": "login",
    "accounts:sign_up": "signup",
    "accounts:sign_up_by_passkey": "signup",
    "accounts:addresses": "manage_email",
    "account_change_password": "change_password",
    "account_reauthenticate": "reauthenticate",
    "games:export": "export",
    "games:finished_records": "records",
    "games:watch": "names",
    "games:webhook_test": "webhook_test",
}


def page(request: HttpRequest, action: str = "", wait: int = 0) -> HttpResponse:
    """Return the page for a request that a limit refuses, by default the one of its view.

    `wait` is in seconds; without it, the counters of the limit say how long.

    allauth calls it as the handler of status 429.
    """
    match = request.resolver_match
    action = action or BY_VIEW.get(match.view_name if match else "", "")
    wait = wait or wait_for(request, action)
    context = {"what": TEXTS.get(action, ""), "when": when_again(timedelta(seconds=wait))}
    response = render(request, "429.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(wait)
    return response


def wait_for(request: HttpRequest, action: str, key: str | None = None) -> int:
    """Return the seconds after which a limit that refuses this request allows it again."""
    now, waits = time.time(), [0.0]
    for rate in ratelimit.get_rates(app=APP, action=action):
        if rate.per == "user" and not request.user.is_authenticated:
            continue
        counter = ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key or pots.ALL)
        # The newest is first. One more is allowed when the last of those that fill the limit is too old.
        history = cache.get(counter, [])
        if len(history) >= rate.amount:
            last = history[rate.amount - 1] if rate.amount else now
            waits.append(last + rate.duration - now)
    return ceil(max(waits)) or USUAL_WAIT
