"""Pages of a site that has just started, while its search gets ready."""

from concurrent.futures import ThreadPoolExecutor
from unittest import mock

from django.db import connections
from django.urls import reverse
from playwright.sync_api import Page

from games import search_process
from games.services import reviews
from tests import play
from tests.browser.states.catalogue import Visit, minor_state
from tests.browser.states.hints import game_against_bot, store_hint
from tests.browser.states.making import people
from tests.browser.states.reviews import finished_game_of_two
from tests.clients import client_of


def visit_early(path: str) -> Visit:
    """Visit a page as Ines. This process answers, because the test server has no search that gets ready."""
    ines = people("Ines")[0]

    def answer() -> str:
        try:
            return client_of(ines).get(path).text
        finally:
            connections.close_all()

    # In a thread of its own, because Playwright has an event loop in this one.
    with (
        ThreadPoolExecutor(1) as pool,
        mock.patch.object(search_process, "seconds_left", return_value=41.0),
    ):
        body = pool.submit(answer).result()

    def prepare(page: Page) -> None:
        page.route(f"**{path}", lambda route: route.fulfill(content_type="text/html", body=body))
        page.route("**/hint/", lambda route: route.fulfill(status=204))

    return Visit(path, ines, before=prepare)


@minor_state
def search_wait_of_bot() -> Visit:
    game = play.game_of(people("Ines")[0], bots=("expert",))
    while play.fresh(game).to_move == 0:
        play.play_one(game)
    return visit_early(game.get_absolute_url())


@minor_state
def search_wait_of_hint() -> Visit:
    return visit_early(store_hint(game_against_bot()).get_absolute_url())


@minor_state
def search_wait_of_review() -> Visit:
    game = finished_game_of_two()
    reviews.ask(game, people("Ines")[0])
    return visit_early(reverse("games:review", args=[game.key]))
