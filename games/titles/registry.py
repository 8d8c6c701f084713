"""The titles that the site offers. Each registers itself when its app is ready."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from games.titles.bots import LEVEL_NAMES, Bots
from games.titles.experts import Adviser, Judge, Trainer
from games.titles.general_bot import GENERAL_BOTS
from games.titles.rules import AnyRules, UnknownRules
from games.titles.talents import Talent

if TYPE_CHECKING:
    # Services and models, which know titles, import no texts.
    from games.titles.expert_pages import ReviewPages, TrainerPages
    from games.titles.learning_pages import LessonPages, RulesPages
    from games.titles.pages import AnyPages
    from games.titles.solo_pages import SoloPages


@dataclass(frozen=True)
class Title:
    """A game that the site offers. `key` is the name that is stored with its games: up to 24 letters."""

    key: str
    rules: AnyRules
    pages: AnyPages
    talents: frozenset[Talent] = frozenset()
    bots: Bots = GENERAL_BOTS

    @property
    def table_sizes(self) -> list[int]:
        """The numbers of seats that tables of several players can have, the fewest first."""
        return sorted(count for count in self.rules.seat_counts if count > 1)

    @property
    def usual_level(self) -> str:
        """The level of bots that nobody has chosen: the middle one, or the weaker of two."""
        levels = list(self.bots.levels)
        return levels[(len(levels) - 1) // 2]

    @property
    def adviser(self) -> Adviser:
        """The bots of a title with the talent HINTS."""
        return cast("Adviser", self.bots)

    @property
    def judge(self) -> Judge:
        """The bots of a title with the talent REVIEWS."""
        return cast("Judge", self.bots)

    @property
    def trainer(self) -> Trainer:
        """The bots of a title with the talent TRAINER."""
        return cast("Trainer", self.bots)

    @property
    def counts_reveals(self) -> bool:
        """Whether `known` grows with each reveal: of titles with hands, only plans need that."""
        return not self.rules.has_hands or Talent.PLANS in self.talents

    @property
    def solo_pages(self) -> SoloPages:
        """The pages of a title with the talent SOLO."""
        return cast("SoloPages", self.pages)

    @property
    def review_pages(self) -> ReviewPages[Any]:
        """The pages of a title with the talent REVIEWS."""
        return cast("ReviewPages[Any]", self.pages)

    @property
    def trainer_pages(self) -> TrainerPages[Any]:
        """The pages of a title with the talent TRAINER."""
        return cast("TrainerPages[Any]", self.pages)

    @property
    def lesson_pages(self) -> LessonPages:
        """The pages of a title with the talent LESSONS."""
        return cast("LessonPages", self.pages)

    @property
    def rules_pages(self) -> RulesPages:
        """The pages of a title with the talent RULES."""
        return cast("RulesPages", self.pages)


# What the bots of a title with these talents can do.
_OF_EXPERTS = {Talent.HINTS: Adviser, Talent.REVIEWS: Judge, Talent.TRAINER: Trainer}


_titles: dict[str, Title] = {}

# The titles by key, in the order of the installed apps.
TITLES: Mapping[str, Title] = MappingProxyType(_titles)


class UnknownTitle(UnknownRules):
    """No installed app has the title of a game."""


def register(title: Title) -> None:
    """Offer a title. Its `AppConfig.ready` calls this, which Django may run more than once.

    Raises ValueError for a key that another title has, and if the bots or the sides lack what the talents
    promise, or the bots have a level without words.
    """
    known = _titles.get(title.key)
    if known is not None and type(known.rules) is not type(title.rules):
        raise ValueError(f"Two installed apps register the title {title.key!r}. Remove one of them.")
    for talent, protocol in _OF_EXPERTS.items():
        if talent in title.talents and not isinstance(title.bots, protocol):
            raise ValueError(
                f"The title {title.key!r} has the talent {talent.name}, for which its bots must be an "
                f"{protocol.__name__} of games.titles.experts."
            )
    if Talent.TEAMS in title.talents and not _has_two_equal_sides(title):
        raise ValueError(
            f"The title {title.key!r} has the talent TEAMS, so all its tables must have two sides with "
            "equally many seats."
        )
    levels = set(title.bots.levels)
    if not levels or not levels <= {*LEVEL_NAMES} & {*title.pages.bot_levels}:
        raise ValueError(
            f"The bots of the title {title.key!r} have the levels {list(title.bots.levels)}. There must be "
            f"some of {', '.join(LEVEL_NAMES)}, each with a text in `bot_levels` of the pages."
        )
    _titles[title.key] = title


def _has_two_equal_sides(title: Title) -> bool:
    seats_by_side = (Counter(title.rules.sides(seats)) for seats in title.table_sizes)
    return all(set(counted) == {0, 1} and counted[0] == counted[1] for counted in seats_by_side)


def first_title() -> Title:
    """Return the title that the site offers first, from the first app in INSTALLED_APPS which has one."""
    return next(iter(_titles.values()))


def titles_with(talent: Talent) -> list[str]:
    """Return the keys of the titles that have a talent, in the order of the installed apps."""
    return [key for key, title in _titles.items() if talent in title.talents]


def all_with(talent: Talent) -> list[Title]:
    """Return the titles that have a talent, in the same order."""
    return [_titles[key] for key in titles_with(talent)]


def offers(talent: Talent) -> bool:
    """Return whether a title of the site has a talent."""
    return bool(titles_with(talent))


def title_with(talent: Talent) -> Title:
    """Return the first title that has a talent. Raises UnknownTitle if the site does not offer it."""
    for title in all_with(talent):
        return title
    raise UnknownTitle(f"No installed title has the talent {talent.name}.")


def has_rules(key: str, version: int | None) -> bool:
    """Return whether this program can replay a log of a title that was written under a version."""
    return key in _titles and version in _titles[key].rules.versions


def has_talent(key: str, talent: Talent) -> bool:
    """Return whether this program has a title with a talent."""
    return key in _titles and talent in _titles[key].talents


def has_hands(key: str) -> bool:
    """Return whether seats may know more than spectators in games of a title."""
    return key in _titles and _titles[key].rules.has_hands


def title_named(key: str) -> Title:
    """Return a title. Raises UnknownTitle if no installed app has registered it."""
    try:
        return _titles[key]
    except KeyError:
        raise UnknownTitle(
            f"The title {key!r} is not installed. Add the app of its wing to INSTALLED_APPS."
        ) from None
