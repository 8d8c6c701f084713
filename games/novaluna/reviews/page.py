"""A review as its page shows it: the chart, the key actions, and the loss of every action."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.novaluna.board.events import describe_action
from games.novaluna.board.game_view import GameView
from games.novaluna.board.reviewed import describe_better
from games.novaluna.board.worth import compare_worths, describe_loss, format_worth
from games.novaluna.bots.face import Chance, Score, Worth, worth_from_float
from games.novaluna.engine import Place, Refill, Resign, action_from_json
from games.novaluna.reviews.chart import Chart, Mark, Point, draw_chance_chart, draw_score_chart, spread
from games.novaluna.reviews.key_actions import KeyAction, Mistake, build_key_action
from games.novaluna.reviews.luck import ShownLuck, build_luck
from games.shown.history import changes_after
from games.shown.leaving import describe_reason
from games.shown.past_clocks import action_time
from games.shown.words import describe_level
from games.titles.actions import TakeBack
from games.titles.people import Person

MAX_KEY_ACTIONS = 3
NOTHING: Mapping[int, str] = {}
# The viewer's own losses come before larger ones of others from this part of the largest loss on.
LEAST_OWN_LOSS = 0.25
# A game is decided if the player to move wins, or loses, with at most this chance in per cent.
MAX_CHANCE_DECIDED = 3


@dataclass(frozen=True)
class JudgedAction:
    """An action compared with the best one.

    `worth` belongs to the best action, and `loss` is how much of it was given away. Both are None if the
    action was not judged. `line` has the actions that the expert expects after the best one.
    """

    number: int
    person: Person | None  # None for a cancel, which belongs to no seat
    action: Place | Refill | None  # None for a resignation or a cancel
    best: Place | Refill | None
    worth: Worth | None
    loss: Worth | None
    line: tuple[Place | Refill, ...]
    caretaker: str = ""  # the level of the bot that made the action for a person
    other: str = ""  # of an action without a tile, in words; empty for a cancel
    is_key: bool = False  # whether it is one of those that mattered most
    luck: str = ""  # of the tiles that the action revealed, in few words, if it was large
    is_taken_back: bool = False  # then it is not judged
    changes: tuple[str, ...] = ()  # who plays a seat since then, and outages before the next action, in words
    time: str = ""  # how long the action took and what was left then, in words; empty without a clock
    has_failed: bool | None = None  # whether the search failed if it is not judged; None in earlier versions

    @property
    def action_text(self) -> str:
        """The action in words."""
        if self.action:
            return describe_action(self.action)
        return self.other or _("The players agreed to cancel the game")

    @property
    def better_text(self) -> str:
        """The better action, in words; empty if there was none."""
        return describe_better(self.best, self.action) if self.best and self.is_mistake else ""

    @property
    def is_decided(self) -> bool:
        """Whether the player hardly had a chance, or could hardly lose and did not throw the game away."""
        worth, lost = self.worth, self.loss.whole if self.loss else 0
        if not isinstance(worth, Chance):
            return False
        is_won = 100 - worth.whole <= MAX_CHANCE_DECIDED and lost <= MAX_CHANCE_DECIDED
        return is_won or worth.whole <= MAX_CHANCE_DECIDED

    @property
    def is_mistake(self) -> bool:
        """Whether the action gave something away."""
        return self.loss is not None and self.loss.value > 0

    @property
    def worth_text(self) -> str:
        """The worth of the best action, such as "35%" or "92"; a dash if the action was not judged."""
        return format_worth(self.worth) if self.worth else "–"

    @property
    def change_text(self) -> str:
        """The worth before the action and after it, such as "99% → 88%", or the worth if it lost nothing."""
        if not self.worth or not self.loss or not self.is_mistake:
            return self.worth_text
        return f"{self.worth_text} → {format_worth(self.worth.after(self.loss))}"

    @property
    def loss_text(self) -> str:
        """The loss in points of the chance or of the score, such as "12"; empty if nothing was given away."""
        return str(self.loss.whole) if self.loss and self.is_mistake else ""


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


def judged_actions(
    view: GameView, judgements: Sequence[Mapping[str, object]], lucky_reveals: Mapping[int, str] = NOTHING
) -> list[JudgedAction]:
    """Return every action with its judgement, and in words how lucky it was, for those in `lucky_reveals`."""
    keys = _key_actions(judgements, view)
    return [
        _build_action(number, judgement, view, number in keys, lucky_reveals.get(number, ""))
        for number, judgement in enumerate(judgements, 1)
    ]


def points_on(chart: Chart, actions: Sequence[JudgedAction]) -> Sequence[tuple[JudgedAction, Mark]]:
    """Return the actions that a chart shows, with their places on it; key actions are apart."""
    marks = spread(chart.marks, {judged.number for judged in actions if judged.is_key})
    return [(judged, marks[judged.number]) for judged in actions if judged.number in marks]


def draw_chart(actions: Sequence[JudgedAction], view: GameView) -> Chart:
    """Return the chart of a review."""
    return (_build_score_chart if view.is_solo else _build_chance_chart)(actions, view)


def _losses_of_seats(view: GameView, judgements: Sequence[Mapping[str, object]]) -> Mapping[int, int]:
    """Return what the actions of each seat lost, in points as the rows of the table show them."""
    losses: Counter[int] = Counter()
    for step, judgement in zip(view.steps, judgements, strict=False):
        loss = _read_worth(judgement["lost"], view)
        if loss and step.seat is not None:
            losses[step.seat] += loss.whole
    return losses


def _key_actions(judgements: Sequence[Mapping[str, object]], view: GameView) -> Collection[int]:
    """Return the numbers of the actions with the largest losses.

    People come to learn from their own mistakes, so these count before those of others.
    """
    losses = {
        number: judgement["lost"]
        for number, judgement in enumerate(judgements, 1)
        if isinstance(judgement["lost"], float | int) and judgement["lost"]
    }
    least_own = LEAST_OWN_LOSS * max(losses.values(), default=0)

    def is_own(number: int) -> bool:
        seat = view.steps[number - 1].seat
        return seat is not None and view.people[seat].is_you and losses[number] >= least_own

    worst_first = sorted(losses, key=lambda number: (is_own(number), losses[number]), reverse=True)
    return worst_first[:MAX_KEY_ACTIONS]


def _build_action(
    number: int, judgement: Mapping[str, object], view: GameView, is_key: bool, luck: str
) -> JudgedAction:
    step = view.steps[number - 1]
    action = step.action
    best = judgement["best"] and action_from_json(judgement["best"])
    return JudgedAction(
        number=number,
        person=None if step.seat is None else view.as_played(number).people[step.seat],
        action=action if isinstance(action, Place | Refill) else None,
        best=best if isinstance(best, Place | Refill) else None,
        worth=_read_worth(judgement["value"], view),
        loss=_read_worth(judgement["lost"], view),
        line=_read_line(judgement),
        caretaker=describe_level(view.caretaker_at(number)),
        other=_describe_other(action),
        is_key=is_key,
        luck=luck,
        is_taken_back=number in view.numbers_taken_back,
        changes=changes_after(number, view),
        time=time.time if (time := action_time(number, view)) else "",
        has_failed=None if (failed := judgement.get("failed")) is None else bool(failed),
    )


def _describe_other(action: object) -> str:
    """Return what happened without a tile in a few words; empty for a cancel."""
    if isinstance(action, TakeBack):
        return _("took back action %(number)d") % {"number": action.to + 1}
    return describe_reason(action.reason) if isinstance(action, Resign) else ""


def _read_worth(stored: object, view: GameView) -> Worth | None:
    return worth_from_float(view.start.setup.mode, stored) if isinstance(stored, float | int) else None


def _read_line(judgement: Mapping[str, object]) -> tuple[Place | Refill, ...]:
    """Return the expected actions of a judgement; none in judgements of earlier versions."""
    line = judgement.get("line") or ()
    assert isinstance(line, Sequence)
    actions = map(action_from_json, line)
    return tuple(action for action in actions if isinstance(action, Place | Refill))


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
        comparison=compare_worths(judged.worth, judged.worth.after(judged.loss), judged.person.name),
    )


def _build_score_chart(actions: Sequence[JudgedAction], view: GameView) -> Chart:
    points, over = _points_of(actions, view.version), view.game_over
    if over and over.score is not None and len(actions) == view.version:
        points.append(Point(100.0, Score(float(over.score))))
    return draw_score_chart(points, view.people[0], view.version)


def _build_chance_chart(actions: Sequence[JudgedAction], view: GameView) -> Chart:
    """Return a chart of chances. In a game for two, its one line shows the first player's chance."""
    last_action, over, people = view.version, view.game_over, view.people
    is_shared = len(people) == 2
    lines = []
    for person in people[:1] if is_shared else people:
        points = _points_of(
            [judged for judged in actions if is_shared or judged.person == person], last_action, is_shared
        )
        if over and over.winner is not None and len(actions) == view.version:
            points.append(Point(100.0, Chance(float(over.winner == person.seat))))
        lines.append((person, points))
    return draw_chance_chart(lines, last_action, people if is_shared else ())


