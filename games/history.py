"""The log of a game in words, for its page."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.addresses import page_query
from games.choosing import NOTHING_CHOSEN, Choice
from games.engine import Step, TileTaken
from games.words import Person, told

RECENT = 12  # how many actions the log shows unasked, besides what is new


@dataclass(frozen=True)
class LogEntry:
    """An action of the log in words; `lead` is the name that the words begin with."""

    number: int
    seat: int | None
    tile: str | None
    lead: str
    rest: str
    query: str
    is_shown: bool


@dataclass(frozen=True)
class Way:
    """A step through the game: the query of its page, empty for now, None where it leads nowhere."""

    name: str
    icon: str
    key: str  # that takes it on the keyboard
    label: str
    query: str | None


@dataclass(frozen=True)
class History:
    """The log, newest first, in parts: what is new to the viewer, some before that, and the rest.

    `shown` is the action that the board shows.
    """

    since: tuple[LogEntry, ...]
    before: tuple[LogEntry, ...]
    long_before: tuple[LogEntry, ...]
    shown: int
    last: int

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        """The whole log, newest first."""
        return (*self.since, *self.before, *self.long_before)

    @property
    def shows_long_before(self) -> bool:
        """Whether the board is that of an action long before."""
        return any(entry.is_shown for entry in self.long_before)

    @property
    def part_shown(self) -> int:
        """How much of the log lies before the board that is shown, in per cent."""
        return round(100 * self.shown / self.last) if self.last else 0

    @property
    def watch_query(self) -> str:
        """The query of the page as it was after the viewer's last action."""
        return f"?at={self.last - len(self.since)}"

    @property
    def ways(self) -> tuple[Way, ...]:
        """The steps to the start, one back, one on, and to now."""
        return ways(self.shown, self.last)


def ways(shown: int, last: int, choice: Choice = NOTHING_CHOSEN) -> tuple[Way, ...]:
    """Return the steps from action `shown` of `last` to the start, one back, one on, and to now.

    They keep a `choice` that waits on the game page.
    """

    def to(number: int) -> str:
        return page_query(number if number < last else None, choice)

    back = shown > 0
    on = shown < last
    return (
        Way("first", "i-first", "{", _("First position"), to(0) if back else None),
        Way("previous", "i-prev", "[", _("Previous action"), to(shown - 1) if back else None),
        Way("next", "i-next", "]", _("Next action"), to(shown + 1) if on else None),
        Way("now", "i-last", "}", _("Back to now"), to(last) if on else None),
    )


def history(
    steps: Sequence[Step], people: Sequence[Person], viewer: int | None, now_showing: int | None
) -> History:
    """Return the log as `viewer` reads it, on a board that shows action `now_showing` (None: the newest)."""
    shown = len(steps) if now_showing is None else now_showing
    entries = [
        _entry(number, step, people, viewer, now_showing, len(steps)) for number, step in enumerate(steps, 1)
    ]
    own = max((entry.number for entry in entries if viewer is not None and entry.seat == viewer), default=0)
    before = tuple(reversed(entries[:own] if own else entries))
    return History(
        since=tuple(reversed(entries[own:])) if own else (),
        before=before[:RECENT],
        long_before=before[RECENT:],
        shown=shown,
        last=len(steps),
    )


def _entry(
    number: int, step: Step, people: Sequence[Person], viewer: int | None, now_showing: int | None, last: int
) -> LogEntry:
    seat = _seat(step)
    words = told(step, people, viewer)
    lead = "" if seat is None else _("You") if seat == viewer else people[seat].name
    if not words.startswith(lead):
        lead = ""
    return LogEntry(
        number=number,
        seat=seat,
        tile=next((event.tile for event in step.events if isinstance(event, TileTaken)), None),
        lead=lead,
        rest=words.removeprefix(lead),
        query=f"?at={number}" if number < last else "",
        is_shown=number == now_showing,
    )


def _seat(step: Step) -> int | None:
    """Return the seat whose action it was; None for a game that was called off."""
    return getattr(step.action, "seat", None)
