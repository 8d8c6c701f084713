"""Ratings in words, for seats, results and tables."""

from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.ratings import Rating

# For the form of a new table. An empty limit is none.
LEAST_LABELS = {"": gettext_lazy("Any"), **{str(number): str(number) for number in range(1000, 2300, 100)}}
MOST_LABELS = {"": gettext_lazy("Any"), **{str(number): str(number) for number in range(1100, 2400, 100)}}


def describe_rating(rating: Rating) -> str:
    """Return a rating with its uncertainty, as the others read it beside the name of a player.

    >>> describe_rating(Rating(1512.4, 44.9, games=30)), describe_rating(Rating())
    ('Rating 1512 ± 90', 'Rating 1500 ± 500, provisional')
    >>> describe_rating(Rating.of_bot(1500))
    'Rating 1500'
    """
    words = {"number": rating.number, "margin": rating.margin}
    if rating.is_fixed:
        return _("Rating %(number)d") % words
    if rating.is_provisional:
        return _("Rating %(number)d ± %(margin)d, provisional") % words
    return _("Rating %(number)d ± %(margin)d") % words


def brief_rating(rating: Rating) -> str:
    """Return a rating as short as possible, with a question mark if it is provisional.

    >>> brief_rating(Rating(1512.4, 44.9, games=30)), brief_rating(Rating())
    ('1512', '1500?')
    """
    return f"{rating.number}?" if rating.is_provisional else str(rating.number)


def describe_change(before: Rating, after: Rating) -> str:
    """Return a rating after a game, and how the game has changed it.

    >>> describe_change(Rating(1498.2), Rating(1512.4)), describe_change(Rating(1500), Rating(1421.3))
    ('Rating 1512, up 14', 'Rating 1421, down 79')
    >>> describe_change(Rating(1500), Rating(1500.3))
    'Rating 1500, as before'
    """
    words = {"number": after.number, "difference": abs(after.number - before.number)}
    if after.number > before.number:
        return _("Rating %(number)d, up %(difference)d") % words
    if after.number < before.number:
        return _("Rating %(number)d, down %(difference)d") % words
    return _("Rating %(number)d, as before") % words


def format_lead(lead: float) -> str:
    """Return how far a player is ahead of others, with a sign: a true minus, not a hyphen.

    >>> format_lead(3.0), format_lead(-1.5), format_lead(0.0)
    ('+3', '−1.5', '0')
    """
    shown = localize(round(lead, 1)) if lead % 1 else str(round(lead))
    return f"+{shown}" if lead > 0 else shown.replace("-", "\N{MINUS SIGN}")


def describe_range(least: int | None, most: int | None) -> str:
    """Return the ratings for which a table is, in a few words; empty for all.

    >>> describe_range(1400, 1600), describe_range(1400, None), describe_range(None, 1600)
    ('rating 1400 to 1600', 'rating 1400 or more', 'rating 1600 or less')
    """
    limits = _limits(least, most)
    return _("rating %(limits)s") % {"limits": limits} if limits else ""


def _limits(least: int | None, most: int | None) -> str:
    words = {"least": least, "most": most}
    if least is not None and most is not None:
        return _("%(least)d to %(most)d") % words
    if least is not None:
        return _("%(least)d or more") % words
    return _("%(most)d or less") % words if most is not None else ""


def describe_demand(least: int | None, most: int | None, own: Rating | None, *, is_met: bool) -> str:
    """Return who may join a table that asks for a range of ratings, and whether the reader may.

    `own` is the reader's rating; None for visitors and guests.

    >>> describe_demand(1600, None, Rating(), is_met=False)
    "For players with a rating of 1600 or more. Your rating is 1500 (provisional), so you can't join."
    """
    rule = _("For players with a rating of %(limits)s.") % {"limits": _limits(least, most)}
    if own is None:
        return rule
    number = {"number": own.number}
    words = {"own": _("%(number)d (provisional)") % number if own.is_provisional else own.number}
    if is_met:
        return rule + " " + _("Your rating is %(own)s, so you may join.") % words
    return rule + " " + _("Your rating is %(own)s, so you can't join.") % words
