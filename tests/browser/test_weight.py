"""The game page is light: few requests and bytes, and no layout shift while it loads or changes."""

import pytest
from playwright.sync_api import Browser

from bench.weight import weigh
from tests.browser.states.making import game_of_three

pytestmark = pytest.mark.django_db(transaction=True)


def test_game_page_stays_within_its_limits(chrome: Browser, server: str) -> None:
    weights = weigh(chrome, server, game_of_three())
    assert [str(weight) for weight in weights if not weight.is_within] == []
