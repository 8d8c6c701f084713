"""Tiles, goals and counts in words, for pages and emails, and what the bots are like."""

from collections.abc import Collection, Iterable

from django.utils.translation import gettext_lazy

from games.marked import gettext as _
from games.marked import ngettext
from games.novaluna.engine import Colour, Goal, Support, Tile
from games.shown.words import join_words
from games.titles.options import LevelText

COLOUR_WORDS = {
    Colour.BLUE: gettext_lazy("blue"),
    Colour.RED: gettext_lazy("red"),
    Colour.TURQUOISE: gettext_lazy("turquoise"),
    Colour.YELLOW: gettext_lazy("yellow"),
}

# One phrase for each number and colour, because some languages inflect both.
DOT_WORDS = {
    Colour.BLUE: (
        gettext_lazy("one blue"),
        gettext_lazy("two blue"),
        gettext_lazy("three blue"),
        gettext_lazy("four blue"),
    ),
    Colour.RED: (
        gettext_lazy("one red"),
        gettext_lazy("two red"),
        gettext_lazy("three red"),
        gettext_lazy("four red"),
    ),
    Colour.TURQUOISE: (
        gettext_lazy("one turquoise"),
        gettext_lazy("two turquoise"),
        gettext_lazy("three turquoise"),
        gettext_lazy("four turquoise"),
    ),
    Colour.YELLOW: (
        gettext_lazy("one yellow"),
        gettext_lazy("two yellow"),
        gettext_lazy("three yellow"),
        gettext_lazy("four yellow"),
    ),
}

BOT_TEXTS = {
    "easy": LevelText(
        gettext_lazy("Easy: a friendly beginner"),
        gettext_lazy("Sees the obvious goals, and makes mistakes as people do."),
    ),
    "medium": LevelText(
        gettext_lazy("Medium: a family player"),
        gettext_lazy("Plans its goals, one turn at a time."),
    ),
    "hard": LevelText(
        gettext_lazy("Hard: a club player"),
        gettext_lazy("Thinks ahead and rarely wastes a turn."),
    ),
    "expert": LevelText(
        gettext_lazy("Expert: the strongest"),
        gettext_lazy("Thinks longest about each turn. Hard for anybody to beat."),
    ),
}
BOT_LABELS = {level: text.label for level, text in BOT_TEXTS.items()}
BOT_DESCRIPTIONS = {level: text.description for level, text in BOT_TEXTS.items()}


def tile_name(tile: Tile) -> str:
    """Return a tile's name: `blue 4`."""
    return _("%(colour)s %(cost)d") % {"colour": COLOUR_WORDS[tile.colour], "cost": tile.cost}


def name_tiles(tiles: Iterable[Tile]) -> str:
    """Return the names of tiles by colour: `blue 4; red 3, 3, 5`."""
    costs: dict[Colour, list[str]] = {}
    for tile in sorted(tiles, key=lambda tile: (tile.colour, tile.cost)):
        costs.setdefault(tile.colour, []).append(str(tile.cost))
    return _("; ").join(
        _("%(colour)s %(costs)s") % {"colour": COLOUR_WORDS[colour], "costs": _(", ").join(each)}
        for colour, each in costs.items()
    )


def format_dots(needs: Support) -> str:
    """Return a number of dots of each colour, in words.

    >>> format_dots((0, 2, 1, 0))
    'two red and one turquoise'
    """
    each = [str(DOT_WORDS[colour][count - 1]) for colour, count in zip(Colour, needs, strict=True) if count]
    return join_words(each)


def describe_tile(
    tile: Tile,
    covered: Collection[int] = (),
    support: Support | None = None,
) -> str:
    """Return a tile's name and goals; `covered` has the indexes of the goals with a disc.

    With the `support` of a tile on a display, each goal without a disc says which dots it lacks.

    >>> from games.novaluna.engine import TILES
    >>> describe_tile(TILES["B4c"], covered=[0])
    'blue 4: one blue and one red, covered; one turquoise and one yellow'
    """
    if not tile.goals:
        return _("%(tile)s, no goals") % {"tile": tile_name(tile)}
    words = {"tile": tile_name(tile), "goals": describe_goals(tile, covered, support)}
    return _("%(tile)s: %(goals)s") % words


def describe_goals(tile: Tile, covered: Collection[int] = (), support: Support | None = None) -> str:
    """Return the goals of a tile, as `describe_tile` does; empty if it has none."""
    return _("; ").join(_goal(goal, nth in covered, support) for nth, goal in enumerate(tile.goals))


def _goal(goal: Goal, is_covered: bool, support: Support | None) -> str:
    words = {"goal": format_dots(goal.needs)}
    if is_covered:
        return _("%(goal)s, covered") % words
    if support is None:
        return words["goal"]
    if goal.is_fulfilled_by(support):
        return _("%(goal)s, waits for a disc") % words
    return _("%(goal)s, lacks %(dots)s") % {**words, "dots": format_dots(_missing_dots(goal.needs, support))}


def _missing_dots(needs: Support, support: Support) -> Support:
    blue, red, turquoise, yellow = (max(need - has, 0) for need, has in zip(needs, support, strict=True))
    return blue, red, turquoise, yellow


def format_discs_placed(placed: int, left: int) -> str:
    """Return how many of all discs are placed, in words."""
    return _("%(placed)d of %(total)d discs placed") % {"placed": placed, "total": placed + left}


def format_goals(count: int) -> str:
    """Return a number of goals in words."""
    return ngettext("%(count)d goal", "%(count)d goals", count) % {"count": count}


def format_discs_left(count: int) -> str:
    """Return a number of discs in words."""
    return ngettext("%(count)d disc left", "%(count)d discs left", count) % {"count": count}


def format_time_spent(before: int, after: int) -> str:
    """Return the time before and after a step, in words."""
    return _("Time %(before)d → %(after)d") % {"before": before, "after": after}
