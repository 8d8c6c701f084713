"""An address has one account at most that has confirmed it, even after many simultaneous requests."""

from collections import Counter
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.confirmations import Confirmation
from accounts.models import User
from tests.concurrency.simultaneous import run_simultaneously
from tests.play import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]


def test_of_eight_simultaneous_confirmations_of_one_address_one_counts() -> None:
    people = [person(f"Ines{number}", confirmed=False) for number in range(8)]
    for user in people:
        EmailAddress.objects.create(user=user, email="ines@example.org")
    keys = [Confirmation(row).key for row in EmailAddress.objects.filter(email="ines@example.org")]

    def confirm(key: str) -> Callable[[], int]:
        return lambda: Client().post(f"/account/confirm-email/{key}/").status_code

    statuses = run_simultaneously([confirm(key) for key in keys])

    assert set(statuses) <= {302, 404}
    assert EmailAddress.objects.get(email="ines@example.org").verified


def test_eight_simultaneous_sign_ups_with_one_address_keep_it_from_nobody() -> None:
    def sign_up(name: str, email: str) -> Callable[[], int]:
        fields = {"username": name, "email": email, "password1": "moon-and-stars-17"}
        return lambda: Client().post("/account/signup/", fields).status_code

    emails = ["ines@example.org", "Ines@Example.org"] * 4
    statuses = run_simultaneously([sign_up(f"Ines{number}", email) for number, email in enumerate(emails)])

    counts = Counter(statuses)
    assert counts.keys() <= {302, 429}, "one address gets few emails"
    assert counts[302] >= 1
    assert User.objects.count() == EmailAddress.objects.count() == counts[302]
    assert set(User.objects.values_list("email", flat=True)) == {""}, "nobody has confirmed it"
    row = EmailAddress.objects.order_by("pk").last()
    assert row is not None
    assert Client().post(f"/account/confirm-email/{Confirmation(row).key}/").status_code == 302
    assert User.objects.get(email="ines@example.org") == row.user
    assert EmailAddress.objects.count() == 1
