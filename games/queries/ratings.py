"""The ratings of all players, best first, and what one player's rating was over time.

Everything is read from the rows that `games/services/projections/ratings.py` stores.
"""

from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator

from accounts.models import User, Viewer
from games.models import PlayerRating
from games.ratings import Rating

PLAYERS_A_PAGE = 50


@dataclass(frozen=True)
class RatedPlayer:
    """A player with a rating; `rank` is None while the rating is provisional."""

    rank: int | None
    name: str
    rating: Rating
    is_you: bool


@dataclass(frozen=True)
class RatingList:
    """One page of the ratings. `own` is the viewer's row if the page does not have it."""

    players: list[RatedPlayer]
    own: RatedPlayer | None
    page: Page[Any]

    @property
    def own_page(self) -> int:
        """The number of the page that has the viewer's row; 0 if it is this one or none."""
        rank = self.own.rank if self.own else None
        return (rank - 1) // self.page.paginator.per_page + 1 if rank else 0


def rating_list(viewer: Viewer, page: int | str = 1) -> RatingList:
    """Return one page of the players with enough rated games, and the viewer's own row wherever it is."""
    listed = PlayerRating.objects.listed().best_first().select_related("user")
    shown = Paginator(listed, PLAYERS_A_PAGE).get_page(page)
    players = [_player(row, rank, viewer) for rank, row in enumerate(shown, shown.start_index())]
    return RatingList(players, None if any(row.is_you for row in players) else _own_row(viewer), shown)


def _own_row(viewer: Viewer) -> RatedPlayer | None:
    if not isinstance(viewer, User):
        return None
    own = PlayerRating.objects.filter(user=viewer, games__gt=0).select_related("user").first()
    return _player(own, rank_of(own), viewer) if own else None


def rank_of(rating: PlayerRating) -> int | None:
    """Return the rank of a rating; None if it is not listed."""
    listed = PlayerRating.objects.listed()
    return listed.better_than(rating).count() + 1 if rating.is_listed else None


def _player(row: PlayerRating, rank: int | None, viewer: Viewer) -> RatedPlayer:
    return RatedPlayer(rank, row.user.username, row.value, row.user_id == viewer.pk)
