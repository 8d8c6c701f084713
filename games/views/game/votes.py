"""The page on which players start votes, and the buttons that answer them."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.forms.tables import VoteForm
from games.http import PlayerRequest, no_store, wants_partial
from games.queries.access import access_game
from games.queries.votes import PossibleVotes, possible_votes, running_vote, settled_votes
from games.services import votes
from games.services.errors import Refused
from games.views.game.show import show, show_refusal


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@no_store
def vote(request: PlayerRequest, key: str) -> HttpResponse:
    """Show the vote that runs, or on what the viewer can start one; store a vote or an answer.

    A board that htmx updates gets the board after it, with the choice in the address.
    """
    game = access_game(request.user, key)
    if request.method != "POST":
        if possible_votes(game, request.user) is None:
            return redirect(game)
        return _show(request, key, VoteForm())
    form = VoteForm(request.POST)
    if not form.is_valid():
        return _show(request, key, form, 400)
    try:
        _store(request, key, form)
    except Refused as refused:
        if wants_partial(request):
            return show_refusal(request, game, refused)
        form.add_error(None, refused.message)
        return _show(request, key, form, refused.status)
    if wants_partial(request):
        return show(request, access_game(request.user, key))
    messages.success(request, _describe(request, key, form))
    return redirect("games:text", key) if "text" in request.POST else redirect(game)


def _store(request: PlayerRequest, key: str, form: VoteForm) -> None:
    data = form.cleaned_data
    if data["do"] == "start":
        votes.start(key, request.user, data["purpose"], form.chosen_pace, data["number"])
    else:
        votes.answer(key, request.user, data["vote"], agrees=data["do"] == "agree")


def _describe(request: PlayerRequest, key: str, form: VoteForm) -> str:
    """Return what the viewer's vote or answer has done."""
    do = form.cleaned_data["do"]
    game = access_game(request.user, key)
    running = running_vote(game, request.user)
    if running is None:
        outcomes = [] if do == "decline" else [vote.outcome for vote in settled_votes(game)]
        return outcomes[0] if outcomes else _("The proposal has ended.")
    text = _("You asked %(names)s.") if do == "start" else _("You agreed. Waiting for %(names)s.")
    return text % {"names": running.missing_names}


def _show(request: PlayerRequest, key: str, form: VoteForm, status: int = 200) -> HttpResponse:
    game = access_game(request.user, key)
    possible = possible_votes(game, request.user)
    if possible is not None:
        form.offer(possible.paces)
    context = {
        "game": game,
        "form": form,
        "vote": running_vote(game, request.user),
        "possible": possible,
        "heading": _heading(possible),
        "is_alone": possible is not None and possible.is_alone,
        "settled": settled_votes(game),
    }
    return render(request, "games/vote.html", context, status=status)


def _heading(possible: PossibleVotes | None) -> str:
    """Return the heading of the page: what the menu of the game calls it, if that is all."""
    if possible is not None and possible.is_alone:
        return _("Change the pace")
    is_choice = possible is not None and not possible.absence
    return _("Change the pace or cancel") if is_choice else _("Agree with the others")
