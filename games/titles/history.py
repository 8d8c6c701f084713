"""The log of a game in words, as the page of the game shows it, and links to its past positions."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext as _


def query_at(number: int | None) -> str:
    """Return the query of a page that shows the board right after action `number`; None means the newest.

    This is what "action 3" means wherever it is a link: in the history, the chat, a review and text mode.

    >>> query_at(3)
    '?at=3'
    """
    return "" if number is None else f"?at={number}"


def reviewed_query(number: int, part: str) -> str:
    """Return the query of the same page with the judgement of the action, and a link back to the review.

    The link leads to the same action in this part of the review: "point" of the chart, "key" or "action".

    >>> reviewed_query(3, "point")
    '?at=3&review=point'
    """
    return f"{query_at(number)}&review={part}"


@dataclass(frozen=True)
class LogEntry:
    """An action of the log in words; `name` is the player's name if `text` begins with it, else empty.

    `symbol` is the id of a picture on the page, or empty. `query` leads to the board after the action.
    `changes` says who plays a seat since then, oldest first, and how long the site was down before the next
    one. `left` says briefly what the clock of the player showed after it, `took` how long it took, and `time`
    both in words. They are empty where no clock ran.
    """

    number: int
    seat: int | None
    symbol: str
    name: str
    text: str
    query: str
    is_shown: bool
    is_taken_back: bool = False
    caretaker: str = ""  # the level of the bot that made the action for a person
    is_planned: bool = False  # whether the viewer's plan made it
    changes: tuple[str, ...] = ()
    left: str = ""
    took: str = ""
    time: str = ""

    @property
    def text_after_name(self) -> str:
        """The words without the name, which pages print in bold."""
        return self.text.removeprefix(self.name)


@dataclass(frozen=True)
class HistoryLink:
    """A link through the history; `query` is empty for the newest position, None for a disabled link."""

    name: str
    icon: str
    key: str  # its shortcut on the keyboard
    label: str
    query: str | None


@dataclass(frozen=True)
class History:
    """The log in three parts, newest first: after the viewer's last action, recent, and older.

    Most pages show no older actions, so they are put into words when somebody reads them.
    `shown` is the action that the board shows. `first_changes` says who plays a seat since before the first
    action, oldest first. Links keep the part of the review from which the viewer came (`review_part`).
    """

    new: tuple[LogEntry, ...]
    recent: tuple[LogEntry, ...]
    older_count: int
    write_older: Callable[[], tuple[LogEntry, ...]] = field(compare=False, repr=False)
    shown: int
    last: int
    first_changes: tuple[str, ...] = ()
    review_part: str = ""

    @cached_property
    def older(self) -> tuple[LogEntry, ...]:
        """The oldest actions."""
        return self.write_older()

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        """The whole log, newest first."""
        return (*self.new, *self.recent, *self.older)

    @property
    def oldest_first(self) -> tuple[LogEntry, ...]:
        """The whole log, as text mode shows it."""
        return self.entries[::-1]

    @property
    def is_older_shown(self) -> bool:
        """Whether the board shows the start, or the position after one of the older actions."""
        return self.shown <= self.older_count

    @property
    def older_query(self) -> str:
        """The query of the page that also has the older actions; it shows the same action."""
        query = self._query_of(self.shown if self.shown < self.last else None)
        return f"{query}&older=1" if query else "?older=1"

    @property
    def percent_shown(self) -> int:
        """The share of the log up to the shown action, in per cent."""
        return round(100 * self.shown / self.last) if self.last else 0

    @property
    def last_turn_query(self) -> str:
        """The query of the page that shows the board after the viewer's last action."""
        return query_at(self.last - len(self.new))

    @property
    def links(self) -> tuple[HistoryLink, ...]:
        """Links to the start, one action back, one forward, and to now."""
        return history_links(self.shown, self.last, self._query_of)

    def _query_of(self, number: int | None) -> str:
        if not self.review_part:
            return query_at(number)
        return reviewed_query(self.last if number is None else number, self.review_part)


def history_links(
    shown: int, last: int, query_of: Callable[[int | None], str] = query_at
) -> tuple[HistoryLink, ...]:
    """Return links from action `shown` of `last` to the start, one action back, one forward, and to now.

    `query_of` returns the query of a page that shows an action, or the newest position (None).
    """

    def to(number: int) -> str:
        return query_of(number if number < last else None)

    can_go_back = shown > 0
    can_go_forward = shown < last
    return (
        HistoryLink("first", "i-first", "{", _("First position"), to(0) if can_go_back else None),
        HistoryLink("previous", "i-prev", "[", _("Previous action"), to(shown - 1) if can_go_back else None),
        HistoryLink("next", "i-next", "]", _("Next action"), to(shown + 1) if can_go_forward else None),
        HistoryLink("now", "i-last", "}", _("Back to now"), to(last) if can_go_forward else None),
    )
