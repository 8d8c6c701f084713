"""A review as its page shows it: the chart, the turns that mattered most, and what every turn gave away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.board.choice import page_query
from games.board.events import describe_action
from games.board.game_view import GameView, Person
from games.engine import Place, Refill, action_from_json
from games.reviews.chart import Chart, Point, chances, percent, scores
from games.reviews.key_turns import KeyTurn, Mistake, key_turn

MOST_KEY_TURNS = 3


@dataclass(frozen=True)
class JudgedTurn:
    """An action with what the expert thinks of it.

    `value` is the chance to win, or the score to expect, with the best action; `lost` how much of it was
    given away. Both are None for what was not judged.
    """

    number: int
    person: Person | None  # none for a cancel, which all make together
    action: Place | Refill | None  # none for a resignation or a cancel
    best: Place | Refill | None
    value: float | None
    lost: float | None
    is_solo: bool
    query: str
    nth: int = 0  # of the turns that mattered most

    @property
    def did(self) -> str:
        """What was played."""
        if self.action:
            return describe_action(self.action)
        return _("left the game") if self.person else _("called off the game")

    @property
    def better(self) -> str:
        """What would have been better; empty for nothing."""
        return describe_action(self.best) if self.best and self.lost else ""

    @property
    def whole_value(self) -> int:
        """The value in whole points or per cent."""
        return _whole(self.value or 0, self.is_solo)

    @property
    def whole_lost(self) -> int:
        """What was given away in whole points or per cent; other figures follow from it and the value."""
        return _whole(self.lost or 0, self.is_solo)

    @property
    def value_told(self) -> str:
        """The value as a figure."""
        return "–" if self.value is None else _figure(self.whole_value, self.is_solo)

    @property
    def lost_told(self) -> str:
        """What was given away, as a figure; empty for nothing."""
        return _figure(self.whole_lost, self.is_solo) if self.lost else ""


@dataclass(frozen=True)
class Tally:
    """How a person played, all in all."""

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
        """Whether the expert could judge anything."""
        return any(turn.value is not None for turn in self.turns)

    @property
    def unjudged(self) -> int:
        """How many turns the expert could not judge, though they were choices."""
        return sum(turn.value is None and turn.action is not None for turn in self.turns)


def build_review(view: GameView, judged: Sequence[Mapping[str, object]]) -> ShownReview:
    """Return the review of a finished game; `judged` has what is stored of each of its actions."""
    most = _most(judged)
    turns = [
        _turn(number, judgement, view, nth=most.get(number, 0)) for number, judgement in enumerate(judged, 1)
    ]
    key_turns = [turn for turn in turns if turn.nth]
    return ShownReview(
        is_solo=view.is_solo,
        chart=(_score_chart if view.is_solo else _chance_chart)(turns, key_turns, view),
        key_turns=[key_turn(_mistake(turn), view) for turn in key_turns],
        turns=turns,
        tallies=[_tally(person, turns, view.is_solo) for person in view.people] if turns else [],
    )


def _most(judged: Sequence[Mapping[str, object]]) -> dict[int, int]:
    """Return the numbers of the turns that gave the most away, each with its place among them in the game."""
    lost = {
        number: turn["lost"] for number, turn in enumerate(judged, 1) if isinstance(turn["lost"], float | int)
    }
    most = sorted((number for number in lost if lost[number]), key=lambda number: -lost[number])
    return {number: nth for nth, number in enumerate(sorted(most[:MOST_KEY_TURNS]), 1)}


def _turn(number: int, judgement: Mapping[str, object], view: GameView, nth: int) -> JudgedTurn:
    step = view.steps[number - 1]
    action, value, lost = step.action, judgement["value"], judgement["lost"]
    best = judgement["best"] and action_from_json(judgement["best"])
    return JudgedTurn(
        number=number,
        person=None if step.seat is None else view.people[step.seat],
        action=action if isinstance(action, Place | Refill) else None,
        best=best if isinstance(best, Place | Refill) else None,
        value=value if isinstance(value, float | int) else None,
        lost=lost if isinstance(lost, float | int) else None,
        is_solo=view.is_solo,
        query=page_query(number) if number < view.version else "",
        nth=nth,
    )


def _mistake(turn: JudgedTurn) -> Mistake:
    assert turn.action and turn.best and turn.value is not None and turn.lost  # noqa: PT018 (one fact)
    left = turn.whole_value + (turn.whole_lost if turn.is_solo else -turn.whole_lost)
    compared = (
        _("Score to expect: %(better)s with the better turn, %(played)s with this one.")
        if turn.is_solo
        else _("Chance to win: %(better)s with the better turn, %(played)s with this one.")
    )
    return Mistake(
        nth=turn.nth,
        number=turn.number,
        played=turn.action,
        better=turn.best,
        gave_away=_gave_away(turn.whole_lost, turn.is_solo),
        compared=compared % {"better": turn.value_told, "played": _figure(left, turn.is_solo)},
        query=page_query(turn.number - 1),
    )


def _whole(value: float, is_solo: bool) -> int:
    return round(value if is_solo else 100 * value)


def _figure(whole: int, is_solo: bool) -> str:
    return str(whole) if is_solo else percent(whole)


def _gave_away(lost: int, is_solo: bool) -> str:
    if not is_solo:
        return _("gave away %(percent)s") % {"percent": percent(lost)}
    return ngettext("gave away %(count)d point", "gave away %(count)d points", lost) % {"count": lost}


def _score_chart(turns: Sequence[JudgedTurn], key_turns: Sequence[JudgedTurn], view: GameView) -> Chart:
    points, over = _points(turns, view.version), view.game_over
    if over and over.score is not None:
        points.append((100.0, float(over.score)))
    return scores(points, view.people[0], _points(key_turns, view.version), view.version)


def _chance_chart(turns: Sequence[JudgedTurn], key_turns: Sequence[JudgedTurn], view: GameView) -> Chart:
    """Return one line for two people, that of the first; for more a line each, through their own turns."""
    last, over, people = view.version, view.game_over, view.people
    is_shared = len(people) == 2
    lines = []
    for person in people[:1] if is_shared else people:
        points = _points([turn for turn in turns if is_shared or turn.person == person], last, is_shared)
        if over and over.winner is not None:
            points.append((100.0, float(over.winner == person.seat)))
        lines.append((person, points))
    return chances(lines, _points(key_turns, last, is_shared), last, people if is_shared else ())


def _points(turns: Sequence[JudgedTurn], last: int, is_shared: bool = False) -> list[Point]:
    """Return the points of turns; on a line that two share those of the second are turned over."""
    return [
        (
            100 * (turn.number - 1) / last,
            1 - turn.value if is_shared and turn.person and turn.person.seat == 1 else turn.value,
        )
        for turn in turns
        if turn.value is not None
    ]


def _tally(person: Person, turns: Sequence[JudgedTurn], is_solo: bool) -> Tally:
    lost = [turn.whole_lost for turn in turns if turn.person == person and turn.lost is not None]
    best = ngettext(
        "%(best)d of %(count)d turn as good as the best",
        "%(best)d of %(count)d turns as good as the best",
        len(lost),
    ) % {"best": sum(not one for one in lost), "count": len(lost)}
    if is_solo:
        return Tally(person, best, _gave_away(sum(lost), is_solo))
    mean = sum(lost) / len(lost) if lost else 0
    told = _("gave away %(percent)s%% a turn") % {"percent": number_format(mean, decimal_pos=1)}
    return Tally(person, best, told)
