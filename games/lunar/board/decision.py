"""What decided a finished game, in a sentence for one viewer."""

from collections.abc import Sequence

from games.lunar.board.events import describe_trick, last_tricks_of
from games.lunar.board.game_view import GameView
from games.lunar.engine.events import RoundResult
from games.lunar.engine.facts import Ending
from games.lunar.engine.position import Position
from games.lunar.engine.setup import SIDES, side_of
from games.lunar.engine.tricks import Trick
from games.lunar.words import format_points, format_stars, format_tricks, side_label
from games.marked import MarkedText
from games.marked import gettext as _
from games.shown.leaving import describe_leaving
from games.shown.words import begin_sentence, join_words
from games.titles.actions import Resign


def describe_decision(view: GameView) -> str:
    """Return by how much the game was won, and which round decided most; empty while it runs."""
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


def describe_turns(view: GameView) -> tuple[str, ...]:
    """Return for each round that a side won from which trick on it was ahead."""
    leads: dict[int, tuple[int, int, Trick]] = {}  # by round: who leads, since which trick, and that trick
    for after, number, trick in reversed([*last_tricks_of(view)]):
        before = view.position_after(after - 1)
        leader = _leader_after(trick, before)
        if leader is None:
            leads.pop(before.round, None)
        elif before.round not in leads or leads[before.round][0] != leader:
            leads[before.round] = leader, number, trick
    return tuple(
        _("Round %(round)d, trick %(trick)d: %(side)s went ahead in points (%(why)s).")
        % {
            "round": number,
            "side": side_label(leader, view),
            "trick": trick_number,
            "why": describe_trick(trick),
        }
        for number, (leader, trick_number, trick) in sorted(leads.items())
    )


def _leader_after(trick: Trick, before: Position) -> int | None:
    """Return the side whose tricks and stars of the round are worth more after a trick."""
    worth = []
    for side in range(SIDES):
        has_won = side == trick.winner
        tricks = before.tricks_won[side] + has_won
        worth.append(before.setup.points[tricks] + before.stars_won[side] + has_won * len(trick.stars))
    return None if worth[0] == worth[1] else worth.index(max(worth))


def describe_rounds(winner: int, results: Sequence[RoundResult]) -> str:
    """Return in which round the winner gained most, and for what; empty for a single round."""
    if len(results) < 2:
        return ""
    gains = [result.points[winner] - result.points[1 - winner] for result in results]
    number = gains.index(max(gains))
    own, other = (_describe_points(results[number], side) for side in (winner, 1 - winner))
    return _("Round %(number)d made the biggest difference: %(own)s against %(other)s.") % {
        "number": number + 1,
        "own": own,
        "other": other,
    }


def _describe_points(result: RoundResult, side: int) -> str:
    got = [format_tricks(result.tricks[side])]
    if result.stars[side]:
        got.append(format_stars(result.stars[side]))
    words = {"points": format_points(result.points[side]), "got": join_words(got)}
    return _("%(points)s for %(got)s") % words
