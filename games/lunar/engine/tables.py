"""What the box of the game prints, as far as it is published; the rest is a house rule of this site.

Published are the 10 points for 1 to 3 tricks and for 7 and 8. The other points, and which cards have a star,
are the choice of this site, until somebody looks them up in a box. Tables may choose others.
"""

from collections.abc import Sequence

from games.lunar.engine.cards import Stars

TRICKS = 12  # in a round
MOST_POINTS = 20  # that a table can give for a number of tricks

# The points of a side at the end of a round, by the number of tricks that it has won.
HOUSE_POINTS = (5, 10, 10, 10, 2, 3, 5, 10, 10, 0, 0, 0, 0)
HOUSE_STARS = Stars.SUITS

# A game ends after a round in which a side has more points than this, if the sides are not level.
GOAL = 30


def may_never_end(points: Sequence[int], stars: Stars) -> bool:
    """Return whether a game could go on for hundreds of rounds, or for ever.

    Without stars, both sides could get the same unless one wins nearly all tricks, or nobody a point.

    >>> may_never_end([7] * 13, Stars.NONE), may_never_end([7] * 13, Stars.SUITS)
    (True, False)
    >>> may_never_end([0] * 12 + [1], Stars.NONE)
    True
    """
    rounds = list(zip(points, reversed(points), strict=True))
    usual = rounds[3:-3]
    return stars is Stars.NONE and (
        all(own == others for own, others in usual) or not all(own or others for own, others in rounds)
    )
