"""The actions that a viewer of a plain page can choose, as buttons, and how its forms send them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from games.shown.plain.words import AnyWords
from games.titles.actions import Resign
from games.titles.boards import Unreadable
from games.titles.history import query_at
from games.titles.rules import AnyRules, IllegalAction
from games.titles.view import AnyView

MOST_UNGROUPED = 8  # actions that a page shows without headings
LONGEST_VALUE = 2000


@dataclass(frozen=True)
class Button:
    """An action on a page: its label, its line, the `value` that forms post, and its `query`.

    The query leads to a page on which the action is chosen but not yet confirmed.
    """

    label: str
    line: str
    value: str
    query: str


@dataclass(frozen=True)
class Group:
    """Actions under a heading, which is empty if there are few actions."""

    heading: str
    buttons: tuple[Button, ...]


def groups_of(
    actions: Iterable[Any], view: AnyView, words: AnyWords, rules: AnyRules, *, is_plan: bool = False
) -> tuple[Group, ...]:
    """Return actions as buttons, in groups if there are many and the title has headings for them."""
    groups: dict[str, list[Button]] = {}
    listed = list(actions)
    for action in listed:
        heading = words.group_action(action, view) if len(listed) > MOST_UNGROUPED else ""
        groups.setdefault(heading, []).append(button_of(action, view, words, rules, is_plan=is_plan))
    return tuple(Group(heading, tuple(buttons)) for heading, buttons in groups.items())


def button_of(
    action: Any, view: AnyView, words: AnyWords, rules: AnyRules, *, is_plan: bool = False
) -> Button:
    """Return an action as a button."""
    line = words.write_action(action)
    query = urlencode({"plan": 1, "choice": line} if is_plan else {"choice": line})
    return Button(words.describe_action(action, view), line, write_actions([action], rules), f"?{query}")


def chosen_of(asked: Mapping[str, str], actions: Iterable[Any], words: AnyWords) -> Any:
    """Return the action that the query of a page has chosen; None if it is none of these."""
    line = asked.get("choice")
    return next((action for action in actions if words.write_action(action) == line), None) if line else None


def query_of(view: AnyView, chosen: Any, words: AnyWords) -> str:
    """Return the query of a page that shows the same action, and keeps the choice."""
    return query_at(view.at) if chosen is None else f"?{urlencode({'choice': words.write_action(chosen)})}"


def write_actions(actions: Sequence[Any], rules: AnyRules) -> str:
    """Return actions as forms post them."""
    return json.dumps([rules.action_to_json(action) for action in actions], separators=(",", ":"))


def read_actions(text: str, rules: AnyRules) -> list[Any]:
    """Return the actions that a form posts. Raises Unreadable."""
    try:
        if len(text) > LONGEST_VALUE:
            raise Unreadable
        values = json.loads(text) if text else []
        actions = [rules.action_from_json(value) for value in values]
    except (IllegalAction, TypeError, ValueError, RecursionError):
        raise Unreadable from None
    if any(isinstance(action, Resign) or action.seat is None for action in actions):
        raise Unreadable
    return actions
