"""The errors of the clocks: what a person may not set."""


class ClockError(ValueError):
    """The base of all errors that the clocks raise for wrong input."""


class UnknownZone(ClockError):
    """There is no time zone of this name."""


class BadHours(ClockError):
    """The sleeping hours or the day off are impossible."""


class BadVacation(ClockError):
    """The vacation is over before it starts."""


class NotEnoughVacation(ClockError):
    """The vacation needs more days than the person has left in a year."""
