"""Registers the test title."""

from games.shown.plain.apps import PlainTitleConfig
from games.titles.talents import Talent
from tests.titles.pairs.rules import PairsRules
from tests.titles.pairs.words import PairsWords


class PairsConfig(PlainTitleConfig):
    """The wing of Pairs, an app without models outside `games`."""

    name = "tests.titles.pairs"
    rules = PairsRules
    words = PairsWords
    talents = frozenset({Talent.DUPLICATE, Talent.TEAMS})
