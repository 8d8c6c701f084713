"""The result of a solo game as a text to share, which reveals nothing about the deal."""

from django.conf import settings
from django.urls import reverse

from games.models import Game
from games.shown.lists import lists_of


def share_text(game: Game) -> str:
    """Return the text to share of a solo game, with the address where others can play.

    It is empty without a score, and for practice on a daily deal.
    """
    if game.score is None or game.is_only_practice:
        return ""
    day = game.daily.day if game.daily else None
    score = lists_of(game.title).share_score(game.score, day, with_hints=not game.is_without_hints)
    page = reverse("games:daily_day", args=[day]) if day else reverse("games:solo")
    return f"{score}\n{settings.SITE_URL}{page}"
