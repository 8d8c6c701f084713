"""A push message in a real browser: its service worker shows it, sets the badge, and closes it again."""

import json
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, Playwright, expect

from accounts.outside import vapid
from games.models import Browser
from games.services import after_commit
from games.services.channels import browsers
from tests.browser.conftest import log_in
from tests.browser.waits import PATIENCE
from tests.games.notifications.devices import Device, deliver, new_key, turn_of, withdraw
from tests.play import person
from tests.plugins import chromium
from tests.receiver import Receiver

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
    context.set_default_timeout(PATIENCE)
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
    for _wait in range(2000):
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
    window: BrowserContext,
    server: str,
    receiver: Receiver,
    push_key: None,
    monkeypatch: pytest.MonkeyPatch,
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
    device = Device(new_key(), receiver.url)
    browsers.add(ines, name="Chrome", **device.fields())

    def pass_on() -> None:
        """Give the newest message of the push server to the browser."""
        data = json.dumps(device.read(receiver.requests[-1]))
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


# A browser that has a subscription, which lasts from page to page as a real one does.
SUBSCRIBED = """
    Object.defineProperty(Notification, "permission", { get: () => "granted" });
    Notification.requestPermission = async () => "granted";
    const ended = (name) => localStorage.setItem("ended", `${localStorage.getItem("ended") ?? ""} ${name}`);
    const subscriptionTo = (endpoint) => ({
        endpoint,
        toJSON: () => ({ endpoint, keys: { p256dh: "%(public_key)s", auth: "%(auth)s" } }),
        async unsubscribe() {
            ended(endpoint.split("/").pop());
            localStorage.removeItem("endpoint");
            return true;
        },
    });
    const pushManager = {
        async getSubscription() {
            const endpoint = localStorage.getItem("endpoint");
            return endpoint && subscriptionTo(endpoint);
        },
        async subscribe({ applicationServerKey }) {
            if (localStorage.getItem("endpoint")) throw new DOMException("Another key", "InvalidStateError");
            const count = Number(localStorage.getItem("count")) + 1;
            localStorage.setItem("count", count);
            localStorage.setItem("key", applicationServerKey);
            localStorage.setItem("endpoint", `https://push.example.org/new-${count}`);
            return this.getSubscription();
        },
    };
    const registration = { pushManager, getNotifications: async () => [] };
    const serviceWorker = {
        ready: Promise.resolve(registration),
        register: async () => registration,
        getRegistration: async () => registration,
    };
    Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker });
"""


def test_a_subscription_is_renewed_ended_and_kept_as_the_site_and_its_person_say(
    page: Page, server: str, push_key: None
) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    fields = Device(new_key(), "https://push.example.org/old").fields()
    page.add_init_script(SUBSCRIBED % fields)

    def stored() -> list[tuple[str, str]]:
        return [(one.user.username, one.endpoint.split("/")[-1]) for one in Browser.objects.order_by("pk")]

    def ended() -> list[str]:
        return (page.evaluate("localStorage.getItem('ended')") or "").split()

    def wait_for(rows: list[tuple[str, str]], endpoints: list[str]) -> None:
        for _wait in range(800):
            if stored() == rows and ended() == endpoints:
                return
            page.wait_for_timeout(25)
        assert (stored(), ended()) == (rows, endpoints)

    # The site has another key than the one for which the browser has subscribed.
    browsers.add(ines, name="Chrome", site_key="older", **fields)
    log_in(page.context, ines, server)
    page.goto("/rules/")
    page.evaluate("localStorage.setItem('endpoint', 'https://push.example.org/old')")
    page.reload()
    wait_for([("Ines", "new-1")], ["old"])
    assert page.evaluate("localStorage.getItem('key')") == vapid.public_key()

    # Ines logs out, and keeps the messages. Then Tobias uses the browser.
    page.goto("/account/logout/")
    page.get_by_label("Keep showing my notifications in this browser").check()
    page.locator("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    wait_for([("Ines", "new-1")], ["old"])
    log_in(page.context, tobias, server)
    page.goto("/rules/")
    wait_for([], ["old", "new-1"])

    # He subscribes, although something else has left a subscription in the browser, and logs out.
    page.goto("/account/notifications/")
    page.evaluate("localStorage.setItem('endpoint', 'https://push.example.org/odd')")
    page.get_by_role("button", name="Show notifications here").click()
    expect(page.get_by_text("This browser now shows your notifications.")).to_be_visible()
    wait_for([("Tobias", "new-2")], ["old", "new-1", "odd"])
    page.locator(".menu summary").first.click()
    page.get_by_role("link", name="Log out").click()
    page.locator("main").get_by_role("button", name="Log out").click()
    expect(page.get_by_role("link", name="Log in").first).to_be_visible()
    wait_for([], ["old", "new-1", "odd", "new-2"])
