"""Nobody learns which addresses have accounts: every way answers in the same way, and writes to the owner."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.messages import get_messages
from django.core.cache import cache
from django.test import Client

from accounts.addresses import is_unproved
from accounts.confirmations import Confirmation
from accounts.models import AccountMail, PastMail, RetiredName, User
from accounts.passwords import Hasher
from games.services.pruning import people
from tests.clients import client_of, confirm_password
from tests.play import person

pytestmark = pytest.mark.django_db

PASSWORD = "moon-and-stars-17"
OWNED, FREE = "ines@example.org", "nobody@example.org"
ALREADY, CONFIRM = "You already have an account", "Please confirm your email address"


@pytest.fixture(autouse=True)
def _no_limits() -> None:
    cache.clear()


@pytest.fixture(params=["confirmed", "not confirmed", "emails came back"], autouse=True)
def owner(request: pytest.FixtureRequest) -> User:
    """Ines, who has the address `OWNED`; of two kinds of owners, she has proved it."""
    ines = person("Ines", confirmed=request.param == "confirmed")
    if request.param == "emails came back":
        User.objects.filter(pk=ines.pk).update(proved_address=OWNED, refused_address=OWNED)
        ines.refresh_from_db()
    return ines


def sign_up(client: Client, address: str, path: str = "/account/signup/") -> Any:
    return client.post(path, {"username": "Mina", "email": address, "password1": PASSWORD})


def forget_mina() -> None:
    User.objects.get(username="Mina").delete()
    RetiredName.objects.all().delete()


def shown(client: Client, path: str) -> str:
    """Return what a page shows, with one word for each of the two addresses."""
    words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", client.get(path).text, flags=re.DOTALL)
    return " ".join(words.replace(OWNED, "ADDRESS").replace(FREE, "ADDRESS").split())


def after_a_sign_up(address: str, path: str) -> list[object]:
    """Return what a stranger sees who signs up with this address, and then uses the account."""
    client = Client()
    answer = sign_up(client, address, path)
    seen: list[object] = [answer.status_code, answer.url, sorted(answer.cookies)]
    seen += [shown(client, page) for page in ("/", "/account/email/", "/account/notifications/")]
    again = client.post("/account/settings/confirm-address/", follow=True)
    seen.append([str(message).replace(address, "ADDRESS") for message in get_messages(again.wsgi_request)])
    seen.append(shown(client, "/account/email/"))
    forget_mina()
    cache.clear()
    return seen


@pytest.mark.parametrize("path", ["/account/signup/", "/account/signup/passkey/"])
def test_a_sign_up_shows_nothing_about_other_accounts(path: str) -> None:
    owned, free = (after_a_sign_up(address, path) for address in (OWNED, FREE))
    assert owned == free


def test_the_owner_gets_an_email_that_names_the_account(owner: User) -> None:
    sign_up(Client(), OWNED)
    mail = AccountMail.objects.get()
    assert mail.address == OWNED
    assert User.objects.get(username="Mina").email == ""
    if is_unproved(owner):
        assert mail.subject == CONFIRM, "it belongs to who confirms it"
        return
    assert mail.subject == ALREADY
    assert "belongs to your account Ines." in mail.text
    assert all(path in mail.text for path in ("/account/login/", "/account/password/reset/"))
    assert "confirm-email" not in mail.text + mail.html


def test_a_further_address_is_answered_in_the_same_way() -> None:
    client = client_of(person("Tobias"))
    confirm_password(client)
    pages = []
    for address in (OWNED, FREE):
        answer = client.post("/account/email/", {"action_add": "1", "email": address}, follow=True)
        pages.append((answer.status_code, [str(one) for one in get_messages(answer.wsgi_request)]))
        assert EmailAddress.objects.filter(email=address, user__username="Tobias", verified=False).exists()
    owned, free = pages
    assert owned[0] == free[0] == 200
    assert [text.replace(OWNED, FREE) for text in owned[1]] == free[1]
    refused = client.post("/account/email/", {"action_add": "1", "email": "tobias@example.org"})
    assert refused.status_code == 400, "one's own address is no secret"


def logs_in(client: Client, login: str) -> bool:
    client.post("/account/login/", {"login": login, "password": PASSWORD})
    return "_auth_user_id" in client.session


@pytest.mark.parametrize("address", [OWNED, FREE])
def test_an_address_that_is_not_confirmed_logs_in_only_where_its_account_was(address: str) -> None:
    here = Client()
    sign_up(here, address)
    here.post("/account/logout/")
    elsewhere = Client()
    User.objects.filter(username="Ines").update(password="!")
    assert not logs_in(elsewhere, address)
    assert logs_in(elsewhere, "Mina")
    assert logs_in(here, address)


def test_a_confirmed_address_logs_in_beside_a_main_one_with_a_typing_error() -> None:
    sign_up(Client(), "mina@exampel.org")
    mina = User.objects.get(username="Mina")
    row = EmailAddress.objects.create(user=mina, email="mina@example.org")
    assert not logs_in(Client(), "mina@example.org")
    Client().post(f"/account/confirm-email/{Confirmation(row).key}/")
    assert logs_in(Client(), "mina@example.org")
    assert not logs_in(Client(), "")


def hashes(attempt: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how many passwords an attempt hashes, which is what its time shows."""
    count = 0
    original = Hasher.encode

    def encode(self: Hasher, password: str, salt: str) -> str:
        nonlocal count
        count += 1
        return original(self, password, salt)

    verify = Hasher.verify

    def counted(self: Hasher, password: str, encoded: str) -> bool:
        nonlocal count
        count += 1
        return verify(self, password, encoded)

    with monkeypatch.context() as patch:
        patch.setattr(Hasher, "encode", encode)
        patch.setattr(Hasher, "verify", counted)
        patch.setattr(PBKDF2PasswordHasher, "encode", None)
        attempt()
    return count


