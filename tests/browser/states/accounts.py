"""Sign-up, login, settings, email addresses, passwords, and the pages that links in mails open."""

from urllib.parse import urlsplit

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts import deletion, guest_codes
from accounts.confirmations import Confirmation
from accounts.models import SecurityEvent, User
from accounts.undoing import token_of
from games.queries.mail_links import url_for_reader
from games.services.private import exports
from tests import play
from tests.browser.states.catalogue import MakeVisit, Visit, add_state, minor_state
from tests.browser.states.making import game_of_three, people, submit_unchecked


@minor_state
def log_in() -> Visit:
    return Visit(reverse("account_login"))


@minor_state
def log_in_refused() -> Visit:
    def fill_in_wrongly(page: Page) -> None:
        page.locator("[name=login]").fill("Ines")
        page.locator("[name=password]").fill("sun-and-sand")
        page.locator("main form button[type=submit]").first.click()
        expect(page.locator("[name=password]")).to_have_value("")

    return Visit(reverse("account_login"), after=fill_in_wrongly, is_refused=True)


@minor_state
def sign_up() -> Visit:
    return Visit(reverse("account_signup"))


@minor_state
def sign_up_refused() -> Visit:
    def fill_in_wrongly(page: Page) -> None:
        page.locator("[name=username]").fill("x")
        page.locator("[name=email]").fill("moon@example")
        page.locator("[name=password1]").fill("123")
        submit_unchecked(page)
        expect(page.locator("[name=username][aria-invalid=true]")).to_be_visible()

    return Visit(reverse("account_signup"), after=fill_in_wrongly, is_refused=True)


def visit_account(name: str, *, is_member: bool = True) -> MakeVisit:
    return lambda: Visit(reverse(name), people("Ines")[0] if is_member else None)


for page_name in ("accounts:settings", "account_email", "mfa_index", "usersessions_list"):
    add_state(page_name.replace(":", "-").replace("_", "-"), visit_account(page_name))
for page_name in (
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "account_inactive",
    "account_reset_password_from_key_done",
):
    add_state(page_name.replace("_", "-"), visit_account(page_name), is_minor=True)
for page_name in (
    "account_request_login_code",
    "accounts:sign_up_by_passkey",
    "account_reset_password",
    "account_reset_password_done",
    "account_email_verification_sent",
):
    name = page_name.replace(":", "-").replace("_", "-")
    add_state(name, visit_account(page_name, is_member=False), is_minor=True)


@minor_state
def whose_account() -> Visit:
    [ines] = people("Ines")
    EmailAddress.objects.filter(user=ines).update(verified=False)
    key = default_token_generator.make_token(ines)
    return Visit(reverse("account_reset_password_from_key", args=[user_pk_to_url_str(ines), key]))


@minor_state
def privacy() -> Visit:
    return Visit(reverse("privacy"), people("Ines")[0])


@minor_state
def export_waiting() -> Visit:
    user = guest()
    exports.ask(user)
    return Visit(reverse("games:export"), user)


@minor_state
def export_ready() -> Visit:
    user = guest()
    exports.store(exports.ask(user), b"moon" * 100_000)
    return Visit(reverse("games:export"), user)


@minor_state
def security_log() -> Visit:
    [ines] = people("Ines")
    facts = {"network": "192.0.2.0", "user_agent": "Firefox Linux", "at": timezone.now()}
    for kind in SecurityEvent.Kind.values:
        SecurityEvent.objects.create(user=ines, kind=kind, detail="ines@example.org", **facts)
    return Visit(reverse("accounts:events"), ines)


@minor_state
def undo_of_a_change() -> Visit:
    [ines] = people("Ines")
    facts = {"network": "192.0.2.0", "user_agent": "Firefox Linux", "at": timezone.now()}
    event = SecurityEvent.objects.create(user=ines, kind=SecurityEvent.Kind.PASSWORD_CHANGED, **facts)
    return Visit(reverse("accounts:undo", args=[token_of(event, "ines@example.org")]))


@minor_state
def account_email_refused() -> Visit:
    [ines] = people("Ines")
    EmailAddress.objects.create(user=ines, email="ines.at.the.observatory@uraniborg.example.org")

    def fill_in_wrongly(page: Page) -> None:
        page.locator("main [name=email]:visible").fill("moon@example")
        page.locator("main form:has([name=action_add])").evaluate("form => { form.noValidate = true; }")
        page.locator("[name=action_add]").click()
        expect(page.locator("[name=email][aria-invalid=true]")).to_be_visible()

    return Visit(reverse("account_email"), ines, after=fill_in_wrongly, is_refused=True)


