"""The page with one player's display in the full window, now or after an action."""

from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.forms.actions import ChoiceForm
from games.http import SiteRequest, no_store
from games.novaluna.board.choice import NOTHING_CHOSEN, page_query
from games.novaluna.board.drawing.displays import draw_display
from games.novaluna.board.events import describe_shown_step
from games.novaluna.board.words import format_discs_left
from games.queries.access import access_game
from games.queries.viewing import view_game
from games.titles.history import history_links


@require_safe
@no_store
def display(request: SiteRequest, key: str, seat: int) -> HttpResponse:
    """Show the display of a seat, with links to the other displays and to the actions before and after."""
    game = access_game(request.user, key)
    if game.is_open:
        return redirect(game)
    if seat >= game.seat_count:
        raise Http404
    form = ChoiceForm.read(request)
    view = view_game(game, request.user, form.action_number)
    context = {
        "game": game,
        "display": draw_display(view.position.displays[seat], view.people[seat]),
        "discs": format_discs_left(view.position.discs[seat]),
        "people": view.people,
        "shown": view.shown,
        "query": page_query(view.at, form.choice),
        # A past board has no choice.
        "back": page_query(view.at, NOTHING_CHOSEN if view.is_past else form.choice),
        "shown_action": describe_shown_step(view),
        "links": history_links(view.shown, view.version, partial(page_query, choice=form.choice)),
    }
    return render(request, "games/display.html", context)
