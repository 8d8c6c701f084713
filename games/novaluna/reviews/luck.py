"""Mistakes and luck: which parts of a result they explain, and the luckiest reveals in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, hypot
from typing import Any, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.marked import MarkedText
from games.novaluna.board.game_view import GameView
from games.novaluna.board.worth import format_points
from games.novaluna.bots.face import Chance, Score
from games.novaluna.engine import Refill, Resign
from games.titles.people import Person

# Reviews with the luck of another version say nothing about luck.
VERSION = 1
# 95% of a normal distribution is within this many standard deviations of its mean.
Z_95 = 1.96
MOST_REVEALS = 2
# Smaller amounts of luck are not worth a sentence, in points of winning chance and of a solo score.
MIN_CHANCE = 5
MIN_SCORE = 2

# By whether it was lucky; texts also by whether it is a refill.
_LABELS = {True: _("Lucky for %(name)s: %(points)s"), False: _("Unlucky for %(name)s: %(points)s")}
_SOLO_LABELS = {True: _("Lucky: %(points)s"), False: _("Unlucky: %(points)s")}
_TEXTS = {
    (True, True): _("Lucky for %(name)s: these tiles gave them %(points)s."),
    (True, False): _("Unlucky for %(name)s: these tiles cost them %(points)s."),
    (False, True): _("Lucky for %(name)s: the deal gave them %(points)s."),
    (False, False): _("Unlucky for %(name)s: the deal cost them %(points)s."),
}
_SOLO_TEXTS = {
    (True, True): _("Lucky: these tiles saved %(points)s."),
    (True, False): _("Unlucky: these tiles cost %(points)s."),
    (False, True): _("Lucky: the deal saved %(points)s."),
    (False, False): _("Unlucky: the deal cost %(points)s."),
}
# The rest of a sum, by why somebody left the game.
_RESTS = {
    "absent": _("Rest and absence"),
    "time": _("Rest and lost time"),
    "resigned": _("Rest and resignation"),
}


class Reveal(NamedTuple):
    """The luck of the deal (number 0) or of a refill, in points of winning chance or of a solo score.

    For each seat: `expected` is its mean before the reveal, `gains` is how much it changed, and `errors` are
    the standard errors of that.
    """

    number: int
    expected: Sequence[float]
    gains: Sequence[float]
    errors: Sequence[float]

    @property
    def largest_gain(self) -> float:
        """How much the reveal changed for the seat for which it changed most."""
        return max(map(abs, self.gains))


class Part(NamedTuple):
    """A term of a sum, with the operator before it; `margin` is half of its 95% interval, 0 if exact."""

    operator: str
    name: str
    points: str
    margin: int = 0


@dataclass(frozen=True)
class PersonLuck:
    """The points that a player could expect before the deal, the `final` ones, and what lies between them.

    `mistakes` are the losses of the player's own actions, as the table of all actions has them. `gifts` are
    those of the opponent, and 0 in a solo game; None with several opponents, as nobody knows who got them.
    `margin` is half of the 95% interval of the luck. `verdict` is a sentence about luck.
    """

    person: Person
    expected: int
    final: int
    mistakes: int
    gifts: int | None
    luck: int
    margin: int
    verdict: str = ""
    leaving: str = ""  # why somebody left the game, which the rest counts

    @property
    def result(self) -> int:
        """The final points, compared with those expected before the deal."""
        return self.final - self.expected

    @property
    def play(self) -> int:
        """The part of the result that luck does not explain."""
        return self.result - self.luck

    @property
    def parts(self) -> Sequence[Part]:
        """The terms of the sum "expected + mistakes + luck + rest = final". The rest is as uncertain as luck.

        The rest is what is too small to be a mistake, what the expert did not foresee, and in a game of more
        than two, what others gave away.
        """
        explained, rest_name = [(gettext("Own mistakes"), self.mistakes)], gettext("Rest")
        if self.leaving:
            rest_name = str(_RESTS.get(self.leaving, _RESTS["resigned"]))
        if self.gifts:
            explained.append((gettext("Opponent's mistakes"), self.gifts))
        rest = self.play - sum(points for _name, points in explained)
        return [
            Part("", gettext("Before the deal"), str(self.expected)),
            *(Part("", name, _with_sign(points)) for name, points in explained),
            Part("", gettext("Luck"), _with_sign(self.luck), self.margin),
            Part("", rest_name, _with_sign(rest), self.margin),
            Part("=", gettext("Result"), str(self.final)),
        ]

    @property
    def is_lucky(self) -> bool | None:
        """Whether luck added points; None if it is too uncertain or 0."""
        return None if abs(self.luck) <= self.margin else self.luck > 0


@dataclass(frozen=True)
class LuckyReveal:
    """One of the reveals with most luck, as a sentence and in few words; `number` is 0 for the deal."""

    number: int
    text: str
    label: str


@dataclass(frozen=True)
class ShownLuck:
    """The mistakes and luck of all players. Before the deal, each could expect `expected` points."""

    people: Sequence[PersonLuck]
    reveals: Sequence[LuckyReveal]
    expected: int

    @property
    def about_rest(self) -> str:
        """What the rest of each sum is made of, as a sentence."""
        if any(person.gifts is None for person in self.people):
            return gettext(
                "The rest comes from others' mistakes, small losses, and what the expert did not expect."
            )
        return gettext("The rest comes from small losses, and from what the expert did not expect.")


def build_luck(
    view: GameView, judgements: Sequence[Mapping[str, object]], losses: Mapping[int, int]
) -> ShownLuck | None:
    """Return the mistakes and the luck of a finished game, given the stored judgement of each action.

    `losses` has for each seat what its actions lost, in whole points. None if the game has no result, or if
    the luck of a reveal is unknown, as in reviews of earlier versions.
    """
    results, reveals = _results_of(view), _read_reveals(view, judgements)
    if not results or not reveals:
        return None
    expected = reveals[0].expected
    left = [step.action for step in view.steps if isinstance(step.action, Resign)]
    leaving = left[-1].reason or "resigned" if left else ""
    return ShownLuck(
        people=[
            _build_person(
                person,
                results[person.seat],
                expected[person.seat],
                losses,
                reveals,
                leaving,
                is_solo=view.is_solo,
            )
            for person in view.people
        ],
        reveals=[_describe_reveal(reveal, view) for reveal in _luckiest(reveals, view.is_solo)],
        expected=round(expected[0]),
    )


def _results_of(view: GameView) -> Sequence[float]:
    """Return each player's result in points: 100 for a win and 0 for a loss, or the solo score."""
    over = view.game_over
    if over and over.score is not None:
        return [float(over.score)]
    if over and over.winner is not None and not view.is_solo:
        return [100.0 * (person.seat == over.winner) for person in view.people]
    return ()


