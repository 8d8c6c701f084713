"""An address has one account, even after many simultaneous requests."""

from collections import Counter
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.models import User
from tests.clients import client_of, confirm_password
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_eight_simultaneous_sign_ups_with_one_address_make_one_account() -> None:
    def sign_up(name: str, email: str) -> Callable[[], int]:
        fields = {"username": name, "email": email, "password1": "moon-and-stars-17"}
        return lambda: Client().post("/account/signup/", fields).status_code

    emails = ["ines@example.org", "Ines@Example.org"] * 4
    statuses = run_simultaneously([sign_up(f"Ines{number}", email) for number, email in enumerate(emails)])

    assert Counter(statuses) == {302: 1, 400: 7}
    assert User.objects.count() == EmailAddress.objects.count() == 1


def test_two_accounts_that_make_one_address_the_main_one_do_not_both_get_it() -> None:
    """Both have added it at the same time, and neither has confirmed an address."""
    users = person("Ines", confirmed=False), person("Mina", confirmed=False)
    clients = [client_of(user) for user in users]
    for client in clients:
        confirm_password(client)
    for user in users:
        EmailAddress.objects.create(user=user, email="both@example.org")

    def choose(client: Client) -> Callable[[], int]:
        fields = {"action_primary": "1", "email": "both@example.org"}
        return lambda: client.post("/account/email/", fields).status_code

    assert run_simultaneously([choose(client) for client in clients]) == [302, 302]
    assert User.objects.filter(email="both@example.org").count() == 1
    assert EmailAddress.objects.filter(email="both@example.org", primary=True).count() == 1
    assert sum("already exists" in client.get("/account/email/").text for client in clients) == 1
