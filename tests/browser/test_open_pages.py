"""The page of a game that stays open while the server has errors."""

import re

import pytest
from playwright.sync_api import Page, Route

from games.models import Game
from tests.browser.conftest import log_in
from tests.play import mover

pytestmark = pytest.mark.django_db(transaction=True)

STREAM = re.compile("/stream/")


def test_the_page_retries_a_stream_that_the_server_refused(page: Page, server: str, game: Game) -> None:
    requested = []

    def refuse(route: Route) -> None:
        requested.append(route.request.url)
        route.fulfill(status=204)

    page.clock.install()
    page.route(STREAM, refuse)
    log_in(page.context, mover(game), server)
    with page.expect_response("**/version/**"):
        page.goto(f"/g/{game.key}/")
    assert len(requested) == 1
    page.unroute(STREAM)
    with page.expect_response(STREAM) as answer:
        page.clock.fast_forward(60_000)
    assert answer.value.ok
