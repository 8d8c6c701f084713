"""A review as its page shows it: the chart, the key turns, and what every turn gave away."""

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
from games.reviews.chart import Chart, Point, chance_chart, score_chart
from games.reviews.key_turns import KeyTurn, Mistake, key_turn
from games.reviews.worth import describe_loss, format_worth

MOST_KEY_TURNS = 3


@dataclass(frozen=True)
class JudgedTurn:
    """An action, and how it compares with the best one.

    `worth` belongs to the best action, and `loss` is how much of it was given away. Both are None if the
    action was not judged.
    """

    number: int
    person: Person | None  # none for a cancel, which all make together
    action: Place | Refill | None  # none for a resignation or a cancel
    best: Place | Refill | None
    worth: Worth | None
    loss: Worth | None
    query: str
    nth: int = 0  # number of a key turn among the key turns; 0 for other turns

    @property
    def did(self) -> str:
        """What was played."""
        if self.action:
            return describe_action(self.action)
        return _("left the game") if self.person else _("called off the game")

    @property
    def better(self) -> str:
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
        """What was given away, such as "12%" or "3"; empty for nothing."""
        return format_worth(self.loss) if self.loss and self.is_mistake else ""


@dataclass(frozen=True)
class Tally:
    """How well a person played in the whole game, in words."""

    person: Person
    best: str
    lost: str


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
        """Whether the expert could judge any turn."""
        return any(turn.worth is not None for turn in self.turns)

    @property
    def unjudged(self) -> int:
        """How many place and refill actions the expert could not judge."""
        return sum(turn.worth is None and turn.action is not None for turn in self.turns)


def build_review(view: GameView, judged: Sequence[Mapping[str, object]]) -> ShownReview:
    """Return the review of a finished game; `judged` has the stored judgement of each action."""
    most = _most(judged)
    turns = [
        _turn(number, judgement, view, nth=most.get(number, 0)) for number, judgement in enumerate(judged, 1)
    ]
    key_turns = [turn for turn in turns if turn.nth]
    return ShownReview(
        is_solo=view.is_solo,
        chart=(_chart_of_score if view.is_solo else _chart_of_chances)(turns, key_turns, view),
        key_turns=[key_turn(_mistake(turn), view) for turn in key_turns],
        turns=turns,
        tallies=[_tally(person, turns, view.is_solo) for person in view.people] if turns else [],
    )


def _most(judged: Sequence[Mapping[str, object]]) -> dict[int, int]:
    """Return the numbers of the turns that gave away most, each with its number among them in game order."""
    lost = {
        number: turn["lost"] for number, turn in enumerate(judged, 1) if isinstance(turn["lost"], float | int)
    }
    most = sorted((number for number in lost if lost[number]), key=lambda number: -lost[number])
    return {number: nth for nth, number in enumerate(sorted(most[:MOST_KEY_TURNS]), 1)}


def _turn(number: int, judgement: Mapping[str, object], view: GameView, nth: int) -> JudgedTurn:
    step = view.steps[number - 1]
    action = step.action
    best = judgement["best"] and action_from_json(judgement["best"])
    return JudgedTurn(
        number=number,
        person=None if step.seat is None else view.people[step.seat],
        action=action if isinstance(action, Place | Refill) else None,
        best=best if isinstance(best, Place | Refill) else None,
        worth=_worth(judgement["value"], view),
        loss=_worth(judgement["lost"], view),
        query=page_query(number) if number < view.version else "",
        nth=nth,
    )


def _worth(stored: object, view: GameView) -> Worth | None:
    return worth_from_float(view.start.setup.mode, stored) if isinstance(stored, float | int) else None


def _mistake(turn: JudgedTurn) -> Mistake:
    assert turn.action and turn.best and turn.worth and turn.loss  # noqa: PT018 (one fact)
    compared = (
        _("Chance to win: %(better)s with the better turn, %(played)s with this one.")
        if isinstance(turn.worth, Chance)
        else _("Score to expect: %(better)s with the better turn, %(played)s with this one.")
    )
    played = turn.worth.after(turn.loss)
    return Mistake(
        nth=turn.nth,
        number=turn.number,
        played=turn.action,
        better=turn.best,
        gave_away=describe_loss(turn.loss),
        compared=compared % {"better": format_worth(turn.worth), "played": format_worth(played)},
        query=page_query(turn.number - 1),
    )


def _chart_of_score(turns: Sequence[JudgedTurn], key_turns: Sequence[JudgedTurn], view: GameView) -> Chart:
    points, over = _points(turns, view.version), view.game_over
    if over and over.score is not None:
        points.append(Point(100.0, Score(float(over.score))))
    return score_chart(points, view.people[0], _points(key_turns, view.version), view.version)


def _chart_of_chances(turns: Sequence[JudgedTurn], key_turns: Sequence[JudgedTurn], view: GameView) -> Chart:
    """Return a chart with one line for each player, or the first player's line only in a game for two."""
    last, over, people = view.version, view.game_over, view.people
    is_shared = len(people) == 2
    lines = []
    for person in people[:1] if is_shared else people:
        points = _points([turn for turn in turns if is_shared or turn.person == person], last, is_shared)
        if over and over.winner is not None:
            points.append(Point(100.0, Chance(float(over.winner == person.seat))))
        lines.append((person, points))
    return chance_chart(lines, _points(key_turns, last, is_shared), last, people if is_shared else ())


def _points(turns: Sequence[JudgedTurn], last: int, is_shared: bool = False) -> list[Point]:
    """Return the points of turns; a line that two players share shows the first player's chance."""
    points = []
    for turn in turns:
        worth = turn.worth
        if worth is None:
            continue
        if isinstance(worth, Chance) and is_shared and turn.person and turn.person.seat == 1:
            worth = worth.for_opponent()
        points.append(Point(100 * (turn.number - 1) / last, worth))
    return points


def _tally(person: Person, turns: Sequence[JudgedTurn], is_solo: bool) -> Tally:
    lost = [turn.loss.whole for turn in turns if turn.person == person and turn.loss]
    best = ngettext(
        "%(best)d of %(count)d turn as good as the best",
        "%(best)d of %(count)d turns as good as the best",
        len(lost),
    ) % {"best": sum(not one for one in lost), "count": len(lost)}
    if is_solo:
        return Tally(person, best, describe_loss(Score(float(sum(lost)))))
    mean = sum(lost) / len(lost) if lost else 0
    loss = _("gave away %(percent)s%% a turn") % {"percent": number_format(mean, decimal_pos=1)}
    return Tally(person, best, loss)
