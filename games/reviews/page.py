"""A review as its page shows it: the chart, the key turns, and the loss of every turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.board.choice import page_query
from games.board.events import describe_action
from games.board.game_view import GameView, Person
from games.bots import Chance, Score, Worth, worth_from_float
from games.engine import Place, Refill, action_from_json
from games.reviews.chart import Chart, Point, draw_chance_chart, draw_score_chart
from games.reviews.key_turns import KeyTurn, Mistake, build_key_turn
from games.reviews.worth import describe_loss, format_worth

MAX_KEY_TURNS = 3


@dataclass(frozen=True)
class JudgedTurn:
    """An action compared with the best one.

    `worth` belongs to the best action, and `loss` is how much of it was given away. Both are None if the
    action was not judged.
    """

    number: int
    person: Person | None  # None for a cancel, which belongs to no seat
    action: Place | Refill | None  # None for a resignation or a cancel
    best: Place | Refill | None
    worth: Worth | None
    loss: Worth | None
    query: str  # of the game page that shows the position after the action
    key_number: int = 0  # number among the key turns, from 1; 0 for other turns

    @property
    def action_text(self) -> str:
        """The action in words."""
        if self.action:
            return describe_action(self.action)
        return _("left the game") if self.person else _("The game was cancelled")

    @property
    def better_text(self) -> str:
        """The better action, in words; empty if there was none."""
        return describe_action(self.best) if self.best and self.is_mistake else ""

    @property
    def is_mistake(self) -> bool:
        """Whether the action gave something away."""
        return self.loss is not None and self.loss.value > 0

    @property
    def worth_text(self) -> str:
        """The worth of the best action, such as "35%" or "92"; a dash if the action was not judged."""
        return format_worth(self.worth) if self.worth else "–"

    @property
    def loss_text(self) -> str:
        """The loss, such as "12%" or "3"; empty if nothing was given away."""
        return format_worth(self.loss) if self.loss and self.is_mistake else ""


@dataclass(frozen=True)
class Tally:
    """How well a player played in the whole game, in words."""

    person: Person
    best: str
    loss: str


@dataclass(frozen=True)
class ShownReview:
    """A finished review."""

    is_solo: bool
    chart: Chart
    key_turns: Sequence[KeyTurn]
    turns: Sequence[JudgedTurn]
    tallies: Sequence[Tally]

    @property
    def has_estimates(self) -> bool:
        """Whether the expert has judged any turn."""
        return any(turn.worth is not None for turn in self.turns)

    @property
    def unjudged_count(self) -> int:
        """How many place and refill actions the expert could not judge."""
        return sum(turn.worth is None and turn.action is not None for turn in self.turns)


def build_review(view: GameView, judgements: Sequence[Mapping[str, object]]) -> ShownReview:
    """Return the review of a finished game, given the stored judgement of each action."""
    key_numbers = _number_key_turns(judgements)
    turns = [
        _build_turn(number, judgement, view, key_number=key_numbers.get(number, 0))
        for number, judgement in enumerate(judgements, 1)
    ]
    key_turns = [turn for turn in turns if turn.key_number]
    return ShownReview(
        is_solo=view.is_solo,
        chart=(_build_score_chart if view.is_solo else _build_chance_chart)(turns, key_turns, view),
        key_turns=[build_key_turn(_build_mistake(turn), view) for turn in key_turns],
        turns=turns,
        tallies=[_build_tally(person, turns, view.is_solo) for person in view.people] if turns else [],
    )


def _number_key_turns(judgements: Sequence[Mapping[str, object]]) -> dict[int, int]:
    """Return {action number: number among the key turns, in game order} for the largest losses."""
    losses = {
        number: judgement["lost"]
        for number, judgement in enumerate(judgements, 1)
        if isinstance(judgement["lost"], float | int)
    }
    worst_first = sorted((number for number in losses if losses[number]), key=lambda number: -losses[number])
    key_turns = sorted(worst_first[:MAX_KEY_TURNS])
    return {number: key_number for key_number, number in enumerate(key_turns, 1)}


def _build_turn(number: int, judgement: Mapping[str, object], view: GameView, key_number: int) -> JudgedTurn:
    step = view.steps[number - 1]
    action = step.action
    best = judgement["best"] and action_from_json(judgement["best"])
    return JudgedTurn(
        number=number,
        person=None if step.seat is None else view.people[step.seat],
        action=action if isinstance(action, Place | Refill) else None,
        best=best if isinstance(best, Place | Refill) else None,
        worth=_read_worth(judgement["value"], view),
        loss=_read_worth(judgement["lost"], view),
        query=page_query(number) if number < view.version else "",
        key_number=key_number,
    )


def _read_worth(stored: object, view: GameView) -> Worth | None:
    return worth_from_float(view.start.setup.mode, stored) if isinstance(stored, float | int) else None


def _build_mistake(turn: JudgedTurn) -> Mistake:
    assert turn.action and turn.best and turn.worth and turn.loss  # noqa: PT018 (a mistake has all four)
    comparison = (
        _("Chance to win: %(better)s with the better action, %(played)s with this one.")
        if isinstance(turn.worth, Chance)
        else _("Expected score: %(better)s with the better action, %(played)s with this one.")
    )
    played = turn.worth.after(turn.loss)
    return Mistake(
        key_number=turn.key_number,
        number=turn.number,
        played=turn.action,
        better=turn.best,
        loss=describe_loss(turn.loss),
        comparison=comparison % {"better": format_worth(turn.worth), "played": format_worth(played)},
        query=page_query(turn.number - 1),
    )


def _build_score_chart(turns: Sequence[JudgedTurn], key_turns: Sequence[JudgedTurn], view: GameView) -> Chart:
    points, over = _points_of(turns, view.version), view.game_over
    if over and over.score is not None:
        points.append(Point(100.0, Score(float(over.score))))
    return draw_score_chart(points, view.people[0], _points_of(key_turns, view.version), view.version)


def _build_chance_chart(
    turns: Sequence[JudgedTurn], key_turns: Sequence[JudgedTurn], view: GameView
) -> Chart:
    """Return a chart of chances. In a game for two, its one line shows the first player's chance."""
    last_turn, over, people = view.version, view.game_over, view.people
    is_shared = len(people) == 2
    lines = []
    for person in people[:1] if is_shared else people:
        points = _points_of(
            [turn for turn in turns if is_shared or turn.person == person], last_turn, is_shared
        )
        if over and over.winner is not None:
            points.append(Point(100.0, Chance(float(over.winner == person.seat))))
        lines.append((person, points))
    return draw_chance_chart(
        lines, _points_of(key_turns, last_turn, is_shared), last_turn, people if is_shared else ()
    )


def _points_of(turns: Sequence[JudgedTurn], last_turn: int, is_shared: bool = False) -> list[Point]:
    """Return a point for each turn that was judged; a shared line shows the first player's chance."""
    points = []
    for turn in turns:
        worth = turn.worth
        if worth is None:
            continue
        if isinstance(worth, Chance) and is_shared and turn.person and turn.person.seat == 1:
            worth = worth.for_opponent()
        points.append(Point(100 * (turn.number - 1) / last_turn, worth))
    return points


def _build_tally(person: Person, turns: Sequence[JudgedTurn], is_solo: bool) -> Tally:
    losses = [turn.loss.whole for turn in turns if turn.person == person and turn.loss]
    best = ngettext(
        "chose the best action %(best)d of %(count)d time",
        "chose the best action %(best)d of %(count)d times",
        len(losses),
    ) % {"best": losses.count(0), "count": len(losses)}
    if is_solo:
        return Tally(person, best, describe_loss(Score(float(sum(losses)))))
    mean = sum(losses) / len(losses) if losses else 0
    loss = _("gave away %(percent)s%% per action") % {"percent": number_format(mean, decimal_pos=1)}
    return Tally(person, best, loss)
