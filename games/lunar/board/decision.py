"""What decided a finished game, in a sentence for one viewer."""

from collections.abc import Sequence

from games.lunar.board.game_view import GameView
from games.lunar.engine.events import RoundResult
from games.lunar.engine.facts import Ending
from games.lunar.engine.setup import side_of
from games.lunar.words import format_points, side_label
from games.marked import MarkedText
from games.marked import gettext as _
from games.shown.leaving import describe_leaving
from games.shown.words import begin_sentence, join_words
from games.titles.actions import Resign


def describe_decision(view: GameView) -> str:
    """Return by how much the game was won and in which rounds; empty while it runs."""
    position = view.newest
    winner = position.winner
    if winner is None:
        return ""
    if position.ending is Ending.LEFT:
        return _describe_leaving(view)
    margin = position.points[winner] - position.points[1 - winner]
    sentences = [_describe_margin(winner, margin, view), describe_rounds(winner, position.rounds)]
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


def describe_rounds(winner: int, results: Sequence[RoundResult]) -> str:
    """Return the round in which the winner gained more than half, else all rounds; empty for a single one."""
    if len(results) < 2:
        return ""
    points = [(result.points[winner], result.points[1 - winner]) for result in results]
    gains = [own - other for own, other in points]
    best = max(gains)
    if 2 * best > sum(gain for gain in gains if gain > 0):
        number = gains.index(best)
        own, other = points[number]
        words = {"number": number + 1, "own": format_points(own), "other": other}
        return _("Most of this came in round %(number)d: %(own)s against %(other)d.") % words
    ended = [_("%(own)d to %(other)d") % {"own": own, "other": other} for own, other in points]
    return _("The rounds ended %(points)s.") % {"points": join_words(ended)}
