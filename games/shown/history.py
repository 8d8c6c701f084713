"""Puts the log of a game into words, for every title."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from django.utils.translation import gettext as _

from games import marked
from games.marked import as_html, ngettext
from games.shown.kept import keep_latest
from games.shown.past_clocks import NO_TIME, action_time
from games.shown.seat_changes import describe_seat_change
from games.shown.words import describe_level
from games.titles.history import History, LogEntry, query_at, reviewed_query
from games.titles.rules import AnyStep
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


def full_text(entry: LogEntry) -> str:
    """Return the words of an action, with the level of the bot that made it for a person, and its time."""
    text = entry.text
    if entry.caretaker:
        text = marked.gettext("%(text)s (by a bot · %(level)s)") % {"text": text, "level": entry.caretaker}
    if entry.is_planned:
        text = marked.gettext("%(text)s (by your plan)") % {"text": text}
    if entry.is_taken_back:
        text = marked.gettext("%(text)s (taken back)") % {"text": text}
    return marked.gettext("%(text)s (%(time)s)") % {"text": text, "time": entry.time} if entry.time else text


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


@keep_latest(KEPT_HISTORIES)
def history(view: AnyView, describe_step: DescribeStep, symbol_of: SymbolOf = no_symbol) -> History:
    """Return the log in words for the viewer, with the words and symbols of the title."""
    part = view.reviewed.part if view.reviewed else ""
    taken_back = view.numbers_taken_back

    def write(after: int, last: int) -> tuple[LogEntry, ...]:
        return tuple(
            _entry(number, view, describe_step, symbol_of, is_taken_back=number in taken_back)
            for number in range(last, after, -1)
        )

    last_known = (view.viewer is not None and view.last_decision) or view.version
    older_count = max(last_known - RECENT, 0)
    return History(
        new=write(last_known, view.version),
        recent=write(older_count, last_known),
        older_count=older_count,
        write_older=partial(write, 0, older_count),
        shown=view.shown,
        last=view.version,
        first_changes=changes_after(0, view),
        review_part=part,
    )


def describe_news(view: AnyView, describe_step: DescribeStep, *, has_hands: bool) -> list[str]:
    """Return what happened since the viewer's last decision in words, oldest first.

    That decision is the first of it if it has revealed something: the viewer, who may have acted by email
    or by one press, has not seen what.
    """
    last_own = view.last_decision
    is_news = last_own and _has_revealed(last_own, view, has_hands=has_hands)
    first = last_own if is_news else last_own + 1
    return [
        describe_step(view.steps[number - 1], view.as_played(number))
        for number in range(first, view.version + 1)
    ]


def _has_revealed(number: int, view: AnyView, *, has_hands: bool) -> bool:
    """Return whether an action has changed more than its player could foresee."""
    if view.position_after(number).known > view.position_after(number - 1).known:
        return True
    return has_hands and bool(view.steps[number - 1].events)


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


def changes_after(number: int, view: AnyView) -> tuple[str, ...]:
    """Return in words the outages and the changes of seats between action `number` and the next one."""
    outages = (outage.text for outage in view.outages if outage.number == number + 1)
    changes = (
        describe_seat_change(change, view.before_changes(view.seat_changes[place + 1 :]))
        for place, change in enumerate(view.seat_changes)
        if change.number == number + 1
    )
    return (*outages, *changes)


def _entry(
    number: int, view: AnyView, describe_step: DescribeStep, symbol_of: SymbolOf, *, is_taken_back: bool
) -> LogEntry:
    step = view.steps[number - 1]
    changes = changes_after(number, view)
    caretaker, is_planned = describe_level(view.caretaker_at(number)), view.was_planned(number)
    view = view.as_played(number)
    text = describe_step(step, view)
    time = action_time(number, view) or NO_TIME
    name = "" if step.seat is None else _("You") if step.seat == view.viewer else view.people[step.seat].name
    # "Your clock ran out" does not begin with the name "You".
    begins = as_html(text).startswith(as_html(name)) and not text.removeprefix(name)[:1].isalpha()
    return LogEntry(
        number=number,
        seat=step.seat,
        symbol=symbol_of(step),
        name=name if begins else "",
        text=text,
        query=_query_of(number, view),
        is_shown=number == view.at,
        is_taken_back=is_taken_back,
        caretaker=caretaker,
        is_planned=is_planned,
        changes=changes,
        left=time.left,
        took=time.took,
        time=time.time,
    )


def _query_of(number: int, view: AnyView) -> str:
    if view.reviewed:
        return reviewed_query(number, view.reviewed.part)
    return query_at(number) if number < view.version else ""
