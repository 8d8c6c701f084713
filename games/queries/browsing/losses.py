"""Where a person gave most away, from the finished reviews of their games."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from accounts.models import User
from games.marked import gettext as _
from games.models import Action, Game, Review
from games.queries.people.results import ENOUGH
from games.queries.summaries import GameSummary, summaries
from games.titles.registry import has_talent, title_named
from games.titles.talents import Talent

MOST_REVIEWS = 200  # the latest ones
MOST_SHOWN = 5
DECIMALS = 2  # reviews show whole points, so that their sum is the same here
PHASES = 3  # parts of a game with the same number of actions


@dataclass(frozen=True)
class Loss:
    """An action that gave much away, in words."""

    summary: GameSummary
    number: int
    text: str


class Phase(NamedTuple):
    """What a person gave away in a part of a game on average, in words and in per cent of the largest."""

    name: str
    text: str
    percent: int


@dataclass(frozen=True)
class Losses:
    """What a person gave away in `games` reviewed games.

    `phases` are the thirds of a game, and `worst` the most costly actions. If there are none, `uncounted` is
    the number of reviewed games that do not count.
    """

    games: int = 0
    phases: Sequence[Phase] = ()
    worst: Sequence[Loss] = ()
    uncounted: int = 0

    @property
    def missing(self) -> int:
        """How many more reviewed games it takes to compare the thirds."""
        return max(0, ENOUGH - self.games)


NO_LOSSES = Losses()


def losses_of(viewer: User, title: str) -> Losses:
    """Return what a person gave away in the latest reviewed games of a title with others, by own actions.

    Games with hints or moves taken back do not count, as in the other statistics.
    There is nothing in titles whose losses have no words.
    """
    if not has_talent(title, Talent.TRAINER):
        return NO_LOSSES
    games = Game.objects.multiplayer().over().with_seat_of(viewer).filter(title=title)
    finished = Review.objects.filter(game__in=games, finished_at__isnull=False)
    counted = finished.filter(game__is_without_hints=True).order_by("-finished_at")
    reviews: dict[int, Sequence[Mapping[str, float | None]]] = dict(
        counted.values_list("game", "turns")[:MOST_REVIEWS]
    )
    if not reviews:
        return Losses(uncounted=finished.count())
    by_phase: defaultdict[int, float] = defaultdict(float)
    found: list[tuple[float, int, int]] = []
    actions = Action.objects.filter(game__in=list(reviews), made_by=viewer)
    for game, number in actions.values_list("game", "number").order_by():
        turns = reviews[game]
        loss = turns[number - 1]["lost"] or 0.0
        by_phase[(number - 1) * PHASES // len(turns)] += round(loss, DECIMALS)
        if loss > 0:
            found.append((loss, game, number))
    found = sorted(found, reverse=True)[:MOST_SHOWN]
    by_id = {
        one.game.pk: one
        for one in summaries(Game.objects.filter(pk__in=[game for _loss, game, _number in found]), viewer)
    }
    names = (_("First third"), _("Second third"), _("Last third"))
    describe = title_named(title).trainer_pages.describe_loss
    return Losses(
        len(reviews),
        [
            Phase(
                name,
                describe(by_phase[phase] / len(reviews), 2),
                round(100 * by_phase[phase] / (max(by_phase.values(), default=0) or 1)),
            )
            for phase, name in enumerate(names)
        ],
        [
            Loss(by_id[game], number, describe(loss, by_id[game].game.seat_count))
            for loss, game, number in found
        ],
    )
