"""How a game ended, as one table: the ranking with its reasons, or the solo score with its parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import words
from games.engine import Ending, GameOver, MultiplayerPosition, Position, SeatLeft, SoloPosition, Step
from games.engine.solo import DISC_PENALTY
from games.words import Person


@dataclass(frozen=True)
class Ranked:
    """A player's place at the end."""

    place: int
    person: Person
    discs: int
    time: int
    reason: str


@dataclass(frozen=True)
class SoloScore:
    """The parts of a solo score: of the final one, or of what it would be if the game ended now."""

    phase: int
    first_stack: int
    noted: int
    time: int
    discs: int
    placed: int
    total: int
    is_final: bool

    @property
    def gauge(self) -> str:
        """The discs in words."""
        return words.gauge(self.placed, self.discs)

    @property
    def for_discs(self) -> int:
        """What the discs not placed add to the score."""
        return self.discs * DISC_PENALTY


def game_over(steps: Sequence[Step]) -> GameOver | None:
    """Return how the log ends, if it does."""
    events = steps[-1].events if steps else ()
    return next((event for event in events if isinstance(event, GameOver)), None)


def ranked(position: Position, people: Sequence[Person], steps: Sequence[Step]) -> tuple[Ranked, ...]:
    """Return the players of a finished game, best first; none for a solo game or one that was called off."""
    if not isinstance(position, MultiplayerPosition) or position.ranking is None:
        return ()
    left = {
        event.seat: event.reason for step in steps for event in step.events if isinstance(event, SeatLeft)
    }
    return tuple(
        Ranked(
            place=place,
            person=people[seat],
            discs=position.discs[seat],
            time=position.track.time[seat],
            reason=_why_left(left[seat]) if seat in left else _reason(position, position.ranking, place),
        )
        for place, seat in enumerate(position.ranking, 1)
    )


def _why_left(reason: str | None) -> str:
    return _("ran out of time") if reason == "time" else _("left the game")


def _reason(position: MultiplayerPosition, ranking: Sequence[int], place: int) -> str:
    seat = ranking[place - 1]
    if place == 1 and position.ending is Ending.LEFT:
        return _("the only player left")
    if place == 1 and position.ending is Ending.DISCS:
        return _("placed the last disc")
    discs = position.discs[seat]
    tied = [other for other in position.track.order if other != seat and position.discs[other] == discs]
    told = words.discs_left(discs)
    if place == 1:
        return _("%(discs)s, and next to move") % {"discs": told} if tied else told
    if ranking[place - 2] in tied:
        return _("%(discs)s, but later to move") % {"discs": told}
    return told


def solo_score(position: SoloPosition) -> SoloScore:
    """Return the score and its parts; what phase 1 would count now, as long as it lasts."""
    penalty = DISC_PENALTY * position.discs[0]
    return SoloScore(
        phase=position.phase,
        first_stack=position.first_stack,
        noted=position.score_so_far - position.time - penalty,
        time=position.time,
        discs=position.discs[0],
        placed=position.setup.goal_discs - position.discs[0],
        total=position.score_so_far,
        is_final=position.score is not None,
    )
