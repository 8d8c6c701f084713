"""The players of a game as the list beside the board shows them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import words
from games.engine import MultiplayerPosition, Position
from games.words import Person


@dataclass(frozen=True)
class Player:
    """A player with the discs, the time, and in words when it will be their turn."""

    person: Person
    discs: int
    placed: int
    time: int
    when: str
    is_turn: bool
    has_left: bool

    @property
    def gauge(self) -> str:
        """The discs in words."""
        return words.gauge(self.placed, self.discs)


def players(position: Position, people: Sequence[Person]) -> tuple[Player, ...]:
    """Return the players in the order in which they would move, then those who left; none for a solo game."""
    if not isinstance(position, MultiplayerPosition):
        return ()
    return tuple(_players(position, people))


def _players(position: MultiplayerPosition, people: Sequence[Person]) -> Iterator[Player]:
    for place, seat in enumerate((*position.track.order, *reversed(position.left))):
        has_left = seat in position.left
        yield Player(
            person=people[seat],
            discs=position.discs[seat],
            placed=position.setup.goal_discs - position.discs[seat],
            time=position.track.time[seat],
            when=_("Left the game") if has_left else "" if position.over else _when(place),
            is_turn=seat == position.to_move,
            has_left=has_left,
        )


def _when(place: int) -> str:
    return (_("To move"), _("Next"), _("Third"), _("Fourth"))[place]
