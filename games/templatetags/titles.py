"""Template filters about the title of a game."""

from django import template

from games.models import Game
from games.titles import registry
from games.titles.talents import Talent

register = template.Library()


@register.filter
def has_talent(game: Game, name: str) -> bool:
    """Return whether the title of a game has the talent with this name, such as "REVIEWS"."""
    return registry.has_talent(game.title, Talent[name])
