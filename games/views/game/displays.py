"""The page with what one seat has on the table in the full window, now or after an action."""

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.forms.actions import PageForm
from games.http import SiteRequest, no_store
from games.queries.access import access_game
from games.queries.viewing import view_game
from games.titles.registry import title_named


@require_safe
@no_store
def display(request: SiteRequest, key: str, seat: int) -> HttpResponse:
    """Show the part of a seat, with links to the other seats and to the actions before and after."""
    game = access_game(request.user, key)
    if game.is_open:
        return redirect(game)
    if seat >= game.seat_count:
        raise Http404
    view = view_game(game, request.user, PageForm.read(request).action_number, with_clocks=False)
    shown = title_named(game.title).pages.close_up(view, seat, request.GET)
    if shown is None:
        raise Http404
    context = {
        "game": game,
        "shown": shown,
        "person": view.people[seat],
        "people": view.people,
        "number": view.shown,
    }
    return render(request, shown.template, context)
