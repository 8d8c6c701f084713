"""The log of a game in words, for its page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.board.choice import NOTHING_CHOSEN, Choice, page_query
from games.board.events import describe_step
from games.board.game_view import GameView
from games.engine import Step

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
class HistoryLink:
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
        return page_query(self.last - len(self.since))

    @property
    def links(self) -> tuple[HistoryLink, ...]:
        """The steps to the start, one back, one on, and to now."""
        return history_links(self.shown, self.last)


def history_links(shown: int, last: int, choice: Choice = NOTHING_CHOSEN) -> tuple[HistoryLink, ...]:
    """Return the steps from action `shown` of `last` to the start, one back, one on, and to now.

    They keep a `choice` that waits on the game page.
    """

    def to(number: int) -> str:
        return page_query(number if number < last else None, choice)

    back = shown > 0
    on = shown < last
    return (
        HistoryLink("first", "i-first", "{", _("First position"), to(0) if back else None),
        HistoryLink("previous", "i-prev", "[", _("Previous action"), to(shown - 1) if back else None),
        HistoryLink("next", "i-next", "]", _("Next action"), to(shown + 1) if on else None),
        HistoryLink("now", "i-last", "}", _("Back to now"), to(last) if on else None),
    )


def history(view: GameView) -> History:
    """Return the log as the viewer reads it."""
    entries = [_entry(number, step, view) for number, step in enumerate(view.steps, 1)]
    own = max(
        (entry.number for entry in entries if view.viewer is not None and entry.seat == view.viewer),
        default=0,
    )
    before = tuple(reversed(entries[:own] if own else entries))
    return History(
        since=tuple(reversed(entries[own:])) if own else (),
        before=before[:RECENT],
        long_before=before[RECENT:],
        shown=view.shown,
        last=view.version,
    )


def _entry(number: int, step: Step, view: GameView) -> LogEntry:
    text = describe_step(step, view)
    lead = "" if step.seat is None else _("You") if step.seat == view.viewer else view.people[step.seat].name
    if not text.startswith(lead):
        lead = ""
    return LogEntry(
        number=number,
        seat=step.seat,
        tile=step.tile_taken.tile if step.tile_taken else None,
        lead=lead,
        rest=text.removeprefix(lead),
        query=page_query(number) if number < view.version else "",
        is_shown=number == view.at,
    )
