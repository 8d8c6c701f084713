"""What decided a finished game with others, in one sentence for one viewer."""

from collections.abc import Sequence

from games.marked import MarkedText, ngettext
from games.marked import gettext as _
from games.novaluna.board.game_view import GameView
from games.novaluna.board.words import format_discs_left, format_goals
from games.novaluna.engine import Ending, MultiplayerPosition, Position, Resign, Step
from games.shown.leaving import describe_leaving
from games.shown.words import begin_sentence, join_words


def describe_decision(view: GameView) -> str:
    """Return by how much the game was won, unless by a tie or because all others left, and what decided it.

    Empty while the game runs, in a solo game, and after a cancel.
    """
    return MarkedText(" ").join(filter(None, [_describe_margin(view), describe_turning_point(view)]))


def describe_turning_point(view: GameView) -> str:
    """Return what decided the game, without who won: "Action 40 of 46 covered …".

    Empty while the game runs, in a solo game, and after a cancel.
    """
    position = view.newest
    if not isinstance(position, MultiplayerPosition) or position.winner is None:
        return ""
    winner = position.winner
    if position.ending is Ending.LEFT:
        sentence = _describe_last_leaving(view.steps[-1], winner, view)
    elif tied := rivals(position, winner):
        sentence = _describe_tie(position, winner, tied, view)
    else:
        sentence = _describe_lead(lead_began(view, winner), winner, view)
    return begin_sentence(sentence)


def rivals(position: Position, seat: int) -> list[int]:
    """Return the other seats in play that have at most as many discs left as `seat`."""
    discs = position.discs
    return [other for other in position.in_play if other != seat and discs[other] <= discs[seat]]


def lead_began(view: GameView, winner: int) -> int:
    """Return the number of the action since which `winner` was ahead of all others in play."""
    numbers = reversed(view.counting_numbers)
    return next(number for number in numbers if rivals(view.position_after(number - 1), winner))


def _describe_margin(view: GameView) -> str:
    """Return by how many discs the winner won; empty without such a winner."""
    position = view.newest
    if not isinstance(position, MultiplayerPosition) or position.winner is None:
        return ""
    winner, discs = position.winner, position.discs
    if position.ending is Ending.LEFT or rivals(position, winner):
        return ""
    margin = min(discs[seat] for seat in position.in_play if seat != winner) - discs[winner]
    words = {
        "winner": view.people[winner].name,
        "margin": ngettext("%(count)d disc", "%(count)d discs", margin) % {"count": margin},
    }
    if winner == view.viewer:
        return _("You won by %(margin)s.") % words
    return begin_sentence(_("%(winner)s won by %(margin)s.") % words)


def _describe_last_leaving(step: Step, winner: int, view: GameView) -> str:
    assert isinstance(step.action, Resign), "a game that all others have left ends with a resignation"
    seat, discs = step.action.seat, step.position.discs
    words = {
        "name": view.people[seat].name,
        "discs": format_discs_left(discs[seat]),
        "winner": view.people[winner].name,
        "count": discs[winner],
    }
    if step.action.reason is not None:
        words["leaving"] = describe_leaving(step.action, view)
        if discs[seat] == discs[winner]:
            return _("%(leaving)s.") % words  # The same numbers would explain nothing.
        if seat == view.viewer:
            return _("%(leaving)s. You had %(discs)s, %(winner)s %(count)d.") % words
        if winner == view.viewer:
            return _("%(leaving)s. %(name)s had %(discs)s, you %(count)d.") % words
        return _("%(leaving)s. %(name)s had %(discs)s, %(winner)s %(count)d.") % words
    if seat == view.viewer:
        return _("You resigned with %(discs)s. %(winner)s had %(count)d.") % words
    if winner == view.viewer:
        return _("%(name)s resigned with %(discs)s. You had %(count)d.") % words
    return _("%(name)s resigned with %(discs)s. %(winner)s had %(count)d.") % words


def _describe_tie(position: MultiplayerPosition, winner: int, tied: Sequence[int], view: GameView) -> str:
    time = position.track.time
    words = {
        "discs": format_discs_left(position.discs[winner]),
        "names": _names(tied, view),
        "winner": view.people[winner].name,
    }
    has_least_time = all(time[winner] < time[seat] for seat in tied)
    if winner == view.viewer:
        if has_least_time:
            return _("You had %(discs)s, as many as %(names)s, and had spent less time.") % words
        return _("You had %(discs)s, as many as %(names)s, and were first in turn order.") % words
    if has_least_time:
        return _("%(winner)s had %(discs)s, as many as %(names)s, and had spent less time.") % words
    return _("%(winner)s had %(discs)s, as many as %(names)s, and was first in turn order.") % words


def _describe_lead(number: int, winner: int, view: GameView) -> str:
    """Return with which action the winner moved ahead of whom."""
    step, before = view.steps[number - 1], view.position_after(number - 1)
    is_you = winner == view.viewer
    words = {
        "winner": view.people[winner].name,
        "names": _names(rivals(before, winner), view),
        "number": number,
        "last": view.version,
        "goals": format_goals(len(step.goals_covered)),
    }
    if step.seat != winner:
        if is_you:
            return _("You were ahead after %(names)s left the game.") % words
        return _("%(winner)s was ahead after %(names)s left the game.") % words
    if is_you and view.caretaker_at(number):
        return (
            _(
                "Action %(number)d of %(last)d, by the bot that played for you, covered %(goals)s and put "
                "you ahead of %(names)s until the end."
            )
            % words
        )
    if number == view.version and is_you:
        return _("Your last tile covered %(goals)s and put you ahead of %(names)s.") % words
    if number == view.version:
        return _("The last tile covered %(goals)s and put %(winner)s ahead of %(names)s.") % words
    if is_you:
        return (
            _("Action %(number)d of %(last)d covered %(goals)s and put you ahead of %(names)s until the end.")
            % words
        )
    return (
        _(
            "Action %(number)d of %(last)d covered %(goals)s and put %(winner)s ahead of %(names)s until the "
            "end."
        )
        % words
    )


def _names(seats: Sequence[int], view: GameView) -> str:
    return join_words([_("you") if seat == view.viewer else view.people[seat].name for seat in seats])
