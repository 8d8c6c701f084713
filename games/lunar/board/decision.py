"""What decided a finished game, in a sentence for one viewer."""

from games.lunar.board.game_view import GameView
from games.lunar.engine.facts import Ending
from games.lunar.engine.setup import side_of
from games.lunar.words import format_points, side_label
from games.marked import MarkedText
from games.marked import gettext as _
from games.shown.leaving import describe_leaving
from games.shown.words import begin_sentence
from games.titles.actions import Resign


def describe_decision(view: GameView) -> str:
    """Return by how much the game was won and in which round the winner gained most; empty while it runs."""
    position = view.newest
    winner = position.winner
    if winner is None:
        return ""
    if position.ending is Ending.LEFT:
        return _describe_leaving(view)
    margin = position.points[winner] - position.points[1 - winner]
    sentences = [_describe_margin(winner, margin, view), _describe_round(winner, view)]
    return MarkedText(" ").join(filter(None, sentences))


def _describe_leaving(view: GameView) -> str:
    resign = view.steps[-1].action
    assert isinstance(resign, Resign), "a game that somebody left ends with it"
    first, second = view.newest.points
    own, other = (first, second) if side_of(resign.seat) == 0 else (second, first)
    return begin_sentence(
        _("%(leaving)s, with %(own)d points against %(other)d.")
        % {"leaving": describe_leaving(resign, view), "own": own, "other": other}
    )


def _describe_margin(winner: int, margin: int, view: GameView) -> str:
    words = {"side": side_label(winner, view), "points": format_points(margin)}
    return _("%(side)s won by %(points)s.") % words


def _describe_round(winner: int, view: GameView) -> str:
    """Return the round in which the winner gained most on the other side; empty if it is the only one."""
    results = view.newest.rounds
    number, best = max(
        enumerate(results, 1), key=lambda one: one[1].points[winner] - one[1].points[1 - winner]
    )
    own, other = best.points[winner], best.points[1 - winner]
    if len(results) < 2 or own <= other:
        return ""
    words = {"number": number, "own": format_points(own), "other": other}
    return _("Most of this came in round %(number)d: %(own)s against %(other)d.") % words
