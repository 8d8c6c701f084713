"""What the chart of a review shows: a line for each player, or one for both, and a place for each action."""

from collections.abc import Sequence

from games.novaluna.board.game_view import GameView
from games.novaluna.bots.face import Chance, Score
from games.novaluna.engine import Ending
from games.novaluna.reviews.chart import Chart, Mark, Point, draw_chance_chart, draw_score_chart, spread
from games.novaluna.reviews.judged import JudgedAction, reader_of


def points_on(chart: Chart, actions: Sequence[JudgedAction]) -> Sequence[tuple[JudgedAction, Mark]]:
    """Return the actions that a chart shows, with their places on it; key actions are apart."""
    marks = spread(chart.marks, {judged.number for judged in actions if judged.is_key})
    return [(judged, marks[judged.number]) for judged in actions if judged.number in marks]


def draw_chart(actions: Sequence[JudgedAction], view: GameView) -> Chart:
    """Return the chart of a review."""
    return (_build_score_chart if view.is_solo else _build_chance_chart)(actions, view)


def _build_score_chart(actions: Sequence[JudgedAction], view: GameView) -> Chart:
    points, over = _points_of(actions, view.version), view.game_over
    if over and over.score is not None and len(actions) == view.version:
        points.append(Point(100.0, Score(float(over.score))))
    return draw_score_chart(points, view.people[0], view.version)


def _build_chance_chart(actions: Sequence[JudgedAction], view: GameView) -> Chart:
    """Return a chart of chances. In a game for two, its one line shows the reader's chance."""
    last_action, over, people = view.version, view.game_over, view.people
    reader, is_shared = reader_of(view), len(people) == 2
    lines = []
    for person in [reader] if is_shared else people:
        points = _points_of(
            [judged for judged in actions if is_shared or judged.person == person], last_action
        )
        if over and over.winner is not None and len(actions) == last_action:
            has_left = over.reason is Ending.LEFT
            is_marked = has_left and (is_shared or actions[-1].person == person)
            result = Chance(float(over.winner == person.seat))
            points.append(Point(100.0, result, last_action if is_marked else 0, has_left))
        lines.append((person, points))
    return draw_chance_chart(lines, last_action, (reader, people[1 - reader.seat]) if is_shared else ())


def _points_of(actions: Sequence[JudgedAction], last_action: int) -> list[Point]:
    """Return a point for each action that was judged."""
    return [
        Point(100 * (judged.number - 1) / last_action, judged.shown_worth, judged.number)
        for judged in actions
        if judged.shown_worth is not None
    ]
