"""Registers the test title."""

from typing import cast

from django.apps import AppConfig


class PairsConfig(AppConfig):
    """The wing of Pairs, an app without models outside `games`."""

    name = "tests.titles.pairs"
    label = "pairs"

    def ready(self) -> None:
        """Register the title."""
        from games.titles.pages import AnyPages
        from games.titles.registry import Title, register
        from games.titles.talents import Talent
        from tests.titles.pairs.rules import PairsRules

        register(Title("pairs", PairsRules(), cast("AnyPages", None), talents=frozenset({Talent.PLANS})))
