"""How many emails people can make the site send: to one person, from one sender, and in all."""

from collections import Counter

import pytest
from allauth.account.models import EmailAddress
from django.http import HttpResponse
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.mail_limits import fold_address
from accounts.models import AccountMail, User
from novaluna_site.limits import pot
from tests.clients import confirm_password
from tests.play import person

pytestmark = pytest.mark.django_db

TO_ONE_PERSON, FROM_ONE_ADDRESS, FROM_ONE_ACCOUNT = 5, 20, 10


@pytest.fixture(autouse=True)
def _no_limits_by_the_minute(settings: Settings) -> None:
    """Switch off the limits of allauth that these tests would reach first."""
    by_the_minute = dict.fromkeys(("signup", "reset_password", "manage_email"))
    senders = {"mail_sender": f"{FROM_ONE_ADDRESS}/h/ip"}
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | by_the_minute | senders


def reset(email: str, ip: str = "10.0.0.1") -> int:
    return Client().post("/account/password/reset/", {"email": email}, REMOTE_ADDR=ip).status_code


def sign_up(name: str, email: str, ip: str = "10.0.0.1") -> int:
    fields = {"username": name, "email": email, "password1": "moon-and-stars-17"}
    return Client().post("/account/signup/", fields, REMOTE_ADDR=ip).status_code


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Ines@Example.org", "ines@example.org", True),
        ("ines+moon@example.org", "ines+sun+1@example.org", True),
        ("i.n.es@gmail.com", "ines+moon@googlemail.com", True),
        ("i.nes@example.org", "ines@example.org", False),
        ("ines@example.org", "ines@example.com", False),
    ],
)
def test_addresses_of_one_person_count_together(one: str, other: str, is_same: bool) -> None:
    assert (fold_address(one) == fold_address(other)) == is_same


def test_one_person_gets_few_emails_from_any_senders_to_any_of_their_addresses() -> None:
    """Those beyond the limit still sign up, and can ask for their email later."""
    statuses = [
        sign_up(f"Ines{number}", f"ines+{number}@example.org", f"10.0.1.{number}") for number in range(8)
    ]
    assert Counter(statuses) == {302: 8}
    assert AccountMail.objects.count() == TO_ONE_PERSON
    assert sign_up("Mina", "mina@example.org") == 302
    assert AccountMail.objects.count() == TO_ONE_PERSON + 1


def test_who_signs_up_beyond_a_limit_is_told_and_has_an_account(client: Client) -> None:
    for number in range(TO_ONE_PERSON):
        sign_up(f"Ines{number}", f"ines+{number}@example.org")
    fields = {"username": "Ines", "email": "ines@example.org", "password1": "moon-and-stars-17"}
    page = client.post("/account/signup/", fields, follow=True)
    assert page.context["user"].username == "Ines"
    assert (
        "link to confirm your address now. You can ask for it in your settings. Please try again in 60"
        in page.text
    )
    assert "We sent an email" not in page.text


def test_one_sender_causes_few_emails() -> None:
    people = [person(f"Ines{number}") for number in range(FROM_ONE_ADDRESS + 2)]
    statuses = [reset(user.email) for user in people]
    assert statuses == [302] * FROM_ONE_ADDRESS + [429] * 2
    assert AccountMail.objects.count() == FROM_ONE_ADDRESS
    assert reset("ines0@example.org", "10.0.0.2") == 302


def test_all_senders_together_cause_a_limited_number_of_emails(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | pot("mails_reset", 3, "ip")
    people = [person(f"Ines{number}") for number in range(4)]
    statuses = [reset(user.email, f"10.0.0.{number}") for number, user in enumerate(people)]
    assert statuses == [302, 302, 302, 429]
    assert AccountMail.objects.count() == 3


@pytest.mark.parametrize("email", ["ines@example.org", "nobody@example.org"])
def test_known_and_unknown_addresses_reach_the_limit_of_resets_alike(ines: User, email: str) -> None:
    statuses = [reset(email, f"10.0.0.{number}") for number in range(TO_ONE_PERSON + 3)]
    assert statuses == [302] * TO_ONE_PERSON + [429] * 3
    assert AccountMail.objects.exclude(address="").count() == (TO_ONE_PERSON if email == ines.email else 0)


def test_unknown_plus_addresses_and_refused_senders_leave_the_owners_reset_alone(ines: User) -> None:
    """Nor do sign-ups with addresses like hers."""
    for number in range(TO_ONE_PERSON + 1):
        reset(f"ines+{number}@example.org", f"10.0.1.{number}")
        sign_up(f"Ines{number}", f"ines+sun{number}@example.org", f"10.0.2.{number}")
    for number in range(FROM_ONE_ADDRESS):
        reset(f"nobody{number}@example.org", "10.0.0.9")
    assert [reset(ines.email, "10.0.0.9") for _attempt in range(TO_ONE_PERSON)] == [429] * TO_ONE_PERSON
    assert reset(ines.email) == 302
    assert AccountMail.objects.filter(address=ines.email).count() == 1


def test_resets_of_unknown_addresses_leave_the_emails_of_the_site_to_others(
    settings: Settings, ines: User, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | pot("mails_reset", 1, "ip")
    caplog.set_level("WARNING", "accounts.mail_limits")
    assert [reset(f"nobody{number}@example.org") for number in range(3)] == [302] * 3
    assert reset(ines.email) == 302
    emails = ["nobody@example.org", ines.email, "nobody@example.org"]
    assert [reset(email) for email in emails] == [429] * 3
    assert caplog.text.count("NOVALUNA_MAILS_PER_HOUR is reached for mails_reset") == 1, (
        "the operator reads it once an hour"
    )


def test_one_account_asks_for_few_emails_and_the_page_says_why(client: Client, ines: User) -> None:
    client.force_login(ines)
    confirm_password(client)

    def add(number: int) -> HttpResponse:
        fields = {"action_add": "1", "email": f"somebody{number}@example.org"}
        return client.post("/account/email/", fields, REMOTE_ADDR=f"10.0.0.{number}")

    assert [add(number).status_code for number in range(FROM_ONE_ACCOUNT)] == [302] * FROM_ONE_ACCOUNT
    refused = add(FROM_ONE_ACCOUNT)
    assert refused.status_code == 429
    assert "We send only a few emails in an hour" in refused.text
    assert "Please try again in 60 minutes." in refused.text
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert (
        AccountMail.objects.count() == EmailAddress.objects.exclude(primary=True).count() == FROM_ONE_ACCOUNT
    )


def test_the_longer_of_two_limits_says_when_to_try_again(settings: Settings, ines: User) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"mail_reset": "1/m/key,1/d/key"}
    assert reset(ines.email) == 302
    refused = Client().post("/account/password/reset/", {"email": ines.email})
    assert "Please try again in 24 hours." in refused.text
