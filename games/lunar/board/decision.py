"""What decided a finished game, in a sentence for one viewer."""

from games.lunar.board.game_view import GameView
from games.lunar.board.track import totals_after
from games.lunar.engine.events import RoundResult
from games.lunar.engine.facts import Ending
from games.lunar.engine.setup import side_of
from games.lunar.words import format_points, format_stars, format_tricks, side_label
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
    """Return the round in which the winner gained most on the other side."""
    results = view.newest.rounds
    gains = [result.points[winner] - result.points[1 - winner] for result in results]
    best = gains.index(max(gains))
    if len(results) < 2 or gains[best] <= 0:
        return ""
    totals = [list(totals_after(results, side))[best + 1] for side in range(2)]
    words = {
        "number": best + 1,
        "own": _describe_gain(results[best], winner),
        "other": _describe_gain(results[best], 1 - winner),
        "total": totals[winner],
        "others": totals[1 - winner],
    }
    return (
        _("Round %(number)d decided it, with %(own)s against %(other)s: it made %(total)d to %(others)d.")
        % words
    )


def _describe_gain(result: RoundResult, side: int) -> str:
    """Return what a side got in a round, and for what: "13 points for 7 tricks and 3 stars"."""
    words = {
        "points": format_points(result.points[side]),
        "tricks": format_tricks(result.tricks[side]),
        "stars": format_stars(result.stars[side]),
    }
    if result.stars[side]:
        return _("%(points)s for %(tricks)s and %(stars)s") % words
    return _("%(points)s for %(tricks)s") % words
