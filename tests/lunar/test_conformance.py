"""LUNAR passes the conformance suite."""

from games.lunar.board.title_words import LunarWords
from games.lunar.pages import LunarPages
from games.lunar.rules import LunarRules
from games.shown.testing import check_pages
from games.titles.testing.suite import check_title


def test_lunar_passes() -> None:
    check_title(LunarRules())


def test_lunar_has_words() -> None:
    check_pages(LunarRules(), LunarPages(LunarRules(), LunarWords()))
