"""The clocks of all seats of one game, of which at most one runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.clocks.banks import Clock, Turn


@dataclass
class RunningClocks:
    """The clocks of a game by seat: `banks` at the start of each seat's turn, and the clock that runs.

    `seat` is the seat whose clock runs since the instant `since`; both are None if none does.

    >>> from datetime import UTC
    >>> from games.clocks import NO_PAUSES, PACES
    >>> clock, noon = Clock(PACES["day"], NO_PAUSES), datetime(2024, 6, 1, 12, tzinfo=UTC)
    >>> clocks = RunningClocks({0: clock, 1: clock}, {0: clock.pace.bank, 1: clock.pace.bank})
    >>> clocks.run(0, noon)
    >>> clocks.deadline.isoformat()
    '2024-06-02T12:00:00+00:00'
    >>> clocks.run(1, noon + timedelta(hours=20))  # 24 h - 20 h + 12 h
    >>> clocks.banks[0] / timedelta(hours=1)
    16.0
    """

    clocks: Mapping[int, Clock]
    banks: dict[int, timedelta]
    seat: int | None = None
    since: datetime | None = None

    def run(self, seat: int | None, now: datetime) -> None:
        """End the turn of the seat whose clock runs, and start the clock of `seat`; of none if it is None.

        Nothing changes if this clock runs already: several turns in a row are one.
        """
        if seat == self.seat:
            return
        if self.seat is not None and self.since is not None:
            clock, turn = self.clocks[self.seat], Turn(self.since, now)
            self.banks[self.seat] = clock.bank_after_turn(self.banks[self.seat], turn)
        self.seat, self.since = seat, None if seat is None else now

    def renew(self, seat: int) -> None:
        """Give a seat a full bank, and stop its clock, because another person plays it from now on."""
        self.banks[seat] = self.clocks[seat].pace.bank
        if self.seat == seat:
            self.seat = self.since = None

    @property
    def deadline(self) -> datetime | None:
        """When the bank of the seat whose clock runs is used up; None if no clock runs."""
        if self.seat is None or self.since is None:
            return None
        return self.clocks[self.seat].deadline(self.banks[self.seat], self.since)
