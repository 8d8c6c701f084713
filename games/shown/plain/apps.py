"""The app of a title that has only rules and words."""

from __future__ import annotations

from typing import Any, ClassVar

from django.apps import AppConfig

from games.shown.plain.pages import PlainPages
from games.shown.plain.words import AnyWords, Words
from games.titles.bots import Bots
from games.titles.registry import Title, register
from games.titles.small.rules import SmallRules
from games.titles.talents import Talent


class PlainTitleConfig(AppConfig):
    """Offers a title with the plain page, and with the general bot if it has no `bots` of its own.

    Its app is `name`, as for every `AppConfig`. A title whose words have `plannable` has the talent PLANS.
    """

    default = False  # Django takes the only subclass that an app has

    rules: ClassVar[type[SmallRules[Any]]]
    words: ClassVar[type[AnyWords]]
    talents: ClassVar[frozenset[Talent]] = frozenset()
    bots: ClassVar[Bots] = Title.bots  # the general bot

    def __init_subclass__(cls) -> None:
        """Let Django find the subclass."""
        cls.default = True

    def ready(self) -> None:
        """Register the title."""
        rules, words = self.rules(), self.words()
        has_plans = self.words.plannable is not Words.plannable
        talents = self.talents | ({Talent.PLANS} if has_plans else set())
        register(Title(rules.key, rules, PlainPages(rules, words), talents, self.bots))
