"""The game page is light: few requests and bytes, and nothing jumps while it loads or moves come in."""

import pytest
from playwright.sync_api import Browser

from bench.weight import weigh
from tests.browser.states.making import three

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_game_page_stays_within_its_limits(chrome: Browser, server: str) -> None:
    weights = weigh(chrome, server, three())
    assert [str(weight) for weight in weights if not weight.is_within] == []
