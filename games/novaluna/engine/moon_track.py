"""The moon track: the time of each player, which decides the turn order."""

from typing import NamedTuple

TRACK_SPACES = 24


class MoonTrack(NamedTuple):
    """The total time of each seat, and the seats in play in turn order."""

    time: tuple[int, ...]
    order: tuple[int, ...]

    def after_move(self, seat: int, cost: int) -> "MoonTrack":
        """Return the track after `seat` moved by `cost`. Its disc is on top of those with the same time."""
        time = (*self.time[:seat], self.time[seat] + cost, *self.time[seat + 1 :])
        others = [other for other in self.order if other != seat]
        place = next((i for i, other in enumerate(others) if time[other] >= time[seat]), len(others))
        return MoonTrack(time, (*others[:place], seat, *others[place:]))

    def without_seat(self, seat: int) -> "MoonTrack":
        """Return the track after `seat` resigned. `time` keeps the time of the seat."""
        return MoonTrack(self.time, tuple(other for other in self.order if other != seat))

    @property
    def stacks(self) -> dict[int, tuple[int, ...]]:
        """The seats whose discs are on each space (0 to 23), from the bottom of the stack to the top."""
        stacks: dict[int, tuple[int, ...]] = {}
        for seat in reversed(self.order):
            space = self.time[seat] % TRACK_SPACES
            stacks[space] = (*stacks.get(space, ()), seat)
        return stacks
