"""The titles that the site offers. Each registers itself when its app is ready."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from games.titles.rules import AnyRules, UnknownRules
from games.titles.talents import Talent

if TYPE_CHECKING:
    # Services and models, which know titles, import no texts.
    from games.titles.pages import AnyPages


@dataclass(frozen=True)
class Title:
    """A game that the site offers. `key` is the name that is stored with its games: up to 24 letters."""

    key: str
    rules: AnyRules
    pages: AnyPages
    talents: frozenset[Talent] = frozenset()


_titles: dict[str, Title] = {}

# The titles by key, in the order of the installed apps.
TITLES: Mapping[str, Title] = MappingProxyType(_titles)


class UnknownTitle(UnknownRules):
    """No installed app has the title of a game."""


def register(title: Title) -> None:
    """Offer a title. Its `AppConfig.ready` calls this, which Django may run more than once.

    Raises ValueError for a key that another title has.
    """
    known = _titles.get(title.key)
    if known is not None and type(known.rules) is not type(title.rules):
        raise ValueError(f"Two installed apps register the title {title.key!r}. Remove one of them.")
    _titles[title.key] = title


def has_rules(key: str, version: int | None) -> bool:
    """Return whether this program can replay a log of a title that was written under a version."""
    return key in _titles and version in _titles[key].rules.versions


def title_named(key: str) -> Title:
    """Return a title. Raises UnknownTitle if no installed app has registered it."""
    try:
        return _titles[key]
    except KeyError:
        raise UnknownTitle(
            f"The title {key!r} is not installed. Add the app of its wing to INSTALLED_APPS."
        ) from None
