"""The page for somebody who did something too often: what it was, and when to try again."""

import time
from http import HTTPStatus
from math import ceil

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from accounts import pots

APP = "allauth.account"
# For limits whose counters are not known here.
USUAL_WAIT = 5 * 60  # seconds
# What was done too often, by the limit that was reached.
TEXTS = {
    "guest": _("Many people have begun to play as guests from your network within an hour."),
    "guests": _("Many people have begun to play as guests within an hour."),
    "guest_code": _("Many codes were entered from your network within an hour."),
    "signup": _("Many people have signed up from your network within an hour."),
    "login": _("Many people have logged in from your network within a minute."),
}
# The limit of allauth's views, by the name of their URL.
BY_VIEW = {
    "accounts:log_in": "login",
    "accounts:sign_up": "signup",
    "accounts:sign_up_by_passkey": "signup",
    "accounts:addresses": "manage_email",
    "account_change_password": "change_password",
    "account_reauthenticate": "reauthenticate",
}


def page(request: HttpRequest, action: str = "") -> HttpResponse:
    """Return the page for a request that a limit refuses, by default the one of its view.

    allauth calls it as the handler of status 429.
    """
    match = request.resolver_match
    action = action or BY_VIEW.get(match.view_name if match else "", "")
    wait = wait_for(request, action)
    context = {"what": TEXTS.get(action, ""), "minutes": ceil(wait / 60)}
    response = render(request, "429.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    response["Retry-After"] = str(wait)
    return response


def wait_for(request: HttpRequest, action: str) -> int:
    """Return the seconds after which a limit allows this request again."""
    now, waits = time.time(), [0.0]
    for rate in ratelimit.get_rates(app=APP, action=action):
        if rate.per == "user" and not request.user.is_authenticated:
            continue
        key = ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=pots.ALL)
        # The newest is first. One more is allowed when the last of those that fill the limit is too old.
        history = cache.get(key, [])
        if len(history) >= rate.amount:
            waits.append(history[rate.amount - 1] + rate.duration - now)
    return ceil(max(waits)) or USUAL_WAIT
