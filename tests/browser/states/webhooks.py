"""The page of a webhook: not set up, tested, switched off, and with a new secret."""

from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Webhook
from tests.browser.states.catalogue import Visit, minor_state
from tests.browser.states.making import people


def with_webhook(**values: object) -> User:
    """Return Ines with a webhook in Discord that has these values."""
    [ines] = people("Ines")
    defaults = {"url": "https://discord.com/api/webhooks/1234/moon", "format": "discord"}
    Webhook.objects.update_or_create(user=ines, defaults=defaults | values)
    return ines


@minor_state
def webhook() -> Visit:
    return Visit(reverse("games:webhook"), with_webhook(tested_at=timezone.now()))


@minor_state
def webhook_new() -> Visit:
    return Visit(reverse("games:webhook"), people("Ines")[0])


@minor_state
def webhook_off() -> Visit:
    return Visit(reverse("games:webhook"), with_webhook(off_at=timezone.now(), error="HTTP 404"))


@minor_state
def webhook_off_home() -> Visit:
    return Visit(reverse("games:home"), with_webhook(off_at=timezone.now(), error="HTTP 404"))


@minor_state
def webhook_secret() -> Visit:
    def renew(page: Page) -> None:
        page.locator("form[action$='/secret/'] button").click()
        expect(page.locator(".code code")).to_be_visible()

    return Visit(reverse("games:webhook"), with_webhook(format="json"), after=renew)
