"""One player's display by itself, as large as the window, now or after an action."""

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from games.addresses import page_query
from games.choosing import NOTHING_CHOSEN
from games.drawing import draw_display
from games.forms import ChoiceForm
from games.history import ways
from games.http import SiteRequest, uncached
from games.models import Game
from games.viewing import viewing
from games.words import discs_left, told


@require_safe
@uncached
def display(request: SiteRequest, key: str, seat: int) -> HttpResponse:
    """Show the display of a seat, with links to those of the others and to the actions before and after."""
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    if game.is_open:
        return redirect(game)
    if seat >= game.seat_count:
        raise Http404
    asked = ChoiceForm(request.GET)
    asked.full_clean()
    seen = viewing(game, request.user, asked.cleaned_data.get("at"))
    shown = len(seen.steps) if seen.at is None else seen.at
    context = {
        "game": game,
        "display": draw_display(seen.position.displays[seat], seen.people[seat]),
        "discs": discs_left(seen.position.discs[seat]),
        "people": seen.people,
        "shown": shown,
        "query": page_query(seen.at, asked.choice),
        # Nothing can be chosen on a board of the past.
        "back": page_query(seen.at, asked.choice if seen.at is None else NOTHING_CHOSEN),
        "told": told(seen.steps[shown - 1], seen.people, seen.viewer) if shown else "",
        "ways": ways(shown, len(seen.steps), asked.choice),
    }
    return render(request, "games/display.html", context)
