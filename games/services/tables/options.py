"""What the opener of a table chooses about its game."""

from dataclasses import dataclass

from accounts.models import User
from games.models import Game
from games.novaluna.engine import MOST_DISCS

# The discs of the shorter beginner's game, by number of players. For two players, the rules have no
# beginner's game.
BEGINNER_DISCS = {3: 17, 4: 15}


@dataclass(frozen=True)
class TableOptions:
    """The choices of a table with `seat_count` seats, 2–4.

    Without a `pace`, the game has no clock, which is possible only if it is not listed or all the others are
    bots. If the time of a seat is up, a bot of the level `caretaker` plays it; without a level, the seat is
    out. Others who join without an invitation need `least_reliability` in percent, and all others a rating
    from `least_rating` to `most_rating`.
    """

    seat_count: int
    beginner: bool = False
    is_public: bool = False
    pace: str = ""
    caretaker: str = ""
    least_reliability: int = 0
    changes_ratings: bool = False
    least_rating: int | None = None
    most_rating: int | None = None

    def new_game(self, opener: User) -> Game:
        """Return the game of a table that `opener` opens with these choices, unsaved.

        The table of a guest is not listed, and it is not rated and asks for no rating.
        """
        game = Game(
            mode=Game.Mode.MULTIPLAYER,
            seat_count=self.seat_count,
            goal_discs=BEGINNER_DISCS.get(self.seat_count, MOST_DISCS) if self.beginner else MOST_DISCS,
            is_public=self.is_public and not opener.is_guest,
            pace=self.pace,
            caretaker=self.caretaker,
            least_reliability=self.least_reliability,
        )
        if not opener.is_guest:
            game.changes_ratings = self.changes_ratings
            game.least_rating, game.most_rating = self.least_rating, self.most_rating
        return game
