"""A review as its page shows it: the chart, the key actions, and the loss of every action."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import ngettext

from games.novaluna.board.game_view import GameView
from games.novaluna.board.worth import compare_worths, describe_loss
from games.novaluna.bots.face import Score
from games.novaluna.engine import Place
from games.novaluna.reviews.chart import Chart, Mark
from games.novaluna.reviews.judged import JudgedAction, describe_keys, judged_actions, read_worth
from games.novaluna.reviews.key_actions import KeyAction, Mistake, build_key_action
from games.novaluna.reviews.luck import ShownLuck, build_luck
from games.novaluna.reviews.review_chart import draw_chart, points_on
from games.titles.people import Person


@dataclass(frozen=True)
class Tally:
    """How well a player played in the whole game, in words."""

    person: Person
    best: str
    decided: str  # how many actions do not count for it, because the game was decided; or empty
    loss: str


@dataclass(frozen=True)
class ShownReview:
    """A review: of all actions, or of the first ones while the expert goes on."""

    is_solo: bool
    is_whole: bool
    chart: Chart
    key_actions: Sequence[KeyAction]
    actions: Sequence[JudgedAction]
    tallies: Sequence[Tally]
    luck: ShownLuck | None

    @property
    def has_estimates(self) -> bool:
        """Whether the expert has judged any judged."""
        return any(judged.worth is not None for judged in self.actions)

    @property
    def opening_number(self) -> int:
        """The number of the first key action; of the first action if none lost anything."""
        return min((judged.number for judged in self.actions if judged.is_key), default=1)

    @property
    def whose_keys(self) -> str:
        """Whose the key actions are, as a heading."""
        return describe_keys(self.actions)

    @property
    def points(self) -> Sequence[tuple[JudgedAction, Mark]]:
        """The actions that the chart shows, with their places on it."""
        return points_on(self.chart, self.actions)

    @property
    def too_large_count(self) -> int:
        """How many actions the expert could not judge, because a display was too large."""
        return sum(judged.has_failed is False for judged in self._unjudged)

    @property
    def failed_count(self) -> int:
        """How many actions have no judgement, because their search failed."""
        return sum(judged.has_failed is True for judged in self._unjudged)

    @property
    def unexplained_count(self) -> int:
        """How many actions have no judgement in a review that did not store why."""
        return sum(judged.has_failed is None for judged in self._unjudged)

    @property
    def _unjudged(self) -> Sequence[JudgedAction]:
        """The place and refill actions without a judgement, except those taken back."""
        return [one for one in self.actions if one.worth is None and one.action and not one.is_taken_back]


def build_review(view: GameView, judgements: Sequence[Mapping[str, object]]) -> ShownReview:
    """Return the review of a finished game, given the judgements of its first actions or of all."""
    is_whole = len(judgements) == view.version
    luck = build_luck(view, judgements, _losses_of_seats(view, judgements)) if is_whole else None
    lucky_reveals = {reveal.number: reveal.label for reveal in luck.reveals} if luck else {}
    actions = judged_actions(view, judgements, lucky_reveals)
    return ShownReview(
        is_solo=view.is_solo,
        is_whole=is_whole,
        chart=draw_chart(actions, view),
        key_actions=[build_key_action(_build_mistake(judged), view) for judged in actions if judged.is_key],
        actions=actions,
        tallies=[_build_tally(person, actions, view.is_solo) for person in view.people] if actions else [],
        luck=luck,
    )


def _losses_of_seats(view: GameView, judgements: Sequence[Mapping[str, object]]) -> Mapping[int, int]:
    """Return what the actions of each seat lost, in points as the rows of the table show them."""
    losses: Counter[int] = Counter()
    for step, judgement in zip(view.steps, judgements, strict=False):
        loss = read_worth(judgement["lost"], view)
        if loss and step.seat is not None:
            losses[step.seat] += loss.whole
    return losses


def _build_mistake(judged: JudgedAction) -> Mistake:
    assert judged.action
    assert judged.best
    assert judged.worth
    assert judged.loss
    assert judged.person
    return Mistake(
        number=judged.number,
        played=judged.action,
        better=judged.best,
        line=judged.line,
        loss=judged.loss,
        comparison=compare_worths(judged.worth, judged.worth.after(judged.loss), judged.person),
    )


def _build_tally(person: Person, actions: Sequence[JudgedAction], is_solo: bool) -> Tally:
    own = [judged for judged in actions if judged.person == person and judged.loss]
    losses = [judged.loss.whole for judged in own if judged.loss]
    open_losses = [judged.loss.whole for judged in own if judged.loss and not judged.is_decided]
    best = ngettext(
        "Found the best action %(best)d of %(count)d time",
        "Found the best action %(best)d of %(count)d times",
        len(open_losses),
    ) % {"best": open_losses.count(0), "count": len(open_losses)}
    decided = _describe_decided(len(losses) - len(open_losses))
    if is_solo:
        return Tally(person, best, decided, describe_loss(Score(float(sum(losses)))))
    # A turn takes one tile; a refill belongs to the turn of the tile after it.
    turns = sum(isinstance(judged.action, Place) for judged in own)
    mean = number_format(sum(losses) / max(turns, 1), decimal_pos=1)
    lost = ngettext(
        "Lost %(total)d point of winning chance, %(points)s per turn",
        "Lost %(total)d points of winning chance, %(points)s per turn",
        sum(losses),
    )
    return Tally(person, best, decided, lost % {"total": sum(losses), "points": mean})


def _describe_decided(count: int) -> str:
    """Return how many actions the count of best ones leaves out, in words; empty if none."""
    if not count:
        return ""
    return ngettext(
        "%(count)d more action does not count: the game seemed decided by then",
        "%(count)d more actions do not count: the game seemed decided by then",
        count,
    ) % {"count": count}
