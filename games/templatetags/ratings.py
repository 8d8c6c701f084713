"""Template filters for ratings, of players and of tables."""

from django import template

from games.models import Game
from games.shown.ratings import describe_range, format_lead

register = template.Library()
register.filter("lead", format_lead)


@register.filter
def rating_range(game: Game) -> str:
    """Return the ratings for which a table is, in a few words; empty for all."""
    return describe_range(game.least_rating, game.most_rating)