def _points_of(actions: Sequence[JudgedAction], last_action: int, is_shared: bool = False) -> list[Point]:
    """Return a point for each action that was judged; a shared line shows the first player's chance."""
    points = []
    for judged in actions:
        worth = judged.worth
        if worth is None:
            continue
        if isinstance(worth, Chance) and is_shared and judged.person and judged.person.seat == 1:
            worth = worth.for_opponent()
        points.append(Point(100 * (judged.number - 1) / last_action, worth, judged.number))
    return points


def _build_tally(person: Person, actions: Sequence[JudgedAction], is_solo: bool) -> Tally:
    own = [judged for judged in actions if judged.person == person and judged.loss]
    losses = [judged.loss.whole for judged in own if judged.loss]
    open_losses = [judged.loss.whole for judged in own if judged.loss and not judged.is_decided]
    best = ngettext(
        "Found the best action in %(best)d of %(count)d case",
        "Found the best action in %(best)d of %(count)d cases",
        len(open_losses),
    ) % {"best": open_losses.count(0), "count": len(open_losses)}
    decided = _describe_decided(len(losses) - len(open_losses))
    if is_solo:
        return Tally(person, best, decided, describe_loss(Score(float(sum(losses)))))
    # A turn takes one tile; a refill belongs to the turn of the tile after it.
    turns = sum(isinstance(judged.action, Place) for judged in own)
    mean = number_format(sum(losses) / max(turns, 1), decimal_pos=1)
    return Tally(
        person,
        best,
        decided,
        ngettext(
            "Lost %(total)d points of winning chance in %(turns)d turn: %(points)s per turn",
            "Lost %(total)d points of winning chance in %(turns)d turns: %(points)s per turn",
            turns,
        )
        % {"total": sum(losses), "turns": turns, "points": mean},
    )


def _describe_decided(count: int) -> str:
    """Return how many actions the count of best ones leaves out, in words; empty if none."""
    if not count:
        return ""
    return ngettext(
        "%(count)d more action does not count: the game seemed decided by then",
        "%(count)d more actions do not count: the game seemed decided by then",
        count,
    ) % {"count": count}
