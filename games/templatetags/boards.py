"""Template tags and filters of the page of a game, for every title."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.safestring import SafeString

from games.shown.history import full_text
from games.shown.kept import keep_latest
from games.shown.parts import include_kept
from games.shown.words import describe_level, join_words, with_separators
from games.titles.history import LogEntry

KEPT_LISTS = 512  # parts of logs; a page has at most four

register = template.Library()


@register.simple_tag
@keep_latest(KEPT_LISTS)
def log_entries(entries: Sequence[LogEntry], url: str, part: str) -> SafeString:
    """Return actions of the log with links to the page at `url`; the ids of the links begin with `part`."""
    parts = (include_kept("games/_entry.html", entry=entry, url=url, part=part) for entry in entries)
    return SafeString("".join(entry.strip() for entry in parts))


register.filter("full_text", full_text)
register.filter("join_words", join_words)
register.filter("with_separators", with_separators)
register.filter("describe_level", describe_level)


@register.filter
def count_possible(wishes: Sequence[Any]) -> int:
    """Return how many wishes of a plan, as `Plans.show_plan` shows them, can still be played."""
    return sum(not wish.problem for wish in wishes)


@register.simple_tag
def turn_icon(is_turn: object) -> str:
    """Return the address of the tab's icon, which shows whether it is the viewer's turn."""
    return _turn_icon(bool(is_turn))


@cache
def _turn_icon(is_turn: bool) -> str:
    return static(f"games/icons/favicon{'-turn' if is_turn else ''}.svg")
