"""The trick track: the points for each number of tricks, and where both sides are; the rounds so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.lunar.board.game_view import GameView
from games.lunar.engine import Stage
from games.lunar.engine.events import RoundResult
from games.lunar.engine.setup import SIDES
from games.lunar.engine.tables import GOAL, HOUSE_POINTS, HOUSE_STARS
from games.lunar.words import (
    format_points,
    format_stars,
    format_tricks,
    is_own_side,
    seats_of_side,
    side_label,
)
from games.marked import gettext as _

# The box of the chart, in units of its drawing.
LEFT, RIGHT, TOP, BOTTOM = 30, 290, 10, 104


@dataclass(frozen=True)
class TrackField:
    """A field of the track, with a seat of each side that is on it: its disc is the sign of the side."""

    tricks: int
    points: int
    is_best: bool
    seats: tuple[int, ...]


@dataclass(frozen=True)
class SideRow:
    """What a side has: tricks and stars of this round, and points of the game.

    `worth` is what the round gives for this number of tricks and stars.
    """

    seats: tuple[int, ...]  # its players, the viewer first
    name: str
    tricks: int
    stars: int
    worth: int
    points: int


@dataclass(frozen=True)
class RoundCell:
    """What a side got in a round: points, for what in words, and how many for each part."""

    points: int
    about: str
    parts: str


@dataclass(frozen=True)
class RoundRow:
    """A round that is over, with a cell for each side in the order of the track's sides."""

    number: int
    cells: tuple[RoundCell, ...]


@dataclass(frozen=True)
class ChartLine:
    """The points of a side after each round, as a line and its marks: discs of a seat."""

    seat: int
    side: int
    points: str
    marks: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Chart:
    """The points of both sides by round, and the line that a side must pass."""

    goal: int
    goal_y: int
    lines: tuple[ChartLine, ...]
    rounds: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Track:
    """The track and the figures of the sides, the viewer's first."""

    fields: tuple[TrackField, ...]
    sides: tuple[SideRow, ...]
    rounds: tuple[RoundRow, ...]
    chart: Chart
    goal: int
    note: str
    at_stake: tuple[str, ...]  # for spectators: what the trick would change for each side


def track_of(view: GameView, *, at_end_of_round: bool = False) -> Track:
    """Return the track of the position that the page shows, or as it was when the last round ended."""
    position = view.position
    won, stars, points = position.tricks_won, position.stars_won, position.points
    if at_end_of_round:
        won, stars = position.rounds[-1].tricks, position.rounds[-1].stars
    track = position.setup.points
    order = sorted(range(SIDES), key=lambda side: (not is_own_side(side, view), side))
    seats = {side: tuple(seats_of_side(side, view)) for side in order}
    sign = {side: seats[side][0] for side in order}
    return Track(
        fields=tuple(
            TrackField(
                tricks, worth, worth == max(track), tuple(sign[side] for side in order if won[side] == tricks)
            )
            for tricks, worth in enumerate(track)
        ),
        sides=tuple(
            SideRow(
                seats[side],
                side_label(side, view),
                won[side],
                stars[side],
                track[won[side]] + stars[side],
                points[side],
            )
            for side in order
        ),
        rounds=tuple(
            RoundRow(number, tuple(_cell(result, side, track) for side in order))
            for number, result in enumerate(position.rounds, 1)
        ),
        chart=_chart(position.rounds, sign),
        goal=GOAL,
        note=_note(view),
        at_stake=tuple(_at_stake(view, order)),
    )


def _at_stake(view: GameView, order: Sequence[int]) -> Iterator[str]:
    """Yield how many points of this round each side would have with the trick on the table, in a sentence."""
    position = view.position
    if view.viewer is not None or position.stage is not Stage.PLAY:
        return
    track, lying = position.setup.points, sum(played.card.has_star for played in position.trick)
    for side in order:
        won, stars = position.tricks_won[side], position.stars_won[side]
        now, then = track[won] + stars, track[won + 1] + stars + lying
        words = {"side": side_label(side, view), "points": format_points(then), "now": now}
        if now == then:
            yield _("With this trick, %(side)s would still have %(points)s this round.") % words
        else:
            yield _("With this trick, %(side)s would have %(points)s this round, not %(now)d.") % words


def _totals_after(rounds: tuple[RoundResult, ...], side: int) -> Iterator[int]:
    """Yield the points of a side at the start and after each round."""
    total = 0
    yield total
    for result in rounds:
        total += result.points[side]
        yield total


def _cell(result: RoundResult, side: int, track: Sequence[int]) -> RoundCell:
    tricks, stars = result.tricks[side], result.stars[side]
    words = {
        "tricks": format_tricks(tricks),
        "stars": format_stars(stars),
        "for_tricks": track[tricks],
        "for_stars": stars,
    }
    about, parts = _("%(tricks)s"), _("%(for_tricks)d for %(tricks)s")
    if stars:
        about = _("%(tricks)s, %(stars)s")
        parts = _("%(for_tricks)d for %(tricks)s, %(for_stars)d for %(stars)s")
    return RoundCell(result.points[side], about % words, parts % words)


def _chart(rounds: tuple[RoundResult, ...], sign: Mapping[int, int]) -> Chart:
    totals = {side: list(_totals_after(rounds, side)) for side in sign}
    top = max(GOAL, *(max(line) for line in totals.values()))

    def x_of(number: int) -> int:
        return LEFT + round((RIGHT - LEFT) * number / max(len(rounds), 1))

    def y_of(points: int) -> int:
        return BOTTOM - round((BOTTOM - TOP) * points / top)

    lines = []
    for side in reversed([*sign]):
        marks = tuple((x_of(number), y_of(total)) for number, total in enumerate(totals[side]))
        lines.append(ChartLine(sign[side], side, " ".join(f"{x},{y}" for x, y in marks), marks))
    return Chart(
        GOAL, y_of(GOAL), tuple(lines), tuple((number, x_of(number)) for number in range(1, len(rounds) + 1))
    )


def _note(view: GameView) -> str:
    setup = view.start.setup
    if setup.points == HOUSE_POINTS and setup.stars == HOUSE_STARS:
        return _("The points other than 10, and which cards have a star, are this site's choice.")
    return _("This table has chosen its own points or stars.")
