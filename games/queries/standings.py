"""The leaderboards, of solo standings and of ratings, and what one player has reached.

Everything is read from the rows that `standings.py` and `ratings.py` in `games/services/projections/` store.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.core.paginator import Page
from django.db.models import Avg, Min
from django.utils import timezone

from accounts.models import User, Viewer
from games.models import (
    DailyDeal,
    Follow,
    Game,
    LeaderboardKey,
    PlayerRating,
    SoloResult,
    SoloResultQuerySet,
    Standing,
    leaderboard_of_day,
    today,
)
from games.queries.access import knows_deal
from games.queries.pages import LongPaginator
from games.queries.scores import Histogram, histogram
from games.queries.share import share_text
from games.ratings import Rating
from games.titles.registry import title_named

LEADERS_A_PAGE = 50
LATEST_FOR_AVERAGE = 10
RANKED_KINDS = (SoloResult.Kind.FREE, SoloResult.Kind.DAILY)


@dataclass(frozen=True)
class Leader:
    """A row of a leaderboard: what one player has reached. An average has no `url` of a game."""

    rank: int
    name: str
    score: float
    tie_break: float
    played: int
    reached_at: datetime
    url: str
    is_you: bool
    is_listed: bool
    daily_id: int | None = None


@dataclass(frozen=True)
class Leaderboard:
    """One page of a board. `own` is the viewer's row if the page does not have it."""

    board: LeaderboardKey
    leaders: list[Leader]
    own: Leader | None
    page: Page[Any]

    @property
    def is_average(self) -> bool:
        return self.board.measure == Standing.Measure.AVERAGE

    @property
    def own_page(self) -> int:
        """The number of the page that has the viewer's row; 0 if it is this one or nowhere."""
        return (self.own.rank - 1) // self.page.paginator.per_page + 1 if self.own else 0


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


@dataclass(frozen=True)
class SoloStanding:
    """What one player has reached in solo games that count. A guest has no `rank`."""

    played: int
    best: int
    mean: int
    latest_mean: int
    rank: int | None

    @property
    def page(self) -> int:
        """The number of the page of the leaderboard that has the player."""
        return (self.rank - 1) // LEADERS_A_PAGE + 1 if self.rank else 1


@dataclass(frozen=True)
class Verdict:
    """What a finished solo game is worth to its player, and the scores to beat.

    A free game is compared with free games, and an attempt at a daily deal with the attempts at this deal and
    the player's attempts at others. Practice is compared with the attempts, but has nothing to beat.
    """

    score: int
    great_score: int  # a score below it is great
    own_best: int | None  # of the player's other games of this kind that count
    counts: bool
    leader_name: str  # empty while nobody is on the leaderboard
    leader_score: int | None
    is_leader: bool
    rank: int | None  # of a free game on the board of today, if it is of today; of an attempt on its deal
    histogram: Histogram | None
    share_text: str
    about_shared_score: str

    @property
    def is_great(self) -> bool:
        return self.score < self.great_score

    @property
    def points_to_great(self) -> int:
        return self.score - self.great_score + 1

    @property
    def is_new_best(self) -> bool:
        """Whether the game beats all other games of its player that count."""
        return self.counts and self.own_best is not None and self.score < self.own_best

    @property
    def points_better(self) -> int:
        return (self.own_best or 0) - self.score


def leaderboard_of(period: str = "", measure: str = "", kind: str = "") -> LeaderboardKey:
    """Return the board of this measure over the present period; best scores of all free games by default."""
    named_period = Standing.Period(period) if period in Standing.Period else Standing.Period.ALL
    named_measure = measure if measure in Standing.Measure else Standing.Measure.BEST
    named_kind = kind if kind in RANKED_KINDS else SoloResult.Kind.FREE
    return LeaderboardKey(named_kind, named_measure, named_period, named_period.start(timezone.now()))


def leaderboard(
    viewer: Viewer,
    board: LeaderboardKey,
    page: int | str = 1,
    size: int = LEADERS_A_PAGE,
    *,
    circle: Collection[int] | None = None,
) -> Leaderboard:
    """Return one page of a board, and the viewer's own row wherever it is.

    With a `circle`, only the people with these ids are ranked.
    """
    listed = Standing.objects.on(board).listed().best_first().select_related("user", "game")
    listed = listed if circle is None else listed.filter(user__in=circle)
    shown = LongPaginator(listed, size).get_page(page)
    leaders = [_leader(row, rank, viewer) for rank, row in enumerate(shown, shown.start_index())]
    own = None if any(leader.is_you for leader in leaders) else _own_row(viewer, board, circle)
    if board.kind == SoloResult.Kind.DAILY:
        leaders = _without_secret_links(leaders, viewer)
    return Leaderboard(board, leaders, own, shown)


def _without_secret_links(leaders: list[Leader], viewer: Viewer) -> list[Leader]:
    """Remove the links to games of others on the deal of today, if the deal is a secret for `viewer`."""
    daily = DailyDeal.objects.filter(day=today()).first()
    if daily is None or knows_deal(viewer, daily):
        return leaders
    return [
        replace(leader, url="") if leader.daily_id == daily.pk and not leader.is_you else leader
        for leader in leaders
    ]


