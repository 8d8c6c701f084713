"""Ratings in words, for seats, results and tables."""

from django.utils.translation import gettext as _

from games.ratings import Rating


def describe_rating(rating: Rating) -> str:
    """Return a rating with its uncertainty, as the others read it beside the name of a player.

    >>> describe_rating(Rating(1512.4, 44.9, games=30)), describe_rating(Rating())
    ('Rating 1512 ± 90', 'Rating 1500 ± 500, provisional')
    >>> describe_rating(Rating.of_bot("medium"))
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
