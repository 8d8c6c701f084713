"""A passkey is made and used in Chromium, with its virtual authenticator: as first and as second factor."""

import re
from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.hashers import make_password
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from tests import play
from tests.browser.conftest import OpenBrowser, log_in
from tests.waiting import wait_until

PASSWORD = "moon-and-stars-17"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(server: str) -> str:
    """The URL of the server by its name, because browsers have no passkeys for IP addresses."""
    return server.replace("127.0.0.1", "localhost")


def person() -> User:
    """Return a person whose password the server can check; the tests' own hashes are unknown there."""
    ines = play.person("Ines")
    ines.password = make_password(PASSWORD, hasher="argon2")
    ines.save()
    return ines


def give_device(page: Page) -> Callable[[], None]:
    """Give the page a device with passkeys, which recognises its person; return what forgets them."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    device = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]
    return lambda: session.send("WebAuthn.clearCredentials", {"authenticatorId": device})


def add_passkey(page: Page) -> None:
    page.goto("/account/security/")
    page.get_by_role("link", name="Add a passkey").click()
    if "/reauthenticate/" in page.url:
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Continue").click()
    page.get_by_label("Name").fill("My phone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page).to_have_url(re.compile("/account/security/recovery-codes/$"))


def test_a_passkey_is_all_that_a_person_needs_to_log_in(
    open_browser: OpenBrowser, server: str, axe: Callable[..., None]
) -> None:
    ines = person()
    page = open_browser()
    give_device(page)
    log_in(page.context, ines, server)
    add_passkey(page)
    axe(page)
    page.get_by_role("link", name="I have stored them").click()
    expect(page.get_by_text("My phone")).to_be_visible()
    axe(page)

    page.context.clear_cookies()
    late_scripts: list[Route] = []
    page.route(re.compile(r"/js/passkeys\b"), lambda route: late_scripts.append(route))
    page.goto("/account/login/?next=/finished/", wait_until="commit")
    log_in_button = page.get_by_role("button", name="Log in with a passkey")
    expect(log_in_button).to_be_disabled()
    # Playwright handles requests during a call only.
    wait_until(lambda: late_scripts, "the script", meanwhile=lambda: page.wait_for_timeout(10))
    late_scripts.pop().continue_()
    expect(log_in_button).to_be_enabled()
    axe(page)
    log_in_button.click()
    expect(page).to_have_url(re.compile("/finished/$"))
    expect(page.locator("body")).to_have_attribute("data-person", str(ines.pk))


def test_a_passkey_is_asked_for_after_a_password(
    open_browser: OpenBrowser, server: str, axe: Callable[..., None]
) -> None:
    ines = person()
    page = open_browser(allows_refusals=True)
    forget = give_device(page)
    log_in(page.context, ines, server)
    add_passkey(page)
    [first_code, *_codes] = page.locator(".codes code").all_inner_texts()

    page.context.clear_cookies()
    page.goto("/account/login/")
    page.get_by_label("Username or email address").fill("Ines")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page).to_have_url(re.compile("/account/security/authenticate/$"))
    axe(page)
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.locator("body")).to_have_attribute("data-person", str(ines.pk))

    # Without the passkey, a recovery code opens the account, and the passkey can be removed.
    forget()
    page.context.clear_cookies()
    page.goto("/account/login/")
    page.get_by_label("Username or email address").fill("Ines")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Log in", exact=True).click()
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("No passkey was used")
    page.get_by_label("Code").fill(first_code)
    page.get_by_role("button", name="Log in").click()
    expect(page.locator("body")).to_have_attribute("data-person", str(ines.pk))
    page.goto("/account/security/")
    page.get_by_role("link", name="Remove My phone").click()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_text("You have no passkey.")).to_be_visible()
    assert not Authenticator.objects.filter(user=User.objects.get(pk=ines.pk)).exists()


def test_a_person_signs_up_with_a_passkey_and_no_password(open_browser: OpenBrowser, server: str) -> None:
    page = open_browser()
    give_device(page)
    page.goto(f"{server}/account/signup/")
    page.get_by_role("link", name="Sign up with a passkey").click()
    page.get_by_label("Username").fill("Noor")
    page.get_by_label("Email address").fill("noor@example.org")
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page).to_have_url(re.compile("/account/security/recovery-codes/$"))

    page.context.clear_cookies()
    page.goto(f"{server}/account/login/")
    page.get_by_role("button", name="Log in with a passkey").click()
    noor = User.objects.get(username="Noor")
    expect(page.locator("body")).to_have_attribute("data-person", str(noor.pk))
    assert not noor.has_usable_password()


def test_a_session_is_ended_from_another(
    open_browser: OpenBrowser, server: str, axe: Callable[..., None]
) -> None:
    ines = person()
    phone, desk = open_browser(allows_refusals=True), open_browser()  # A poll of the phone can be refused.
    for page in (phone, desk):
        log_in(page.context, ines, server)
        page.goto(f"{server}/account/sessions/")
    axe(desk)
    # The sessions were made without a browser, which the first visit names.
    desk.get_by_role("button", name="End the session in").click()
    expect(desk.get_by_text("That session has ended.")).to_be_visible()
    phone.reload()
    expect(phone).to_have_url(re.compile("/account/login/"))
    desk.reload()
    expect(desk.get_by_text("this browser")).to_be_visible()
