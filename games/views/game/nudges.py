"""The button that nudges a player."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from games.http import PlayerRequest, no_store
from games.queries.access import access_game
from games.services.errors import Refused
from games.services.talk import nudges
from games.shown.words import join_words


@require_POST
@login_required
@no_store
def nudge(request: PlayerRequest, key: str) -> HttpResponse:
    """Nudge the players who are to move, and return to the game."""
    game = access_game(request.user, key)
    try:
        sent = nudges.nudge(key, request.user)
    except Refused as refused:
        messages.error(request, str(refused.message))
    else:
        names = join_words([nudge.user.get_username() for nudge in sent])
        one, several = _("%(name)s gets a notification from you."), _("%(name)s get a notification from you.")
        messages.success(request, (several if len(sent) > 1 else one) % {"name": names})
    return redirect("games:text", key) if "text" in request.POST else redirect(game)
