"""Visitors who want a seat at a table and log in first: the log-in seats them, without asking again.

The press of a button stores this wish in the session. Then only a log-in or sign-up that returns to the table
fulfils it, so opening a link never seats anybody.
"""

import time

from django.contrib import messages
from django.contrib.auth.signals import user_logged_in
from django.contrib.auth.views import redirect_to_login
from django.dispatch import receiver
from django.http import HttpResponse
from django.shortcuts import resolve_url

from accounts.models import User
from games.http import SiteRequest
from games.models import Game
from games.services import tables
from games.services.errors import Refused

WISH = "wants_seat"  # in the session: the game's key and the time
# Somebody who has left the log-in and returns later may not want the seat any more.
WISH_LASTS = 60 * 60  # seconds


def log_in_and_sit_down(request: SiteRequest, game: Game) -> HttpResponse:
    """Store that the visitor wants a seat at a table, and redirect to the page to log in or sign up."""
    request.session[WISH] = (game.key, time.time())
    page = "account_signup" if "sign_up" in request.POST else "account_login"
    return redirect_to_login(game.get_absolute_url(), resolve_url(page))


@receiver(user_logged_in)
def sit_down(request: SiteRequest, user: User, **_: object) -> None:
    """Give the user the seat that they wanted before they logged in, if it is still free."""
    key, wished_at = request.session.pop(WISH, ("", 0.0))
    returns = request.POST.get("next") == resolve_url("games:game", key) if key else False
    if not returns or time.time() - wished_at > WISH_LASTS:
        return
    try:
        tables.join(key, user)
    except Refused as refused:
        messages.warning(request, refused.message)
