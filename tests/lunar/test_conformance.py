"""LUNAR passes the conformance suite."""

import pytest

from games.lunar.board.title_words import LunarWords
from games.lunar.pages import LunarPages
from games.lunar.rules import LunarRules
from games.shown.testing import check_pages
from games.titles.testing.suite import check_title
from tests.lunar.redeals import redeal_lunar


def test_lunar_passes() -> None:
    check_title(LunarRules(), redeal=redeal_lunar, games=2)


@pytest.mark.parametrize("options", [{"stars": "ranks"}, {"stars": "none", "leads": [1, 0]}], ids=str)
def test_lunar_passes_with_other_options(options: dict[str, object]) -> None:
    check_title(LunarRules(), options=options, redeal=redeal_lunar, seed=1, games=1)


def test_lunar_has_words() -> None:
    check_pages(LunarRules(), LunarPages(LunarRules(), LunarWords()), redeal=redeal_lunar, games=1)
