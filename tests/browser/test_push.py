"""A push message in a real browser: its service worker shows it, sets the badge, and closes it again."""

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright, expect

from games.models import Browser
from games.services import after_commit
from games.services.channels import browsers
from tests.browser.conftest import log_in
from tests.games.notifications.test_push import Device, deliver, new_key, push_server, turn_of, withdraw
from tests.play import person
from tests.plugins import chromium

pytestmark = pytest.mark.django_db(transaction=True)

# No API returns the number on the icon, so the worker notes what it sets.
NOTE_BADGES = """() => {
    self.badges = [];
    const set = navigator.setAppBadge.bind(navigator);
    navigator.setAppBadge = (count) => { self.badges.push(count); return set(count); };
}"""
# Chromium has no push server here, and lets nobody else end a subscription.
RENEW = """async ([endpoint, renewed, { public_key, auth }]) => {
    const event = new Event("pushsubscriptionchange");
    event.oldSubscription = endpoint && { endpoint };
    event.newSubscription = { toJSON: () => ({ endpoint: renewed, keys: { p256dh: public_key, auth } }) };
    let end;
    event.waitUntil = (work) => { end = work; };
    self.dispatchEvent(event);
    await end;
}"""
# Nor does it have a subscription here.
SUBSCRIBE = """(endpoint) => { PushManager.prototype.getSubscription = async () => ({ endpoint }); }"""
SHOWN = """async () => {
    const shown = await (await navigator.serviceWorker.ready).getNotifications();
    return shown.map(({ title, body, data }) => [title, body, data.url]);
}"""


@pytest.fixture
def window(playwright: Playwright, tmp_path: Path) -> Iterator[BrowserContext]:
    """A browser that is allowed to show notifications."""
    context = chromium.launch_whole(playwright, tmp_path)
    context.set_default_timeout(10_000)
    yield context
    context.close()


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


def wait_for_shown(page: Page, pass_on: Callable[[], None], shown: list[list[str]]) -> None:
    """Pass a message on until the browser shows exactly these notifications.

    While its notification system starts, Chromium forgets what it has shown.
    """
    for wait in range(400):
        if wait % 40 == 0:
            pass_on()
        page.wait_for_timeout(25)
        if page.evaluate(SHOWN) == shown:
            return
    assert page.evaluate(SHOWN) == shown


# A browser whose user has not decided yet, and refuses when the page asks. It counts how often pages ask.
UNDECIDED = """
    window.asked = 0;
    window.PushManager = class {};
    window.Notification = class {
        static permission = "default";
        static async requestPermission() {
            window.asked += 1;
            return (this.permission = "denied");
        }
    };
"""
REFUSED = "window.Notification.permission = 'denied';"
WITHOUT_PUSH = "delete window.PushManager;"


def test_the_page_asks_only_after_a_press_and_says_what_to_do_where_the_browser_refuses(
    page: Page, server: str
) -> None:
    log_in(page.context, person("Ines"), server)
    button = page.get_by_role("button", name="Show notifications here")
    refused = page.get_by_text("Allow them in the settings of the site")
    page.add_init_script(UNDECIDED)
    page.goto("/account/notifications/")
    expect(button).to_be_visible()
    expect(refused).to_be_hidden()
    assert page.evaluate("asked") == 0
    button.click()
    expect(refused).to_be_visible()
    expect(button).to_be_hidden()
    assert page.evaluate("asked") == 1
    assert not Browser.objects.exists()

    page.add_init_script(REFUSED)
    page.reload()
    expect(refused).to_be_visible()
    expect(button).to_be_hidden()
    page.add_init_script(WITHOUT_PUSH)
    page.reload()
    expect(page.get_by_text("Please try another one")).to_be_visible()
    expect(button).to_be_hidden()
    assert page.evaluate("asked") == 0


def test_the_service_worker_shows_a_push_message_with_the_badge_and_closes_it_after_the_turn(
    window: BrowserContext, server: str, settings: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A worker that other tests have started must not send the message: it may not reach this push server.
    monkeypatch.setattr(after_commit, "queue", lambda *_task, **_options: True)
    ines = person("Ines")
    log_in(window, ines, server)
    page = window.new_page()
    window.grant_permissions(["notifications"], origin=server)
    page.goto(server)
    devtools = window.new_cdp_session(page)
    registration = registration_of(page, devtools)
    worker = window.service_workers[0]
    worker.evaluate(NOTE_BADGES)
    with push_server(settings) as pushes:
        device = Device(new_key(), pushes.url)
        browsers.add(ines, name="Chrome", **device.fields())

        def pass_on() -> None:
            """Give the newest message of the push server to the browser."""
            data = json.dumps(device.read(pushes.requests[-1]))
            values = {"origin": server, "registrationId": registration, "data": data}
            devtools.send("ServiceWorker.deliverPushMessage", values)

        worker.evaluate(SUBSCRIBE, device.endpoint)
        turn = deliver(turn_of(ines))
        score = "Ines: 20 discs left · Tobias: 20 discs left"
        shown = ["Your turn against Tobias", score, turn.game.get_absolute_url()]
        wait_for_shown(page, pass_on, [shown])
        withdraw(turn)
        wait_for_shown(page, pass_on, [])
    # A browser may not say which subscription it has ended.
    for ended, path in [(None, "renewed"), ("https://push.example.org/renewed", "again")]:
        renewed = Device(new_key(), f"https://push.example.org/{path}")
        worker.evaluate(RENEW, [ended, renewed.endpoint, renewed.fields()])
        assert Browser.objects.get().endpoint == renewed.endpoint
    assert [badge for badge, _times in groupby(worker.evaluate("badges"))] == [1, 0]
