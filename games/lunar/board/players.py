"""The players beside the board, and the result of a finished game."""

from games.lunar.board.end_of_round import is_end_of_round
from games.lunar.board.game_view import GameView
from games.lunar.engine.facts import Stage
from games.lunar.engine.setup import SIDES, side_of
from games.lunar.words import format_points, format_stars, format_tricks
from games.marked import gettext as _
from games.shown.leaving import describe_reason
from games.titles.actions import Resign
from games.titles.boards import Figure, Player, RankingRow
from games.titles.people import Person


def players(view: GameView) -> tuple[Player, ...]:
    """Return the players, partners together: from the viewer's seat those of one side, then the others."""
    position, own = view.position, side_of(view.first_seat)
    return tuple(
        Player(
            person=view.people[seat],
            when=_when(seat, view),
            brief=brief_figures(seat, view),
            figures=(Figure(position.points[side_of(seat)], _("points")),),
            is_turn=seat in position.awaited and not is_end_of_round(view),
            is_next=False,
            has_left=seat not in position.in_play,
        )
        for seat in sorted(view.seats_from_viewer, key=lambda seat: side_of(seat) != own)
    )


def ranking(view: GameView) -> tuple[RankingRow, ...]:
    """Return the sides of a finished game, winners first; none in a past position or after a cancel.

    Partners have rows of their own where they have ratings of their own.
    """
    position = view.newest
    if view.is_past or not position.places:
        return ()
    seats = sorted(range(position.seats), key=lambda seat: (position.places[seat], seat != view.viewer, seat))
    if not any(person.rating_change for person in view.people):
        own = {side_of(seat): seat for seat in reversed(seats)}
        seats = [seat for seat in seats if own[side_of(seat)] == seat]
    return tuple(
        RankingRow(
            place=position.places[seat],
            person=view.people[seat],
            figures=(Figure(position.points[side_of(seat)], _("points")),),
            reason=_reason(seat, view),
            rating=view.people[seat].rating_change,
            partners=_partners(seat, len(seats), view),
        )
        for seat in seats
    )


def _partners(seat: int, rows: int, view: GameView) -> tuple[Person, ...]:
    """Return who shares the row of a seat, if there is a row for each side."""
    if rows > SIDES:
        return ()
    return tuple(
        person for person in view.people if person.seat != seat and side_of(person.seat) == side_of(seat)
    )


def brief_figures(seat: int, view: GameView) -> str:
    """Return the tricks and points of a seat's side in a few words."""
    side, position = side_of(seat), view.position
    won = position.rounds[-1].tricks if is_end_of_round(view) else position.tricks_won
    words = {
        "tricks": format_tricks(won[side]),
        "points": format_points(position.points[side]),
    }
    return _("%(tricks)s · %(points)s") % words


def _when(seat: int, view: GameView) -> str:
    position = view.position
    if seat not in position.in_play:
        return _("Out of the game")
    if position.ending is not None or is_end_of_round(view):
        return ""
    if seat in position.awaited:
        return _("To move")
    if position.stage is Stage.PASSING:
        return _("Has chosen")
    return _("Waiting")


def _reason(seat: int, view: GameView) -> str:
    position = view.newest
    resign = next((step.action for step in view.steps if isinstance(step.action, Resign)), None)
    if resign is not None and resign.seat == seat:
        return describe_reason(resign.reason)
    if resign is not None:
        return ""
    last = position.rounds[-1]
    side = side_of(seat)
    words = {
        "tricks": format_tricks(last.tricks[side]),
        "stars": format_stars(last.stars[side]),
    }
    return _("last round: %(tricks)s, %(stars)s") % words
