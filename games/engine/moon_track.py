"""The moon track: the time that each player has spent, and with it whose turn it is."""

from typing import NamedTuple

SPACES = 24


class MoonTrack(NamedTuple):
    """The total time per seat, and the seats in play in the order in which they would move."""

    time: tuple[int, ...]
    order: tuple[int, ...]

    def advanced(self, seat: int, cost: int) -> "MoonTrack":
        """Return the track after the disc of `seat` moved on; it lands on top of those at the same time."""
        time = (*self.time[:seat], self.time[seat] + cost, *self.time[seat + 1 :])
        others = [other for other in self.order if other != seat]
        place = next((i for i, other in enumerate(others) if time[other] >= time[seat]), len(others))
        return MoonTrack(time, (*others[:place], seat, *others[place:]))

    def without(self, seat: int) -> "MoonTrack":
        """Return the track after `seat` left the game; its time stays on record."""
        return MoonTrack(self.time, tuple(other for other in self.order if other != seat))

    @property
    def stacks(self) -> dict[int, tuple[int, ...]]:
        """The stacks of discs by the space (0 to 23) they stand on, each from the bottom to the top."""
        stacks: dict[int, tuple[int, ...]] = {}
        for seat in reversed(self.order):
            space = self.time[seat] % SPACES
            stacks[space] = (*stacks.get(space, ()), seat)
        return stacks
