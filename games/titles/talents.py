"""What a title can do beyond being played."""

from enum import Enum, auto


class Talent(Enum):
    """Something that the house offers only for titles that have it: it asks before it shows a link.

    A request for what a title does not have gets the same answer as one for a page that does not exist.
    """

    SOLO = auto()  # games for one player, with scores and a leaderboard
    DAILY = auto()  # a solo deal of each day; needs SOLO
    EXPERT_GAMES = auto()  # the expert plays the deal of a finished solo game; needs SOLO
    DUPLICATE = auto()  # several tables play one deal, and results of the same seat are compared
    # Two teams play it at two tables, with sides exchanged, and their points are added. It needs DUPLICATE,
    # two sides with equally many seats at all tables, and the figure `points`.
    TEAMS = auto()
    HINTS = auto()  # the best bot shows what it would do
    REVIEWS = auto()  # the best bot judges a finished game
    TRAINER = auto()  # positions from the player's own games, to try again
    LESSONS = auto()
    RULES = auto()  # pages with the rules
    TRY_LINES = auto()  # players and spectators try what could follow, for all seats
    PLANS = auto()  # a player says in advance what to do when they are awaited