@minor_state
def account_change_password_refused() -> Visit:
    def fill_in_wrongly(page: Page) -> None:
        page.locator("[name=oldpassword]").fill("sun-and-sand")
        page.locator("[name=password1]").fill("123")
        submit_unchecked(page)
        expect(page.locator("[name=oldpassword][aria-invalid=true]")).to_be_visible()

    return Visit(
        reverse("account_change_password"), people("Ines")[0], after=fill_in_wrongly, is_refused=True
    )


def guest() -> User:
    """Return a guest with a running game."""
    user = User.objects.create_user("Amber-Comet", is_guest=True)
    play.game_of(user, bots=("easy",))
    return user


def by_mail_alone() -> User:
    """Return a person who has no password that pages ask for before they delete an account."""
    [ines] = people("Ines")
    ines.set_unusable_password()
    ines.save()
    return ines


@minor_state
def account_deletion() -> Visit:
    return Visit(reverse("accounts:delete_account"), by_mail_alone())


@minor_state
def account_deletion_refused() -> Visit:
    def enter_wrongly(page: Page) -> None:
        page.locator("[name=username]").fill("Tobias")
        submit_unchecked(page)
        expect(page.locator("[name=username][aria-invalid=true]")).to_be_visible()

    return Visit(reverse("accounts:delete_account"), by_mail_alone(), after=enter_wrongly, is_refused=True)


@minor_state
def account_deletion_asked() -> Visit:
    [ines] = people("Ines")
    deletion.ask(ines)
    return Visit(reverse("games:home"), ines)


@minor_state
def account_deletion_asked_in_game() -> Visit:
    game = game_of_three()
    deletion.ask(play.mover(game))
    return Visit(game.get_absolute_url(), play.mover(game))


@minor_state
def account_kept_by_link() -> Visit:
    [ines] = people("Ines")
    deletion.ask(ines)
    return Visit(reverse("accounts:keep_by_link", args=[deletion.token_of(ines)]))


@minor_state
def guest_deletion() -> Visit:
    return Visit(reverse("accounts:delete_account"), guest())


@minor_state
def guest_registers() -> Visit:
    return Visit(reverse("account_signup"), guest())


@minor_state
def guest_settings() -> Visit:
    return Visit(reverse("accounts:settings"), guest())


@minor_state
def guest_code_made() -> Visit:
    def show_code(page: Page) -> None:
        submit_unchecked(page)
        expect(page.locator("img.qr")).to_be_visible()

    return Visit(reverse("accounts:other_browser"), guest(), after=show_code)


@minor_state
def guest_code_asked() -> Visit:
    return Visit(reverse("accounts:enter_code"))


@minor_state
def guest_code_of_link() -> Visit:
    code = guest_codes.make(guest())
    return Visit(reverse("accounts:guest_link", args=[code]))


@minor_state
def guest_result() -> Visit:
    """After the game, a guest is told how to keep it."""
    user = guest()
    game = play.play_out(play.game_of(user, people("Ines")[0]), 3)
    return Visit(game.get_absolute_url(), user)


@minor_state
def guest_logs_out() -> Visit:
    return Visit(reverse("account_logout"), guest())


@minor_state
def mail_link_logged_out() -> Visit:
    """The link of an email about a turn, in a browser in which its reader is not logged in."""
    game = game_of_three()
    url = urlsplit(url_for_reader(game.get_absolute_url(), play.mover(game)))
    return Visit(f"{url.path}?{url.query}")


@minor_state
def settings_saved() -> Visit:
    def save(page: Page) -> None:
        submit_unchecked(page)
        expect(page.locator(".message")).to_be_visible()

    return Visit(reverse("accounts:settings"), people("Ines")[0], after=save)


@minor_state
def settings_unconfirmed() -> Visit:
    return Visit(reverse("accounts:settings"), play.person("Newcomer", confirmed=False))


@minor_state
def confirm_address_stale() -> Visit:
    return Visit("/account/confirm-email/moon/")


@minor_state
def confirm_address() -> Visit:
    newcomer = play.person("Newcomer", confirmed=False)
    key = Confirmation(EmailAddress.objects.get(user=newcomer)).key
    return Visit(reverse("account_confirm_email", args=[key]), newcomer)


def password_link(key: str, user: User) -> str:
    return reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])


@minor_state
def account_reset_password_from_key() -> Visit:
    [ines] = people("Ines")
    return Visit(password_link(default_token_generator.make_token(ines), ines))


@minor_state
def account_reset_password_stale() -> Visit:
    return Visit(password_link("moon", people("Ines")[0]))
