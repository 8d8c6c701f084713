"""The game page, and the actions that its forms post."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_safe

from games.forms import MALFORMED, ActionForm
from games.http import SiteRequest, uncached, wants_part
from games.models import Game
from games.services.errors import Refused
from games.services.play import play as play_action
from games.views.show import show, show_refusal, with_nothing_chosen


@require_safe
@uncached
def game(request: SiteRequest, key: str) -> HttpResponse:
    """Show a game, or its table as long as it has not started."""
    return show(request, get_object_or_404(Game.objects.select_related("deal"), key=key))


@uncached
def play(request: SiteRequest, key: str) -> HttpResponse:
    """Carry out the posted action, and show the board as it is then."""
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    if request.method != "POST":
        return redirect(game)  # somebody reloads the page of a refusal
    form = ActionForm(request.POST)
    if not form.is_valid():
        return show(request, game, error=str(MALFORMED), status=400)
    try:
        play_action(
            key, request.user, form.wish, form.cleaned_data["number"], form.cleaned_data["request_id"]
        )
    except Game.DoesNotExist:
        raise Http404 from None  # a table that was closed in the meantime
    except Refused as refused:
        return with_nothing_chosen(show_refusal(request, game, refused), game)
    if not wants_part(request):
        return redirect(game)
    game.refresh_from_db()
    return with_nothing_chosen(show(request, game), game)
