"""Solo standings: the best game of each player, ranked by score.

`SeatQuerySet.ranked_solo` says which games count. Equal scores share a rank, and the earlier game is first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Avg, Count, Min, Window
from django.db.models.functions import RowNumber

from accounts.models import User, Viewer
from games.models import Action, Game, Seat

LEADERS_A_PAGE = 50


@dataclass(frozen=True)
class Leader:
    """A row of the leaderboard: the best solo game of one player."""

    rank: int
    name: str
    score: int
    tiles: int
    ended_at: datetime | None
    url: str
    is_you: bool


@dataclass(frozen=True)
class SoloStanding:
    """The number, best score, mean score and rank of one player's solo games that count."""

    played: int
    best: int
    mean: int
    rank: int


GREAT = 100  # a score below it is great


@dataclass(frozen=True)
class Verdict:
    """What a finished solo game is worth to its player, and the scores to beat.

    `own_best` is the best score of the player's other games that count.
    """

    score: int
    own_best: int | None
    counts: bool
    leader_name: str  # empty while nobody is on the leaderboard
    leader_score: int | None
    is_leader: bool

    @property
    def is_great(self) -> bool:
        return self.score < GREAT

    @property
    def points_to_great(self) -> int:
        return self.score - GREAT + 1

    @property
    def is_new_best(self) -> bool:
        """Whether the game beats all other games of its player that count."""
        return self.counts and self.own_best is not None and self.score < self.own_best

    @property
    def points_better(self) -> int:
        return (self.own_best or 0) - self.score


def verdict(game: Game, viewer: Viewer) -> Verdict | None:
    """Return the verdict on a solo game for its player; None for other viewers, and without a score."""
    if not isinstance(viewer, User) or game.score is None or not game.seats.filter(user=viewer).exists():
        return None
    others = Seat.objects.counted_solo().filter(user=viewer).exclude(game=game)
    leader = (
        Seat.objects.ranked_solo().select_related("user", "game").order_by("game__score", "game__moved_at")
    )
    first = leader.first()
    return Verdict(
        score=game.score,
        own_best=others.aggregate(best=Min("game__score"))["best"],
        counts=game.is_rated and game.daily_id is None,
        leader_name=first.name if first else "",
        leader_score=first.game.score if first else None,
        is_leader=first is not None and first.is_of(viewer),
    )


def personal_best(viewer: Viewer) -> int | None:
    """Return the lowest score of the viewer's solo games that count; None if there are none."""
    if not viewer.is_authenticated:
        return None
    best: int | None = (
        Seat.objects.counted_solo().filter(user=viewer).aggregate(best=Min("game__score"))["best"]
    )
    return best


def solo_standing(person: User) -> SoloStanding | None:
    """Return the solo standing of `person`; None before the first game that counts."""
    ranked = Seat.objects.ranked_solo()
    own = ranked.filter(user=person).aggregate(
        played=Count("pk"), best=Min("game__score"), mean=Avg("game__score")
    )
    if not own["played"]:
        return None
    better = ranked.values("user").annotate(best=Min("game__score")).filter(best__lt=own["best"])
    return SoloStanding(own["played"], own["best"], round(own["mean"]), better.count() + 1)


def leaderboard(
    viewer: Viewer, page: int | str = 1, size: int = LEADERS_A_PAGE
) -> tuple[list[Leader], Page[Any]]:
    """Return the rows of one page of the leaderboard, and the page object for links to the other pages."""
    best = (
        Seat.objects.ranked_solo()
        .annotate(nth=Window(RowNumber(), partition_by="user", order_by=["game__score", "game__moved_at"]))
        .filter(nth=1)
    )
    pages = Paginator(best.select_related("game", "user").order_by("game__score", "game__moved_at"), size)
    shown = pages.get_page(page)
    seats = list(shown.object_list)
    scores = [seat.game.score or 0 for seat in seats]
    # The first row of a later page may share its rank with rows of the page before.
    better = best.filter(game__score__lt=scores[0]).count() if scores else 0
    tiles = _count_tiles([seat.game_id for seat in seats])
    leaders = [
        Leader(
            rank=better + 1 if score == scores[0] else shown.start_index() + scores.index(score),
            name=seat.name,
            score=score,
            tiles=tiles[seat.game_id],
            ended_at=seat.game.moved_at,
            url=seat.game.get_absolute_url(),
            is_you=seat.is_of(viewer),
        )
        for seat, score in zip(seats, scores, strict=True)
    ]
    return leaders, shown


def _count_tiles(game_ids: Sequence[int]) -> dict[int, int]:
    """Return the number of placed tiles by game id."""
    places = Action.objects.filter(game__in=game_ids, payload__do="place")
    return dict(places.values_list("game_id").annotate(Count("pk")).order_by())
