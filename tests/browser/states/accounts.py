"""Signing up, logging in, settings, addresses, passwords, and what mails lead to."""

from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse
from playwright.sync_api import Page, expect

from accounts.mail_links import unsubscribe_url
from accounts.models import User
from games.services.mails import turn_mail
from novaluna_site.mailbox import Mail
from tests import play
from tests.browser.states.catalogue import Look, Make, drawn_here, much_like_others, named, state
from tests.browser.states.making import people, submit_unchecked, three


@much_like_others
def log_in() -> Look:
    return Look(reverse("account_login"))


@state
def log_in_refused() -> Look:
    def wrong(page: Page) -> None:
        page.locator("[name=login]").fill("Ines")
        page.locator("[name=password]").fill("sun-and-sand")
        page.locator("main form button[type=submit]").first.click()
        expect(page.locator("[name=password]")).to_have_value("")

    return Look(reverse("account_login"), after=wrong, refused=True)


@much_like_others
def sign_up() -> Look:
    return Look(reverse("account_signup"))


@state
def sign_up_refused() -> Look:
    def wrong(page: Page) -> None:
        page.locator("[name=username]").fill("x")
        page.locator("[name=email]").fill("moon@example")
        page.locator("[name=password1]").fill("123")
        submit_unchecked(page)
        expect(page.locator("[name=username][aria-invalid=true]")).to_be_visible()

    return Look(reverse("account_signup"), after=wrong, refused=True)


def account_page(name: str, *, is_member: bool = True) -> Make:
    return lambda: Look(reverse(name), people("Ines")[0] if is_member else None)


for page_name in ("accounts:settings", "account_email", "account_change_password", "account_logout"):
    named(page_name.replace(":", "-").replace("_", "-"), account_page(page_name))
for page_name in ("account_reauthenticate", "account_inactive", "account_reset_password_from_key_done"):
    named(page_name.replace("_", "-"), account_page(page_name), much_like_others=True)
for page_name in ("account_reset_password", "account_reset_password_done", "account_email_verification_sent"):
    named(page_name.replace("_", "-"), account_page(page_name, is_member=False))


@much_like_others
def account_email_refused() -> Look:
    [ines] = people("Ines")
    EmailAddress.objects.create(user=ines, email="ines.at.the.observatory@uraniborg.example.org")

    def wrong(page: Page) -> None:
        page.locator("main [name=email]:visible").fill("moon@example")
        page.locator("main form:has([name=action_add])").evaluate("form => { form.noValidate = true; }")
        page.locator("[name=action_add]").click()
        expect(page.locator("[name=email][aria-invalid=true]")).to_be_visible()

    return Look(reverse("account_email"), ines, after=wrong, refused=True)


@much_like_others
def account_change_password_refused() -> Look:
    def wrong(page: Page) -> None:
        page.locator("[name=oldpassword]").fill("sun-and-sand")
        page.locator("[name=password1]").fill("123")
        submit_unchecked(page)
        expect(page.locator("[name=oldpassword][aria-invalid=true]")).to_be_visible()

    return Look(reverse("account_change_password"), people("Ines")[0], after=wrong, refused=True)


@much_like_others
def settings_saved() -> Look:
    def save(page: Page) -> None:
        submit_unchecked(page)
        expect(page.locator(".message")).to_be_visible()

    return Look(reverse("accounts:settings"), people("Ines")[0], after=save)


@much_like_others
def settings_unconfirmed() -> Look:
    return Look(reverse("accounts:settings"), play.person("Newcomer", confirmed=False))


@much_like_others
def confirm_address_stale() -> Look:
    return Look("/account/confirm-email/moon/")


@state
def confirm_address() -> Look:
    newcomer = play.person("Newcomer", confirmed=False)
    key = EmailConfirmationHMAC(EmailAddress.objects.get(user=newcomer)).key
    return Look(reverse("account_confirm_email", args=[key]), newcomer)


def password_link(key: str, user: User) -> str:
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])


@much_like_others
def account_reset_password_from_key() -> Look:
    [ines] = people("Ines")
    return Look(password_link(default_token_generator.make_token(ines), ines))


@much_like_others
def account_reset_password_stale() -> Look:
    return Look(password_link("moon", people("Ines")[0]))


# Mails


@state
def unsubscribe() -> Look:
    return Look(urlsplit(unsubscribe_url(people("Ines")[0])).path)


@much_like_others
def unsubscribe_done() -> Look:
    def confirm(page: Page) -> None:
        page.locator("main form button").click()
        expect(page.locator("main form")).to_have_count(0)

    return Look(urlsplit(unsubscribe_url(people("Ines")[0])).path, after=confirm)


@much_like_others
def unsubscribe_stale() -> Look:
    return Look(reverse("accounts:unsubscribe", args=["moon"]), refused=True)


def a_mail() -> Mail:
    """Return the mail that tells of a turn, as the mailbox of a site without a mail server has it."""
    game = three()
    reader = play.mover(game)
    sent = turn_mail(game, reader, reader.email, game.version)
    return Mail(
        name="01763683200000000000-5eed5eed",
        sent_at=datetime(2025, 11, 21, tzinfo=UTC),
        subject=sent.subject,
        sender=sent.from_email,
        to=sent.to[0],
        text=str(sent.body),
        html=str(sent.alternatives[0].content),
    )


@state
def mailbox() -> Look:
    return drawn_here(reverse("mailbox"), "mailbox/list.html", {"mails": [a_mail()] * 3, "shown": 200})


@much_like_others
def mailbox_empty() -> Look:
    return drawn_here(reverse("mailbox"), "mailbox/list.html", {"mails": [], "shown": 200})


@state
def mailbox_mail() -> Look:
    mail = a_mail()
    look = drawn_here(reverse("mailbox_mail", args=[mail.name]), "mailbox/mail.html", {"mail": mail})

    def before(page: Page) -> None:
        look.before(page)
        page.route("**/html/", lambda route: route.fulfill(content_type="text/html", body=mail.html))

    return replace(look, before=before)
