"""The expert's review of a finished game: asked for with a form, watched while it is made, then read."""

from datetime import timedelta
from math import ceil

from allauth.core import ratelimit
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from games import bar
from games.http import SiteRequest, uncached, wants_part
from games.models import Game, Review
from games.reviewing import reviewed
from games.services import reviews
from games.services.errors import Refused
from games.viewing import viewing
from games.views.show import show_refusal

# From then on the page tells those who wait that it takes longer than it should.
LATE = timedelta(seconds=30)
TURNS_A_MINUTE = 60  # with a turn judged in up to a second, where nothing else is to be done


@require_http_methods(["GET", "HEAD", "POST"])
@uncached
def review(request: SiteRequest, key: str) -> HttpResponse:
    """Show the review of a game, how far it is, or a button that asks for it; a post asks for it."""
    game = get_object_or_404(Game.objects.select_related("deal"), key=key)
    if request.method == "POST":
        return _ask(request, game)
    if not game.is_over:
        return redirect(game)
    found = Review.objects.filter(game=game).first()
    seen = viewing(game, request.user, at=0)
    context = {
        "game": game,
        "about": bar.about(seen.people, seen.viewer),
        "heading": bar.heading(seen.steps[-1].position, seen.steps, seen.people, seen.viewer, None),
        "is_part": wants_part(request),
        "asked": found,
        "done": len(found.turns) if found else 0,
        "is_late": found and timezone.now() - found.judged_at > LATE,
        "minutes": ceil(game.version / TURNS_A_MINUTE),
        "review": reviewed(seen.position, seen.steps, seen.people, seen.viewer, found.turns)
        if found and found.finished_at
        else None,
    }
    return render(request, f"games/{'_review' if wants_part(request) else 'review'}.html", context)


def _ask(request: SiteRequest, game: Game) -> HttpResponse:
    # What costs nothing counts for nothing: a review that is there, and one that will be refused.
    is_work = game.is_over and not Review.objects.filter(game=game).exists()
    if is_work and not ratelimit.consume(request, action="review"):
        return ratelimit.respond_429(request)
    try:
        reviews.ask(game)
    except Refused as refused:
        return show_refusal(request, game, refused)
    return redirect("games:review", game.key)
