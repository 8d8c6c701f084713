"""The clocks of all seats of one game, of which several can run."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from games.clocks.banks import Clock, Turn
from games.clocks.counting import counted


@dataclass
class RunningClocks:
    """The clocks of a game by seat: `banks` at the start of each seat's turn, and the clocks that run.

    `since` has the instant at which the clock of each awaited seat started. None starts before `opens_at`.

    >>> from datetime import UTC
    >>> from games.clocks import NO_PAUSES, PACES
    >>> clock, noon = Clock(PACES["day"], NO_PAUSES), datetime(2024, 6, 1, 12, tzinfo=UTC)
    >>> clocks = RunningClocks({0: clock, 1: clock}, {0: clock.pace.bank, 1: clock.pace.bank})
    >>> clocks.run({0, 1}, noon)
    >>> clocks.run({1}, noon + timedelta(hours=20))  # 24 h - 20 h + 12 h
    >>> clocks.banks[0] / timedelta(hours=1)
    16.0
    >>> clocks.deadlines[1].isoformat()
    '2024-06-02T12:00:00+00:00'
    """

    clocks: Mapping[int, Clock]
    banks: dict[int, timedelta]
    since: dict[int, datetime] = field(default_factory=dict)
    opens_at: datetime | None = None

    def run(self, seats: Collection[int], now: datetime, begun: Collection[int] = ()) -> None:
        """Let the clocks of these seats run, and no others.

        A clock that runs already runs on: several actions in a row are one turn. For a seat in `begun`, a new
        turn begins.
        """
        for seat in [seat for seat in self.since if seat not in seats or seat in begun]:
            turn = Turn(self.since.pop(seat), now)
            self.banks[seat] = self.clocks[seat].bank_after_turn(self.banks[seat], turn)
        for seat in seats:
            self.since.setdefault(seat, max(now, self.opens_at or now))

    def renew(self, seat: int) -> None:
        """Give a seat a full bank, and stop its clock, because another person plays it from now on."""
        self.banks[seat] = self.clocks[seat].pace.bank
        self.since.pop(seat, None)

    def left(self, seat: int, now: datetime) -> timedelta:
        """Return how much time a seat has at an instant since when no clock has started or stopped."""
        bank, since = self.banks[seat], self.since.get(seat)
        return bank if since is None else self.clocks[seat].left(bank, since, now)

    def spent(self, seat: int, now: datetime, after: datetime | None = None) -> timedelta:
        """Return how much time counted in the turn of a seat, of which only what is `after` an instant."""
        since = self.since[seat]
        return counted(self.clocks[seat].counted_calendar, max(since, after or since), now)

    @property
    def deadlines(self) -> Mapping[int, datetime]:
        """When the bank of each seat whose clock runs is used up."""
        return {
            seat: self.clocks[seat].deadline(self.banks[seat], since) for seat, since in self.since.items()
        }
