"""The players beside the board: their discs, time and turn; at the end the ranking or the solo score."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.novaluna.board.game_view import GameView
from games.novaluna.board.words import format_discs_placed
from games.novaluna.engine import DISC_PENALTY, Ending, MultiplayerPosition, SeatLeft, SoloPosition
from games.shown.leaving import describe_reason
from games.titles import boards
from games.titles.boards import Figure, RankingRow


@dataclass(frozen=True, kw_only=True)
class Player(boards.Player):
    """A player with discs and time."""

    discs: int
    placed: int
    time: int

    @property
    def discs_text(self) -> str:
        """How many discs are placed, in words."""
        return format_discs_placed(self.placed, self.discs)


@dataclass(frozen=True)
class SoloScore:
    """The parts of a solo score: the final score, or the score if the game ended now."""

    phase: int
    first_stack: int
    phase_1_score: int
    time: int
    discs: int
    placed: int
    total: int
    is_final: bool

    @property
    def discs_text(self) -> str:
        """How many discs are placed, in words."""
        return format_discs_placed(self.placed, self.discs)

    @property
    def brief(self) -> str:
        """The discs that are left and the time, in a few words."""
        return brief_figures(self.discs, self.time)

    @property
    def disc_penalty(self) -> int:
        """The points for the discs that are not placed."""
        return DISC_PENALTY * self.discs


def players(view: GameView) -> tuple[Player, ...]:
    """Return the players in the order of their seats, from the viewer's; none in a solo game."""
    position = view.position
    return tuple(_players(position, view)) if isinstance(position, MultiplayerPosition) else ()


def unchanged_players(view: GameView, number: int) -> tuple[Player, ...]:
    """Return the players whose discs, time and turn are now as they were after action `number`."""
    before = players(replace(view, at=number))
    return tuple(player for player in players(view) if player in before)


def _players(position: MultiplayerPosition, view: GameView) -> Iterator[Player]:
    order = position.track.order
    for seat in view.seats_from_viewer:
        has_left = seat in position.resigned_seats
        discs, time = position.discs[seat], position.track.time[seat]
        yield Player(
            person=view.people[seat],
            discs=discs,
            placed=position.setup.goal_discs - discs,
            time=time,
            brief=brief_figures(discs, time),
            figures=(Figure(time, _("time spent")),),
            when=_("Out of the game") if has_left else "" if position.over else _turn_word(order.index(seat)),
            is_turn=seat == position.to_move,
            is_next=seat in order[1:2] and not position.over,
            has_left=has_left,
        )


def brief_figures(discs: int, time: int) -> str:
    """Return how many discs are left and how much time was spent, in a few words."""
    return _("%(discs)s left · time %(time)s") % {"discs": discs, "time": time}


def _turn_word(place: int) -> str:
    return (_("To move"), _("Next"), _("Third"), _("Fourth"))[place]


def ranking(view: GameView) -> tuple[RankingRow, ...]:
    """Return the players of a finished game, best first; none if it was a solo game or cancelled."""
    position = view.position
    if not isinstance(position, MultiplayerPosition) or position.ranking is None:
        return ()
    why_left = {
        event.seat: event.reason
        for step in view.steps
        for event in step.events
        if isinstance(event, SeatLeft)
    }
    return tuple(
        RankingRow(
            place=place,
            person=view.people[seat],
            figures=(
                Figure(position.discs[seat], ngettext("disc left", "discs left", position.discs[seat])),
            ),
            reason=_with_time(
                describe_reason(why_left[seat]) if seat in why_left else _reason(position, place),
                position.track.time[seat],
            ),
            rating=view.people[seat].rating_change,
        )
        for place, seat in enumerate(position.ranking, 1)
    )


def _with_time(reason: str, time: int) -> str:
    """Return why a player has their place and how much time they spent, in a few words."""
    spent = _("time %(time)s") % {"time": time}
    return f"{reason} · {spent}" if reason else spent


def _reason(position: MultiplayerPosition, place: int) -> str:
    """Return what put a player in this place, from 1; empty if it was only the number of discs left."""
    ranking = position.ranking or ()
    seat = ranking[place - 1]
    if place == 1 and position.ending is Ending.LEFT:
        return _("the only player left") if len(ranking) > 2 else ""
    if place == 1 and position.ending is Ending.DISCS:
        return _("placed the last disc")
    tied = [
        other
        for other in position.track.order
        if other != seat and position.discs[other] == position.discs[seat]
    ]
    if place == 1:
        return _("first in turn order") if tied else ""
    return _("later in turn order") if ranking[place - 2] in tied else ""


def solo_score(view: GameView) -> SoloScore | None:
    """Return the parts of the solo score, as if the game and its phase ended now; None for other games."""
    position = view.position
    if not isinstance(position, SoloPosition):
        return None
    return SoloScore(
        phase=position.phase,
        first_stack=position.first_stack,
        phase_1_score=position.score_so_far - position.time - DISC_PENALTY * position.discs[0],
        time=position.time,
        discs=position.discs[0],
        placed=position.setup.goal_discs - position.discs[0],
        total=position.score_so_far,
        is_final=position.score is not None,
    )
