"""Registers the test title."""

from django.apps import AppConfig


class PairsConfig(AppConfig):
    """The wing of Pairs, an app without models outside `games`."""

    name = "tests.titles.pairs"
    label = "pairs"

    def ready(self) -> None:
        """Register the title."""
        from games.titles.plain.pages import PlainPages
        from games.titles.registry import Title, register
        from games.titles.talents import Talent
        from tests.titles.pairs.rules import PairsRules
        from tests.titles.pairs.words import PairsWords

        rules = PairsRules()
        pages = PlainPages(rules, PairsWords())
        register(Title("pairs", rules, pages, talents=frozenset({Talent.PLANS})))
