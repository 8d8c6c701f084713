"""What the opener of a table chooses about its game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from accounts.models import User
from games.models import Game
from games.titles.registry import first_title, title_named


@dataclass(frozen=True)
class TableOptions:
    """The choices of a table.

    `options` are those of the title `title`, by default the first one of the site. Those that are missing get
    their defaults. Without a `pace`, the game has no clock, which is possible only if it is not listed or all
    the others are bots. If the time of a seat is up, a bot of the level `caretaker` plays it; without a
    level, the seat is out. Others who join without an invitation need `least_reliability` in percent, and all
    others a rating from `least_rating` to `most_rating`.
    """

    seat_count: int
    title: str = field(default_factory=lambda: first_title().key)
    options: Mapping[str, object] = field(default_factory=dict)
    is_public: bool = False
    pace: str = ""
    caretaker: str = ""
    least_reliability: int = 0
    changes_ratings: bool = False
    least_rating: int | None = None
    most_rating: int | None = None

    @classmethod
    def again(cls, finished: Game) -> TableOptions:
        """Return the choices for a rematch of a game, which is not listed.

        The same people may play again, whatever their ratings are now.
        """
        return cls(
            finished.seat_count,
            title=finished.title,
            options=finished.all_options,
            pace=finished.pace,
            caretaker=finished.caretaker,
            least_reliability=finished.least_reliability,
            changes_ratings=finished.changes_ratings,
        )

    def new_game(self, opener: User) -> Game:
        """Return the game of a table that `opener` opens with these choices, unsaved.

        The table of a guest is not listed, and it is not rated and asks for no rating. Nor is the table of a
        person listed who may not play at public ones. Raises ValueError for options that no game of the title
        can have.
        """
        game = new_game(
            self.title,
            self.seat_count,
            self.options,
            is_public=self.is_public and not opener.is_guest and opener.plays_in_public,
            pace=self.pace,
            caretaker=self.caretaker,
            least_reliability=self.least_reliability,
        )
        if not opener.is_guest:
            game.changes_ratings = self.changes_ratings
            game.least_rating, game.most_rating = self.least_rating, self.most_rating
        return game


def new_game(title: str, seat_count: int, options: Mapping[str, object], **columns: object) -> Game:
    """Return a game of a title, unsaved, with its options and these columns.

    Options that are missing get their defaults. Raises ValueError for those that no game can have.
    """
    checked = title_named(title).rules.checked_options(options, seat_count)
    discs = checked.get("discs")
    return Game(
        title=title,
        mode=Game.Mode.SOLO if seat_count == 1 else Game.Mode.MULTIPLAYER,
        seat_count=seat_count,
        options=checked,
        goal_discs=discs if isinstance(discs, int) else 0,
        **columns,
    )
