"""LUNAR passes the conformance suite."""

from games.lunar.rules import LunarRules
from games.lunar.words import LunarWords
from games.shown.plain.pages import PlainPages
from games.shown.testing import check_pages
from games.titles.testing.suite import check_title


def test_lunar_passes() -> None:
    check_title(LunarRules())


def test_lunar_has_words() -> None:
    check_pages(LunarRules(), PlainPages(LunarRules(), LunarWords()))
