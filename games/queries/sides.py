"""Who plays with whom at a table, and which sides somebody who takes a seat can choose."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.marked import gettext as _
from games.queries.seats import SeatSummary
from games.shown.words import join_words
from games.titles.registry import TITLES


@dataclass(frozen=True)
class SideSummary:
    """The seats of a side, and what the viewer can do there.

    `free` is a seat that the viewer may take; None if there is none. They get that of the side that
    `is_default` if they choose none. `partners_seat` is the seat beside the viewer that somebody of this side
    gets if they change places; None on the viewer's own side, and if the viewer has no seat.
    """

    number: int
    seats: Sequence[SeatSummary]
    free: int | None
    is_default: bool
    is_yours: bool
    partners_seat: int | None
    label: str

    @property
    def is_full(self) -> bool:
        return not any(seat.is_free for seat in self.seats)

    @property
    def is_empty(self) -> bool:
        return all(seat.is_free for seat in self.seats)


def side_of_seats(key: str, count: int) -> Sequence[int]:
    """Return the side of each of `count` seats; a title that is not installed has no partners."""
    return TITLES[key].rules.sides(count) if key in TITLES else range(count)


def sides_of(key: str, everybody: Sequence[SeatSummary]) -> list[SideSummary]:
    """Return the sides of a table of the title `key`; none in a title in which each plays alone."""
    side_of_seat = side_of_seats(key, len(everybody))
    sides: dict[int, list[SeatSummary]] = {}
    for seat in everybody:
        sides.setdefault(side_of_seat[seat.number], []).append(seat)
    if all(len(seats) == 1 for seats in sides.values()):
        return []
    default = _free_seat(everybody)
    beside = next((_partners_seat(seats) for seats in sides.values() if _has_viewer(seats)), None)
    return [
        SideSummary(
            number=number + 1,
            seats=seats,
            free=free,
            is_default=free is not None and free == default,
            is_yours=_has_viewer(seats),
            partners_seat=None if _has_viewer(seats) else beside,
            label=_label(seats, [seat for seat in everybody if seat not in seats]),
        )
        for number, seats in sorted(sides.items())
        for free in [_free_seat(seats)]
    ]


def _has_viewer(seats: Sequence[SeatSummary]) -> bool:
    return any(seat.is_you for seat in seats)


def _free_seat(seats: Sequence[SeatSummary]) -> int | None:
    """Return the seat that is kept for the viewer, or else the first one that anybody may take."""
    kept = [seat.number for seat in seats if seat.is_kept_for_you]
    free = [seat.number for seat in seats if seat.is_free and not seat.kept_for]
    return next(iter([*kept, *free]), None)


def _partners_seat(seats: Sequence[SeatSummary]) -> int | None:
    """Return the seat of the viewer's side that a new partner gets: a free one, or else the first one."""
    others = sorted((not seat.is_free, seat.number) for seat in seats if not seat.is_you)
    return others[0][1] if others else None


def _label(partners: Sequence[SeatSummary], opponents: Sequence[SeatSummary]) -> str:
    """Return who plays on a side and against it, as somebody who can take a seat there reads it."""
    own, others = _names(partners), _names(opponents)
    words = {"partners": join_words(own), "opponents": join_words(others)}
    if own and others:
        return _("With %(partners)s, against %(opponents)s") % words
    if own:
        return _("With %(partners)s") % words
    return _("Against %(opponents)s") % words if others else _("With nobody yet")


def _names(seats: Sequence[SeatSummary]) -> list[str]:
    return [seat.kept_for or seat.label for seat in seats if seat.kept_for or not seat.is_free]