def verdict(game: Game, viewer: Viewer) -> Verdict | None:
    """Return the verdict on a solo game for its player; None for other viewers, and without a score."""
    if not isinstance(viewer, User) or game.score is None or not game.seats.filter(user=viewer).exists():
        return None
    solo_pages = title_named(game.title).solo_pages
    own = Verdict(
        score=game.score,
        great_score=solo_pages.great_score,
        own_best=None,
        counts=game.is_without_hints and not game.is_only_practice,
        leader_name="",
        leader_score=None,
        is_leader=False,
        rank=None,
        histogram=histogram(game),
        share_text=share_text(game),
        about_shared_score=solo_pages.about_shared_score,
    )
    if game.is_only_practice:
        return own
    kind = SoloResult.Kind.DAILY if game.daily else SoloResult.Kind.FREE
    others = SoloResult.objects.counted().filter(user=viewer, kind=kind).exclude(game=game)
    board = leaderboard_of_day(game.daily.day) if game.daily else leaderboard_of()
    first = Standing.objects.on(board).listed().best_first().select_related("user").first()
    return replace(
        own,
        own_best=others.aggregate(best=Min("score"))["best"],
        leader_name=first.user.username if first else "",
        leader_score=round(first.score) if first else None,
        is_leader=first is not None and first.user_id == viewer.pk,
        rank=_rank_of(game, board if game.daily else leaderboard_of("day"), viewer),
    )


def solo_standing(person: Viewer) -> SoloStanding | None:
    """Return what a person has reached; None before their first game that counts, and for visitors."""
    if not isinstance(person, User):
        return None
    best = Standing.objects.on(leaderboard_of()).filter(user=person).select_related("user").first()
    if best is None:
        return None
    results = _free_results(person)
    latest = results.order_by("-ended_at")[:LATEST_FOR_AVERAGE]
    return SoloStanding(
        played=best.played,
        best=round(best.score),
        mean=round(results.aggregate(mean=Avg("score"))["mean"]),
        latest_mean=round(latest.aggregate(mean=Avg("score"))["mean"]),
        rank=_rank(best) if best.is_listed else None,
    )


def _free_results(person: User) -> SoloResultQuerySet:
    """Return a person's results that count, without those on daily deals."""
    return SoloResult.objects.counted().filter(user=person, kind=SoloResult.Kind.FREE)


def _rank_of(game: Game, board: LeaderboardKey, player: User) -> int | None:
    """Return the rank of a player on the board of a day, if this game is one of its results."""
    result = SoloResult.objects.filter(game=game, user=player, kind=board.kind).first()
    if result is None or not result.counts or Standing.Period.DAY.start(result.ended_at) != board.starts_on:
        return None
    own = Standing.objects.on(board).listed().filter(user=player).first()
    return _rank(own) if own else None


def _own_row(viewer: Viewer, board: LeaderboardKey, circle: Collection[int] | None) -> Leader | None:
    if not isinstance(viewer, User):
        return None
    own = Standing.objects.on(board).filter(user=viewer).select_related("user", "game").first()
    return _leader(own, _rank(own, circle), viewer) if own else None


def _rank(standing: Standing, circle: Collection[int] | None = None) -> int:
    """Return the rank of a standing; of one that is not listed, the rank that it would have."""
    listed = Standing.objects.on(standing.board).listed()
    listed = listed if circle is None else listed.filter(user__in=circle)
    return listed.better_than(standing).count() + 1


def _leader(standing: Standing, rank: int, viewer: Viewer) -> Leader:
    return Leader(
        rank=rank,
        name=standing.user.username,
        score=standing.score,
        tie_break=standing.tie_break,
        played=standing.played,
        reached_at=standing.reached_at,
        url=standing.game.get_absolute_url() if standing.game else "",
        is_you=standing.user_id == viewer.pk,
        is_listed=standing.is_listed,
        daily_id=standing.game.daily_id if standing.game else None,
    )


def circle_of(viewer: Viewer) -> list[int]:
    """Return the ids of the viewer and of the people whom they follow."""
    followed = Follow.objects.filter(user=viewer.pk).values_list("followed", flat=True)
    return [*followed, *([viewer.pk] if viewer.pk else [])]


def rating_list(
    viewer: Viewer, title: str, page: int | str = 1, *, circle: Collection[int] | None = None
) -> RatingList:
    """Return one page of the players of a title with enough rated games, and the viewer's own row.

    With a `circle`, only the people with these ids are ranked.
    """
    listed = PlayerRating.objects.listed(title).best_first().select_related("user")
    listed = listed if circle is None else listed.filter(user__in=circle)
    shown = LongPaginator(listed, LEADERS_A_PAGE).get_page(page)
    players = [_player(row, rank, viewer) for rank, row in enumerate(shown, shown.start_index())]
    own = None
    if isinstance(viewer, User) and not any(row.is_you for row in players):
        own = rated_players(viewer, circle, title=title).get(title)
    return RatingList(players, own, shown)


def rated_players(
    person: User, circle: Collection[int] | None = None, **lookup: str
) -> dict[str, RatedPlayer]:
    """Return a person with their rating and rank, by title; without those before their first rated game."""
    rows = PlayerRating.objects.filter(user=person, games__gt=0, **lookup).select_related("user")
    return {row.title: _player(row, _rating_rank(row, circle), person) for row in rows}


def _rating_rank(rating: PlayerRating, circle: Collection[int] | None) -> int | None:
    """Return the rank of a rating; None if it is not listed."""
    listed = PlayerRating.objects.listed(rating.title)
    listed = listed if circle is None else listed.filter(user__in=circle)
    return listed.better_than(rating).count() + 1 if rating.is_listed else None


def _player(row: PlayerRating, rank: int | None, viewer: Viewer) -> RatedPlayer:
    return RatedPlayer(rank, row.user.username, row.value, row.user_id == viewer.pk)
