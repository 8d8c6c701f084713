"""Words that pages and emails of every title share: lists of names, waiting times, levels of bots."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_lazy

from games.marked import MarkedText, capitalise, ngettext
from games.marked import gettext as _

BOT_LEVELS = {
    "easy": gettext_lazy("easy"),
    "medium": gettext_lazy("medium"),
    "hard": gettext_lazy("hard"),
    "expert": gettext_lazy("expert"),
}


def describe_level(level: str) -> str:
    """Return the level of a bot as a word; empty without one."""
    return str(BOT_LEVELS.get(level, level))


def begin_sentence(words: str) -> str:
    """Return words that begin a sentence, with a capital letter if they begin with "a former player".

    Other names stay as people have chosen them.

    >>> begin_sentence("a former player won"), begin_sentence("tobias won")
    ('A former player won', 'tobias won')
    """
    return capitalise(words) if words.startswith(_("a former player")) else words


def join_words(words: Sequence[str]) -> str:
    """Return words as a list: "a, b and c".

    >>> join_words(["Tobias", "Halley", "Mina"])
    'Tobias, Halley and Mina'
    """
    if len(words) < 2:
        return MarkedText().join(words)
    return _("%(some)s and %(last)s") % {"some": _(", ").join(words[:-1]), "last": words[-1]}


def with_separators(items: Sequence[Any]) -> list[tuple[Any, str]]:
    """Return each item with the text that follows it, for lists whose names are links or have marks.

    >>> with_separators(["Tobias", "Halley", "Mina"])
    [('Tobias', ', '), ('Halley', ' and '), ('Mina', '')]
    """
    between = [_(", ")] * (len(items) - 2) + [join_words(["", ""])]
    return list(zip(items, [*between[: len(items) - 1], ""], strict=False))


def format_wait(since: datetime, now: datetime) -> str:
    """Return how long something has waited, in words; empty within the first minute.

    Both times are in the time zone in which days begin.

    >>> format_wait(datetime(2026, 3, 1, 9, 0), datetime(2026, 3, 1, 12, 30))
    'for 3 hours'
    >>> format_wait(datetime(2026, 3, 1, 9, 0), datetime(2026, 3, 2, 12, 30))
    'since yesterday'
    """
    minutes = int((now - since).total_seconds() // 60)
    days = (now.date() - since.date()).days
    if minutes < 1:
        return ""
    if minutes < 60:
        return ngettext("for %(count)d minute", "for %(count)d minutes", minutes) % {"count": minutes}
    if minutes < 24 * 60:
        hours = minutes // 60
        return ngettext("for %(count)d hour", "for %(count)d hours", hours) % {"count": hours}
    if days == 1:
        return _("since yesterday")
    return ngettext("for %(count)d day", "for %(count)d days", days) % {"count": days}
