"""The offer to move the games that somebody played as a guest to the account to which they logged in."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts import guests
from games.http import PlayerRequest, no_store
from games.services.private import guest_games


@require_POST
@login_required
@no_store
def move(request: PlayerRequest) -> HttpResponse:
    """Move the games of the guest who played in this browser, or leave them, and don't ask again."""
    guest = guests.guest_before(request)
    if guest is not None:
        if "moves" in request.POST:
            count = guest_games.move_games(guest, request.user)
            done = ngettext("%(count)d game is now yours.", "%(count)d games are now yours.", count)
            messages.success(request, done % {"count": count})
        else:
            messages.info(request, _("The games stay with the guest %(name)s.") % {"name": guest.username})
        guests.forget_guest(request)
    return redirect("games:home")