def _read_reveals(view: GameView, judgements: Sequence[Mapping[str, Any]]) -> Sequence[Reveal]:
    """Return the luck of the deal and of each refill; nothing if the luck of one of them is unknown."""
    if not judgements:
        return ()
    stored = {0: judgements[0].get("deal")}
    for number, judgement in enumerate(judgements, 1):
        if isinstance(view.steps[number - 1].action, Refill):
            stored[number] = judgement.get("luck")
    if any(luck is None or luck["version"] != VERSION for luck in stored.values()):
        return ()
    scale = 1 if view.is_solo else 100
    return [_read_reveal(number, luck, scale) for number, luck in stored.items() if luck]


def _read_reveal(number: int, luck: Mapping[str, Any], scale: int) -> Reveal:
    before, after, errors = (
        [scale * value for value in luck[name]] for name in ("before", "after", "errors")
    )
    return Reveal(number, before, [new - old for old, new in zip(before, after, strict=True)], errors)


def _build_person(
    person: Person,
    final: float,
    expected: float,
    losses: Mapping[int, int],
    reveals: Sequence[Reveal],
    leaving: str,
    *,
    is_solo: bool,
) -> PersonLuck:
    seat, loss = person.seat, losses.get(person.seat, 0)
    error = hypot(*(reveal.errors[seat] for reveal in reveals))
    luck = sum(reveal.gains[seat] for reveal in reveals)
    found = PersonLuck(
        person,
        round(expected),
        round(final),
        mistakes=loss if is_solo else -loss,
        gifts=sum(losses.values()) - loss if len(reveals[0].gains) <= 2 else None,
        luck=round(luck),
        margin=ceil(Z_95 * error),
        leaving=leaving,
    )
    return replace(found, verdict=_describe_solo_luck(found) if is_solo else _describe_luck(found))


def _describe_luck(found: PersonLuck) -> str:
    """Return what luck did to the result of a game with others."""
    if found.is_lucky is None:
        return gettext("Luck made no clear difference.")
    if found.result > 0:
        if not found.is_lucky:
            return gettext("Won against bad luck.")
        return gettext("Luck helped to win.") if found.play > 0 else gettext("Luck decided this win.")
    if found.is_lucky:
        return gettext("Lost in spite of good luck.")
    return gettext("Bad luck made it harder.") if found.play < 0 else gettext("Bad luck decided this loss.")


def _describe_solo_luck(found: PersonLuck) -> str:
    """Return what luck did to a score; less is better."""
    if found.is_lucky is None:
        return gettext("Luck made no clear difference.")
    return (
        gettext("Bad luck raised this score.") if found.luck > 0 else gettext("Good luck lowered this score.")
    )


def _with_sign(points: int) -> str:
    return f"{points:+d}".replace("-", "\N{MINUS SIGN}") if points else "0"


def _luckiest(reveals: Sequence[Reveal], is_solo: bool) -> Sequence[Reveal]:
    """Return the reveals with most luck, in the order of the game."""
    least = MIN_SCORE if is_solo else MIN_CHANCE
    notable = [
        reveal
        for reveal in reveals
        if round(reveal.largest_gain) >= least and reveal.largest_gain > Z_95 * max(reveal.errors)
    ]
    return sorted(sorted(notable, key=lambda reveal: -reveal.largest_gain)[:MOST_REVEALS])


def _describe_reveal(reveal: Reveal, view: GameView) -> LuckyReveal:
    # In a game for two, the same tiles are lucky for one player and unlucky for the other. Name the first.
    person = max(
        view.as_played(reveal.number).people,
        key=lambda one: (round(abs(reveal.gains[one.seat])), reveal.gains[one.seat]),
    )
    gain = reveal.gains[person.seat]
    score = Score(round(abs(gain)))
    if view.is_solo:
        is_lucky, texts, labels, points = gain < 0, _SOLO_TEXTS, _SOLO_LABELS, format_points(score)
    else:
        is_lucky, texts, labels, points = gain > 0, _TEXTS, _LABELS, format_points(Chance(score.value / 100))
    return LuckyReveal(
        reveal.number,
        MarkedText(texts[reveal.number > 0, is_lucky]) % {"name": person.name, "points": points},
        labels[is_lucky] % {"name": person.name, "points": format_points(score)},
    )
