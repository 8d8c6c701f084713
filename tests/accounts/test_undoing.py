"""Changes of addresses and passwords are written to the earlier addresses, which can undo them for a week."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.core import signing
from django.test import Client

from accounts import undoing
from accounts.models import SecurityEvent, User
from games.models import Browser, Webhook
from tests.accounts.conftest import link_path
from tests.accounts.test_second_factors import add_app, code_of
from tests.clients import client_of, confirm_password
from tests.play import person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

PASSWORD, STRANGERS = "moon-and-stars-17", "a-strangers-choice-3"


def change_password(client: Client, old: str = PASSWORD, new: str = STRANGERS) -> None:
    fields = {"oldpassword": old, "password1": new, "password2": new}
    assert client.post("/account/password/change/", fields).status_code == 302


def take_over(client: Client, inbox: MailServer, address: str = "stranger@example.org") -> None:
    """Make the address of a stranger the main one and remove the first, as somebody in the session can."""
    confirm_password(client)
    client.post("/account/email/", {"action_add": "1", "email": address})
    asked = inbox.wait_for("confirm your email address", to=address)
    assert client.post(link_path(asked, "confirm-email")).status_code == 302
    client.post("/account/email/", {"action_primary": "1", "email": address})
    client.post("/account/email/", {"action_remove": "1", "email": "ines@example.org"})


def undo_links(inbox: MailServer, to: str) -> list[str]:
    """Return the paths of all links that undo something, in the order of the emails to this address."""
    return [
        link_path(mail, "/account/undo/")
        for mail in inbox.mails
        if mail["To"] == to and "/account/undo/" in mail.get_body(("plain",)).get_content()
    ]


@pytest.fixture
def ines() -> User:
    return person("Ines")


def test_a_password_that_somebody_else_changed_is_taken_back(ines: User, inbox: MailServer) -> None:
    stranger = client_of(ines)
    change_password(stranger)
    mail = inbox.wait_for("The password was changed", to="ines@example.org")
    link, owner = link_path(mail, "/account/undo/"), Client()
    assert "Was that not you?" in owner.get(link).text
    assert stranger.get("/account/settings/").status_code == 200, (
        "a scanner that follows links undoes nothing"
    )

    page = owner.post(link, follow=True)
    assert "Choose a new password" in page.text
    assert stranger.get("/account/settings/").status_code == 302
    for password in (PASSWORD, STRANGERS):
        refused = Client().post("/account/login/", {"login": "Ines", "password": password})
        assert refused.status_code == 400
    chosen = {"password1": "the-owners-choice-5", "password2": "the-owners-choice-5"}
    owner.post(page.redirect_chain[-1][0], chosen)
    assert owner.session["_auth_user_id"] == str(ines.pk)

    used = owner.post(link)
    assert used.status_code == 410
    assert owner.get("/account/settings/").status_code == 200, "a second press takes nothing back"


def test_the_oldest_address_takes_everything_back(ines: User, inbox: MailServer) -> None:
    """Also after the stranger has removed it, and has used the link of a later email."""
    own = TOTP.activate(ines, generate_totp_secret()).instance
    stranger = client_of(ines)
    take_over(stranger, inbox)
    change_password(stranger)
    theirs = TOTP(own)  # the rows that were there before stay
    passkey = Authenticator.objects.create(user=ines, type=Authenticator.Type.WEBAUTHN, data={"name": "x"})
    Webhook.objects.create(user=ines, url="https://example.org/hook")
    Browser.objects.create(user=ines, endpoint="https://push.example/1", public_key="k", auth="a")
    ines.renew_feeds()
    feeds = User.objects.get(pk=ines.pk).feed_number

    [_removal, late] = undo_links(inbox, "stranger@example.org")
    assert Client().post(late).status_code == 302, "the stranger is first"
    assert User.objects.get(pk=ines.pk).email == "stranger@example.org"

    confirmed, main_changed, removed = undo_links(inbox, "ines@example.org")
    assert Client().post(removed).status_code == 302
    user = User.objects.get(pk=ines.pk)
    assert user.email == "ines@example.org"
    assert [address.email for address in EmailAddress.objects.filter(user=user)] == ["ines@example.org"]
    assert EmailAddress.objects.get(user=user).primary
    assert not user.has_usable_password()
    assert user.feed_number != feeds
    assert not Webhook.objects.exists()
    assert not Browser.objects.exists()
    assert Authenticator.objects.filter(pk=theirs.instance.pk).exists()
    assert not Authenticator.objects.filter(pk=passkey.pk).exists()

    # The other links of the stranger are void now; those of the owner from before still work.
    assert all(Client().get(link).status_code == 410 for link in undo_links(inbox, "stranger@example.org"))
    assert Client().get(confirmed).status_code == 200
    assert Client().get(main_changed).status_code == 200


def test_the_new_address_gets_no_link_that_undoes_its_own_change(ines: User, inbox: MailServer) -> None:
    take_over(client_of(ines), inbox)
    [removal] = undo_links(inbox, "stranger@example.org")
    assert "An email address was removed: ines@example.org" in " ".join(Client().get(removal).text.split())
    assert len(undo_links(inbox, "ines@example.org")) == 3


def test_events_after_an_account_was_taken_back_can_be_undone_too(ines: User, inbox: MailServer) -> None:
    change_password(client_of(ines))
    [first] = undo_links(inbox, "ines@example.org")
    owner = Client()
    page = owner.post(first, follow=True)
    owner.post(page.redirect_chain[-1][0], {"password1": PASSWORD, "password2": PASSWORD})
    change_password(client_of(User.objects.get(pk=ines.pk)))
    *_earlier, newest = undo_links(inbox, "ines@example.org")
    assert Client().get(newest).status_code == 200


def test_a_link_works_for_a_week(ines: User, inbox: MailServer, monkeypatch: pytest.MonkeyPatch) -> None:
    change_password(client_of(ines))
    [link] = undo_links(inbox, "ines@example.org")
    now = signing.time.time()
    monkeypatch.setattr(signing.time, "time", lambda: now + timedelta(days=6, hours=23).total_seconds())
    assert Client().get(link).status_code == 200
    monkeypatch.setattr(signing.time, "time", lambda: now + timedelta(days=7, hours=1).total_seconds())
    assert Client().get(link).status_code == 410


def test_an_address_that_somebody_else_has_confirmed_since_undoes_nothing(
    ines: User, inbox: MailServer
) -> None:
    take_over(client_of(ines), inbox)
    tobias = person("Tobias")
    EmailAddress.objects.create(user=tobias, email="ines@example.org", verified=True)
    for link in undo_links(inbox, "ines@example.org"):
        assert Client().post(link).status_code == 410
    assert User.objects.get(pk=ines.pk).email == "stranger@example.org"


def test_damaged_links_undo_nothing(ines: User, inbox: MailServer) -> None:
    change_password(client_of(ines))
    [link] = undo_links(inbox, "ines@example.org")
    for damaged in (link[:-3] + "/", re.sub("/undo/..", "/undo/xx", link), "/account/undo/moon/"):
        assert Client().post(damaged).status_code == 410, damaged


def test_no_limit_keeps_the_owner_from_learning_of_a_change(ines: User, inbox: MailServer) -> None:
    """A stranger would otherwise use up the limit by asking for resets."""
    for number in range(12):
        Client(REMOTE_ADDR=f"192.0.2.{number}").post(
            "/account/password/reset/", {"email": "ines@example.org"}
        )
    change_password(client_of(ines))
    assert len(undo_links(inbox, "ines@example.org")) == 1


def test_people_see_what_happened_to_their_account(ines: User, inbox: MailServer) -> None:
    client = Client(HTTP_USER_AGENT="Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0", REMOTE_ADDR="192.0.2.77")
    client.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    take_over(client, inbox)
    page = client.get("/account/security/log/").text
    for words in ("You logged in", "An email address was added", "stranger@example.org", "Firefox on Linux"):
        assert words in page
    assert "192.0.2.…" in page
    assert "192.0.2.77" not in page
    assert set(SecurityEvent.objects.values_list("network", flat=True)) == {"192.0.2.0"}
    assert "Nothing yet." in client_of(person("Tobias")).get("/account/security/log/").text


def confirm_another(client: Client, inbox: MailServer, address: str) -> None:
    confirm_password(client)
    client.post("/account/email/", {"action_add": "1", "email": address})
    asked = inbox.wait_for("confirm your email address", to=address)
    assert client.post(link_path(asked, "confirm-email")).status_code == 302


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("used", [0, -1], ids=["of the app", "of the password"])
def test_the_app_of_a_stranger_is_taken_back(ines: User, inbox: MailServer, used: int) -> None:
    """By the link in the email about the app itself, and by the one of what the stranger did after it."""
    stranger = client_of(ines)
    add_app(stranger)
    change_password(stranger)
    links = undo_links(inbox, "ines@example.org")
    assert Client().post(links[used]).status_code == 302
    assert not Authenticator.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_later_address_takes_no_second_factor_from_before_it(ines: User, inbox: MailServer) -> None:
    owner = client_of(ines)
    add_app(owner)
    confirm_another(owner, inbox, "stranger@example.org")
    change_password(owner)
    [link] = undo_links(inbox, "stranger@example.org")
    assert Client().post(link).status_code == 302
    assert Authenticator.objects.filter(user=ines, type=Authenticator.Type.TOTP).exists()


def test_of_two_addresses_the_older_one_has_the_last_word(ines: User, inbox: MailServer) -> None:
    """It learns of what the other one did, and takes the account back by the same event or by that email."""
    stranger = client_of(ines)
    confirm_another(stranger, inbox, "stranger@example.org")
    change_password(stranger)
    [later] = undo_links(inbox, "stranger@example.org")
    *_earlier, older = undo_links(inbox, "ines@example.org")
    assert Client().post(later).status_code == 302
    told = inbox.wait_for("The account was taken back", to="ines@example.org")
    assert Client().get(link_path(told, "/account/undo/")).status_code == 200
    assert Client().get(older).status_code == 200

    assert Client().post(older).status_code == 302
    assert User.objects.get(pk=ines.pk).email == "ines@example.org"
    assert Client().get(later).status_code == 410
    assert undo_links(inbox, "stranger@example.org") == [later], "the email to it has no link"
    assert inbox.wait_for("The account was taken back", to="stranger@example.org")


def test_a_log_in_that_began_before_ends_when_the_account_is_taken_back(
    ines: User, inbox: MailServer
) -> None:
    secret = TOTP.activate(ines, generate_totp_secret()).instance.data["secret"]
    change_password(client_of(ines))
    [link] = undo_links(inbox, "ines@example.org")
    stranger, by_code = Client(), Client()
    assert stranger.post("/account/login/", {"login": "Ines", "password": STRANGERS}).status_code == 302
    by_code.post("/account/login/code/", {"email": "ines@example.org"})
    mailed = inbox.wait_for("code", to="ines@example.org").get_body(("plain",)).get_content()
    code = re.search(r"^\s*(\w{3,4}-\w{3,4}|\w{6,8})\s*$", mailed, re.MULTILINE)[1]
    assert Client().post(link).status_code == 302
    answers = [
        stranger.post("/account/security/authenticate/", {"code": code_of(secret)}),
        by_code.post("/account/login/code/confirm/", {"code": code}),
    ]
    assert [answer.url for answer in answers] == ["/account/login/", "/account/login/"]
    assert "_auth_user_id" not in stranger.session
    assert "account_login" not in by_code.session


def test_an_address_of_a_deactivated_account_undoes_nothing(ines: User, inbox: MailServer) -> None:
    take_over(client_of(ines), inbox)
    tobias = person("Tobias")
    User.objects.filter(pk=tobias.pk).update(is_active=False)
    EmailAddress.objects.create(user=tobias, email="ines@example.org", verified=True)
    for link in undo_links(inbox, "ines@example.org"):
        assert Client().post(link).status_code == 410


def test_of_two_simultaneous_presses_one_takes_the_account_back(
    ines: User, inbox: MailServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_password(client_of(ines))
    [link] = undo_links(inbox, "ines@example.org")
    lock = undoing.lock_user

    def wait_for_the_other(pk: int) -> User:
        monkeypatch.setattr(undoing, "lock_user", lock)
        assert Client().post(link).status_code == 302
        return lock(pk)

    monkeypatch.setattr(undoing, "lock_user", wait_for_the_other)
    assert Client().post(link).status_code == 410
    assert SecurityEvent.objects.filter(kind=SecurityEvent.Kind.TAKEN_BACK).count() == 1
