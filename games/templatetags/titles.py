"""Template filters about the title of a game."""

from django import template

from games.models import Game
from games.queries.sides import SideSummary, sides_of
from games.queries.summaries import GameSummary
from games.titles import registry
from games.titles.registry import TITLES
from games.titles.talents import Talent

register = template.Library()


@register.filter
def has_talent(game: Game, name: str) -> bool:
    """Return whether the title of a game has the talent with this name, such as "REVIEWS"."""
    return registry.has_talent(game.title, Talent[name])


@register.filter
def title_to_tell(game: Game) -> str:
    """Return the name of the title of a game; empty if the site offers only this one."""
    title = TITLES.get(game.title)
    return title.pages.name if title and len(TITLES) > 1 else ""


@register.filter
def option_words(game: Game) -> str:
    """Return the options of a game in a few words; empty if there is nothing to say."""
    title = TITLES.get(game.title)
    return title.pages.describe_options(game.all_options, game.seat_count) if title else ""


@register.filter
def sides(summary: GameSummary) -> list[SideSummary]:
    """Return the sides of a table; none in a title in which each plays alone."""
    return sides_of(summary)
