"""Push messages in a real browser: its service worker shows one and sets the badge."""

import json

import pytest
from playwright.sync_api import CDPSession, Page

from games.models import Game
from tests.browser.conftest import OpenAs
from tests.play import mover

pytestmark = pytest.mark.django_db(transaction=True)

# Notes what the service worker shows: private windows, as in these tests, refuse notifications, and no API
# returns the number on the icon.
NOTE_WHAT_IS_SHOWN = """() => {
    self.badges = [];
    self.shown = new Promise((resolve) => {
        self.registration.showNotification = async (title, { body, tag, data }) => {
            resolve({ title, body, tag, url: data.url });
        };
    });
    Object.defineProperty(navigator, "setAppBadge", { value: async (count) => { self.badges.push(count); } });
}"""


def registration_of(page: Page, devtools: CDPSession) -> str:
    """Return the DevTools protocol's id of the site's service worker."""
    found: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: found.extend(one["registrationId"] for one in event["registrations"]),
    )
    devtools.send("ServiceWorker.enable")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    for _wait in range(500):
        if found:
            return found[0]
        page.wait_for_timeout(10)
    pytest.fail("The site has no service worker.")


def test_the_service_worker_shows_a_push_message_and_sets_the_badge(
    open_as: OpenAs, game: Game, server: str
) -> None:
    page = open_as(mover(game), "/", service_workers="allow")
    devtools = page.context.new_cdp_session(page)
    registration = registration_of(page, devtools)
    worker = page.context.service_workers[0]
    worker.evaluate(NOTE_WHAT_IS_SHOWN)
    message = {
        "title": "Your turn",
        "body": "Ines: 12 discs left",
        "url": "/g/moon/",
        "tag": "game",
        "turns": 3,
    }
    values = {"origin": server, "registrationId": registration, "data": json.dumps(message)}
    devtools.send("ServiceWorker.deliverPushMessage", values)
    assert worker.evaluate("shown") == {name: message[name] for name in ("title", "body", "tag", "url")}
    assert worker.evaluate("badges") == [3]
