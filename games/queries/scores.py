"""Solo scores and ratings as charts, and scores as a table."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count
from django.utils.translation import gettext as _

from accounts.models import User, Viewer
from games.models import Game, RatingChange, ScoreCount, SoloResult, Standing, leaderboard_of_day
from games.shown.charts import number
from games.titles.registry import title_with
from games.titles.talents import Talent

LEAST_FOR_HISTOGRAM = 10  # other results
MOST_BARS = 24
STEPS = (5, 10, 20, 50, 100, 200, 500, 2_000, 20_000)  # of scales, in points
SHOWN_OVER_TIME = 50
LEAST_OVER_TIME = 3
MOST_GRID_LINES = 5


class Bar(NamedTuple):
    """A bar of a histogram, in a box of 100 by 100 with its origin at the top left."""

    x: str
    width: str
    y: str
    height: str
    is_own: bool


@dataclass(frozen=True)
class Histogram:
    """How often each score was reached, with one score marked. `better_than` is in per cent of the others."""

    bars: Sequence[Bar]
    score: int
    own_x: str
    lowest: int
    highest: int
    others: int
    better_than: int


@dataclass(frozen=True)
class OwnHistogram:
    """How often one player has reached each score."""

    bars: Sequence[Bar]
    lowest: int
    highest: int
    best: int
    games: int


class GridLine(NamedTuple):
    """A horizontal line of a chart: its score, and its distance from the top in per cent of the height."""

    score: int
    y: str


class Point(NamedTuple):
    """A result on a chart, in a box of 100 by 100."""

    x: str
    y: str
    is_best: bool


@dataclass(frozen=True)
class OverTime:
    """The latest scores or ratings of one player, the oldest first, as an SVG path in a box of 100 by 100."""

    path: str
    points: Sequence[Point]
    grid: Sequence[GridLine]
    best: int
    since: datetime
    until: datetime


def histogram(game: Game) -> Histogram | None:
    """Return the scores to compare a solo game with, its own one marked; None while there are few others.

    They are those of all free games that count or, for a game on a daily deal, those on the board of its day.
    """
    result = SoloResult.objects.filter(game=game).first()
    if result is None:
        return None
    if game.daily is None:
        counts = dict(
            ScoreCount.objects.filter(kind=result.kind, number__gt=0).values_list("score", "number")
        )
        is_among_them = result.counts
    else:
        listed = Standing.objects.on(leaderboard_of_day(game.daily.day)).listed()
        # An order would be a part of the groups. On a board of one day, scores are whole numbers.
        found = listed.order_by().values_list("score").annotate(number=Count("pk"))
        counts = {round(score): number for score, number in found}
        is_among_them = listed.filter(user=result.user_id, game=game).exists()
    others = sum(counts.values()) - is_among_them
    if others < LEAST_FOR_HISTOGRAM:
        return None
    bars, first, width = _bars(counts | {result.score: counts.get(result.score, 0)}, result.score)
    return Histogram(
        bars=bars,
        score=result.score,
        own_x=number(100 * (result.score // width - first + 0.5) / len(bars)),
        lowest=first * width,
        highest=(first + len(bars)) * width - 1,
        others=others,
        better_than=100 * sum(times for score, times in counts.items() if score > result.score) // others,
    )


def own_histogram(person: User) -> OwnHistogram | None:
    """Return how often a person has reached each score in free games that count; None while there are few."""
    results = SoloResult.objects.counted().filter(user=person, kind=SoloResult.Kind.FREE)
    counts = Counter(results.values_list("score", flat=True))
    if counts.total() < LEAST_FOR_HISTOGRAM:
        return None
    best = min(counts)
    bars, first, width = _bars(counts, best)
    return OwnHistogram(
        bars=bars,
        lowest=first * width,
        highest=(first + len(bars)) * width - 1,
        best=best,
        games=counts.total(),
    )


def _bars(counts: Mapping[int, int], own: int) -> tuple[list[Bar], int, int]:
    """Return the bars for these numbers of scores, the first one's place on the scale, and its step.

    The bar with the score `own` is marked.
    """
    width = next(step for step in STEPS if max(counts) // step - min(counts) // step < MOST_BARS)
    first, last = min(counts) // width, max(counts) // width
    heights = [
        sum(times for score, times in counts.items() if score // width == place)
        for place in range(first, last + 1)
    ]
    bars = [
        Bar(
            x=number(100 * nth / len(heights)),
            width=number(100 / len(heights)),
            y=number(100 - 100 * height / max(heights)),
            height=number(100 * height / max(heights)),
            is_own=first + nth == own // width,
        )
        for nth, height in enumerate(heights)
    ]
    return bars, first, width


def scores_over_time(person: Viewer) -> OverTime | None:
    """Return a person's latest scores in free games that count; None while there are few."""
    if not isinstance(person, User):
        return None
    results = SoloResult.objects.counted().filter(user=person, kind=SoloResult.Kind.FREE)
    latest = list(results.order_by("-ended_at").values_list("score", "ended_at")[:SHOWN_OVER_TIME])[::-1]
    return over_time(latest, min)


def ratings_over_time(person: User, title: str) -> OverTime | None:
    """Return a person's ratings after their latest rated games of a title; None while there are few."""
    changes = RatingChange.objects.filter(user=person, game__title=title).order_by("-ended_at", "-game")
    latest = list(changes.values_list("mean", "ended_at")[:SHOWN_OVER_TIME])[::-1]
    return over_time([(round(mean), ended_at) for mean, ended_at in latest], max)


def over_time(
    latest: Sequence[tuple[int, datetime]], best_of: Callable[[Sequence[int]], int]
) -> OverTime | None:
    """Return a chart of numbers and when each was reached, the oldest first; None while there are few."""
    if len(latest) < LEAST_OVER_TIME:
        return None
    scores = [score for score, _ended_at in latest]
    best, lowest = best_of(scores), min(scores)
    step = next(step for step in STEPS if (max(scores) - lowest) / step <= MOST_GRID_LINES - 2)
    bottom, top = lowest // step * step, (max(scores) // step + 1) * step
    points = [
        Point(number(100 * nth / (len(scores) - 1)), _y(score, bottom, top), score == best)
        for nth, score in enumerate(scores)
    ]
    return OverTime(
        path="M" + "L".join(f"{point.x} {point.y}" for point in points),
        points=points,
        grid=[GridLine(score, _y(score, bottom, top)) for score in range(bottom, top + 1, step)],
        best=best,
        since=latest[0][1],
        until=latest[-1][1],
    )


def results_table(user: User, absolute: Callable[[str], str]) -> Iterator[Sequence[object]]:
    """Yield the rows of a table of all solo results of a player: a heading, then the oldest first.

    `absolute` returns the whole address for the path of a game.
    """
    solo_pages = title_with(Talent.SOLO).solo_pages
    ties = [solo_pages.tie_break_name] if solo_pages.tie_break else []
    yield _("Ended (UTC)"), _("Score"), *ties, _("Deal"), _("With hints"), _("Game")
    for result in SoloResult.objects.filter(user=user).order_by("ended_at").select_related("game"):
        yield (
            f"{result.ended_at:%Y-%m-%d %H:%M}",
            result.score,
            *[result.tie_break for _tie in ties],
            result.get_kind_display(),
            "" if result.is_without_hints else _("yes"),
            absolute(result.game.get_absolute_url()),
        )


def _y(score: int, bottom: int, top: int) -> str:
    return number(100 * (top - score) / (top - bottom))
