"""The log of a game in words, with links to its past positions."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from games import marked
from games.marked import as_html, ngettext
from games.shown.kept import keep_latest
from games.shown.words import describe_level
from games.titles.rules import AnyStep
from games.titles.seat_changes import describe_seat_change
from games.titles.view import AnyView

KEPT_HISTORIES = 64
RECENT = 8  # actions that the log shows after the new ones; the older ones are shown on request
RECENT_IN_TEXT = 5  # actions that text mode shows if none is new to the viewer

# Returns a step in words. `Any` is the class of the views of a title, and of its steps.
DescribeStep = Callable[[Any, Any], str]
# Returns the id of the symbol on the page that shows what a step was about; empty for none.
SymbolOf = Callable[[Any], str]


def no_symbol(_step: AnyStep) -> str:
    """Return no symbol, as titles without pictures do."""
    return ""


def query_at(number: int | None) -> str:
    """Return the query of a page that shows action `number`; empty for None, the newest.

    >>> query_at(3)
    '?at=3'
    """
    return "" if number is None else f"?at={number}"


@dataclass(frozen=True)
class LogEntry:
    """An action of the log in words; `name` is the player's name if `text` begins with it, else empty.

    `symbol` is the id of a picture on the page, see `SymbolOf`. `query` leads to the board after the action.
    `changes` says who plays a seat since then, oldest first, and how long the site was down before the next
    one.
    """

    number: int
    seat: int | None
    symbol: str
    name: str
    text: str
    query: str
    is_shown: bool
    caretaker: str = ""  # the level of the bot that made the action for a person
    changes: tuple[str, ...] = ()

    @property
    def full_text(self) -> str:
        """The words, with the level of the bot that made the action for a person."""
        if not self.caretaker:
            return self.text
        return marked.gettext("%(text)s (bot · %(level)s)") % {"text": self.text, "level": self.caretaker}

    @property
    def text_after_name(self) -> str:
        """The words without the name, which pages print in bold."""
        return self.text.removeprefix(self.name)


@dataclass(frozen=True)
class PlayerActions:
    """Consecutive actions of one player, oldest first."""

    name: str
    entries: tuple[LogEntry, ...]

    @property
    def count_text(self) -> str:
        """The number of actions, in words."""
        count = len(self.entries)
        return ngettext("%(count)d action", "%(count)d actions", count) % {"count": count}


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

    `shown` is the action that the board shows. `first_changes` says who plays a seat since before the first
    action, oldest first.
    """

    new: tuple[LogEntry, ...]
    recent: tuple[LogEntry, ...]
    older: tuple[LogEntry, ...]
    shown: int
    last: int
    first_changes: tuple[str, ...] = ()

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
        """Whether the board shows the position after one of the older actions."""
        return any(entry.is_shown for entry in self.older)

    @property
    def older_query(self) -> str:
        """The query of the page that also has the older actions; it shows the same action."""
        return f"{query_at(self.shown)}&older=1" if self.shown < self.last else "?older=1"

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
        return history_links(self.shown, self.last)


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


@keep_latest(KEPT_HISTORIES)
def history(view: AnyView, describe_step: DescribeStep, symbol_of: SymbolOf = no_symbol) -> History:
    """Return the log in words for the viewer, with the words and symbols of the title."""
    entries = [_entry(number, view, describe_step, symbol_of) for number in range(1, view.version + 1)]
    last_own = max(
        (entry.number for entry in entries if view.viewer is not None and entry.seat == view.viewer),
        default=0,
    )
    known = tuple(reversed(entries[:last_own] if last_own else entries))
    return History(
        new=tuple(reversed(entries[last_own:])) if last_own else (),
        recent=known[:RECENT],
        older=known[RECENT:],
        shown=view.shown,
        last=view.version,
        first_changes=_changes_after(0, view),
    )


def recent_actions(log: History, view: AnyView) -> tuple[PlayerActions, ...]:
    """Return the actions that are new to the viewer, player by player; if none is new, the latest few."""
    entries = log.new or log.recent[:RECENT_IN_TEXT]
    return tuple(
        _actions_of(seat, tuple(group), view)
        for seat, group in groupby(reversed(entries), key=lambda entry: entry.seat)
    )


def _actions_of(seat: int | None, entries: tuple[LogEntry, ...], view: AnyView) -> PlayerActions:
    people = view.as_played(entries[0].number).people
    name = "" if seat is None else _("You") if people[seat].is_you else people[seat].name
    return PlayerActions(name, entries)


def _changes_after(number: int, view: AnyView) -> tuple[str, ...]:
    """Return in words the outages and the changes of seats between action `number` and the next one."""
    outages = (outage.text for outage in view.outages if outage.number == number + 1)
    changes = (
        describe_seat_change(change, view.before_changes(view.seat_changes[place + 1 :]))
        for place, change in enumerate(view.seat_changes)
        if change.number == number + 1
    )
    return (*outages, *changes)


def _entry(number: int, view: AnyView, describe_step: DescribeStep, symbol_of: SymbolOf) -> LogEntry:
    step = view.steps[number - 1]
    changes = _changes_after(number, view)
    caretaker = describe_level(view.caretaker_at(number))
    view = view.as_played(number)
    text = describe_step(step, view)
    name = "" if step.seat is None else _("You") if step.seat == view.viewer else view.people[step.seat].name
    return LogEntry(
        number=number,
        seat=step.seat,
        symbol=symbol_of(step),
        name=name if as_html(text).startswith(as_html(name)) else "",
        text=text,
        query=query_at(number) if number < view.version else "",
        is_shown=number == view.at,
        caretaker=caretaker,
        changes=changes,
    )
