"""The game page, and its forms for actions."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games.forms.actions import MALFORMED, ActionForm, TakeBackForm
from games.http import PlayerRequest, SiteRequest, no_store, wants_partial
from games.models import Game
from games.queries.access import access_game
from games.queries.mail_links import reader_of
from games.services.errors import Refused
from games.services.play import play as play_action
from games.services.private.sound import turn_sound
from games.services.take_backs import take_back as take_back_action
from games.titles.registry import title_named
from games.views.game.catching_up import show_with_boards_between
from games.views.game.show import show, show_changes, show_refusal, without_choice


@require_safe
@no_store
def game(request: SiteRequest, key: str) -> HttpResponse:
    """Show a game, or its table before it starts.

    A link from an email first asks anybody else than its reader who they are.
    """
    game = access_game(request.user, key)
    reader = reader_of(request)
    if reader is None:
        return show_with_boards_between(request, game)
    if reader == request.user:
        return redirect(game)  # The address may be shared now.
    context = {
        "game": game,
        "reader": reader,
        "is_awaited": Game.objects.waiting_for(reader).filter(pk=game.pk).exists(),
    }
    return render(request, "games/other_reader.html", context)


@no_store
def play(request: SiteRequest, key: str) -> HttpResponse:
    """Play the posted action, and show the board after it."""
    game = access_game(request.user, key)
    if request.method != "POST":
        # Somebody reloaded a page that shows a refusal, so the browser sent GET to the address of the form.
        return redirect(game)
    form = ActionForm(title_named(game.title).pages, request.POST)
    if not form.is_valid():
        return show(request, game, error=str(MALFORMED), status=400)
    action, number, request_id = form.request
    try:
        played = play_action(key, request.user, action, number, request_id, known=game)
    except Refused as refused:
        return without_choice(show_refusal(request, game, refused), game)
    if not wants_partial(request):
        return redirect(game)
    if played.game is not None and played.game.is_running:
        game = played.game
    else:
        game = access_game(request.user, key)
    knows_seats = form.cleaned_data["changes"] == game.changes
    return without_choice(show_changes(request, game, since=number - 1, knows_seats=knows_seats), game)


@no_store
def take_back(request: SiteRequest, key: str) -> HttpResponse:
    """Take back the posted action, and show the board from before it."""
    game = access_game(request.user, key)
    if request.method != "POST":
        return redirect(game)
    form = TakeBackForm(request.POST)
    if not form.is_valid():
        return show(request, game, error=str(MALFORMED), status=400)
    try:
        take_back_action(key, request.user, **form.cleaned_data)
    except Refused as refused:
        return without_choice(show_refusal(request, game, refused), game)
    if not wants_partial(request):
        return redirect(game)
    game = access_game(request.user, key)
    return without_choice(show(request, game), game)


@require_POST
@no_store
def hide_tips(request: SiteRequest, key: str) -> HttpResponse:
    """Show the viewer no tips any more, and say so where the tip was. The page keeps everything else.

    Without scripts, or from the text mode, it is loaded again.
    """
    game = access_game(request.user, key)
    if request.user.is_authenticated:
        request.user.hide_tips()
    if wants_partial(request):
        return render(request, "games/_tips_hidden.html")
    messages.success(request, _("Tips are hidden. The settings show them again."))
    return redirect("games:text", key) if "text" in request.POST else redirect(game)


@require_POST
@login_required
@no_store
def sound(request: PlayerRequest, key: str) -> HttpResponse:
    """Turn the sound of all live games on or off for the viewer; this game is only where the switch is.

    Anything but the two answers of the switch changes nothing.
    """
    game = access_game(request.user, key)
    if request.POST.get("is_on") in ("True", "False"):
        turn_sound(request.user, is_on=request.POST["is_on"] == "True")
    if wants_partial(request):
        return render(request, "games/_sound.html", {"game": game, "is_partial": True})
    return redirect(game)
