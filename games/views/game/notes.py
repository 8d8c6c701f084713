"""The private note of a player about a game."""

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from games.forms.talk import NoteForm
from games.http import SiteRequest, no_store, wants_partial
from games.queries.access import access_game
from games.services.errors import Refused
from games.services.private.notes import NoteChanged, keep_note


@require_POST
@no_store
def note(request: SiteRequest, key: str) -> HttpResponse:
    """Store the viewer's note. The page shows whether it is saved; without scripts it is loaded again."""
    game = access_game(request.user, key)
    form = NoteForm(request.POST)
    if not form.is_valid():
        error = " ".join(str(message) for message in form.errors.get("note", []))
        return render(request, "games/_note_state.html", {"error": error}, status=400)
    try:
        keep_note(key, request.user, form.cleaned_data["note"], form.cleaned_data["read"])
    except NoteChanged as changed:
        template = "_note_conflict" if wants_partial(request) else "note_conflict"
        context = {"game": game, "stored": changed.stored, **form.cleaned_data}
        return render(request, f"games/{template}.html", context, status=changed.status)
    except Refused as refused:
        return render(request, "games/_note_state.html", {"error": refused.message}, status=refused.status)
    if wants_partial(request):
        return render(request, "games/_note_state.html", {"is_saved": True, **form.cleaned_data})
    page = {"text": "games:text", "review": "games:review"}.get(form.cleaned_data["page"], "games:game")
    return redirect(f"{reverse(page, args=[game.key])}#note")