def test_no_attempt_to_log_in_takes_longer_for_an_address_that_has_an_account(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = []
    for address in (OWNED, FREE):
        here = Client()
        sign_up(here, address)
        here.post("/account/logout/")
        wrong = {"login": address, "password": "sun-and-clouds-18"}
        for client in (here, Client()):
            counts.append(hashes(lambda: client.post("/account/login/", wrong), monkeypatch))  # noqa: B023
        forget_mina()
    assert counts[:2] == counts[2:]


def test_who_has_two_accounts_in_a_browser_logs_in_to_the_one_whose_password_is_right(owner: User) -> None:
    here = Client()
    sign_up(here, OWNED)
    here.post("/account/logout/")
    owner.set_password("sun-and-clouds-18")
    owner.save(update_fields=["password"])
    here.post("/account/login/", {"login": OWNED, "password": "sun-and-clouds-18"})
    assert here.session["_auth_user_id"] == str(owner.pk)


def test_an_account_that_goes_takes_nothing_of_the_owner_of_its_address(owner: User) -> None:
    sign_up(stranger := Client(), OWNED)
    tobias = client_of(person("Tobias"))
    confirm_password(tobias)
    tobias.post("/account/email/", {"action_add": "1", "email": OWNED})
    facts = {"created_at": owner.date_joined, "ended_at": owner.date_joined, "attempts": 1, "is_sent": True}
    PastMail.objects.create(address=OWNED, subject="New password", **facts)
    tobias.post("/account/email/", {"action_remove": "1", "email": OWNED})
    confirm_password(stranger)
    stranger.post("/account/settings/delete/", {"username": "Mina"})
    people.remove_account(User.objects.get(username="Mina").pk)
    assert not User.objects.filter(username="Mina").exists()
    assert PastMail.objects.exists() != is_unproved(owner)


def test_who_has_proved_an_address_gets_the_link_that_confirms_it_again(owner: User) -> None:
    EmailAddress.objects.update(verified=False)
    client_of(owner).post("/account/settings/confirm-address/")
    mail = AccountMail.objects.get()
    assert mail.subject == CONFIRM
    assert "confirm-email" in mail.text
