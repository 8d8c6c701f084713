"""A sign-up form that is sent twice, by a double click or in two tabs, makes one account."""

import uuid
from collections import Counter
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from django.http import HttpResponse
from django.test import Client

from accounts.models import AccountMail, User
from tests.concurrency.simultaneous import run_simultaneously

pytestmark = pytest.mark.django_db(transaction=True)

INES = {"username": "Ines", "email": "ines@example.org", "password1": "moon-and-stars-17"}
MINA = {"username": "Mina", "email": "mina@example.org", "password1": "sun-and-clouds-18"}


def guest_client() -> Client:
    client = Client()
    client.post("/play/", {"request_id": uuid.uuid4()})
    return client


def same_browser(client: Client) -> Client:
    """A client with the cookies that the browser has now: a second request that is sent before an answer."""
    other = Client(raise_request_exception=False)
    other.cookies.load({name: morsel.value for name, morsel in client.cookies.items()})
    return other


def sign_up(client: Client, fields: dict[str, str]) -> HttpResponse:
    return client.post("/account/signup/", fields)


def is_logged_in_as(client: Client, name: str) -> bool:
    return bool(client.get("/").context["user"].username == name)


def accounts() -> list[str]:
    return list(User.objects.filter(is_guest=False).values_list("username", flat=True))


@pytest.mark.parametrize("browser", [guest_client, Client], ids=["guest", "visitor"])
@pytest.mark.parametrize("keeps_name", [True, False])
def test_a_second_press_logs_in_to_the_account_that_the_first_has_made(
    browser: Callable[[], Client], keeps_name: bool
) -> None:
    first = browser()
    own_name = User.objects.values_list("username", flat=True).first()
    fields = INES | ({"username": own_name} if keeps_name and own_name else {})
    second = same_browser(first)
    assert [sign_up(client, fields).status_code for client in (first, second)] == [302, 302]
    assert is_logged_in_as(second, fields["username"])
    assert accounts() == [fields["username"]]
    assert AccountMail.objects.count() == EmailAddress.objects.count() == 1


@pytest.mark.parametrize("browser", [guest_client, Client], ids=["guest", "visitor"])
def test_six_simultaneous_presses_make_one_account_and_no_error(browser: Callable[[], Client]) -> None:
    client = browser()
    clients = [same_browser(client) for _press in range(6)]

    def press(browser: Client) -> Callable[[], int]:
        return lambda: sign_up(browser, INES).status_code

    assert Counter(run_simultaneously([press(client) for client in clients])) == {302: 6}
    assert accounts() == ["Ines"]
    assert User.objects.count() == AccountMail.objects.count() == EmailAddress.objects.count() == 1
    assert all(is_logged_in_as(client, "Ines") for client in clients)


def test_a_guest_who_signs_up_in_two_tabs_with_two_names_gets_one_account() -> None:
    client = guest_client()
    clients = [same_browser(client), same_browser(client)]

    def press(number: int, fields: dict[str, str]) -> Callable[[], int]:
        return lambda: sign_up(clients[number], fields).status_code

    statuses = run_simultaneously([press(0, INES), press(1, MINA)])
    assert sorted(statuses) == [302, 400]
    assert User.objects.count() == EmailAddress.objects.count() == 1


@pytest.mark.parametrize("is_guest", [True, False])
def test_an_older_tab_makes_no_second_account_and_says_who_has_signed_up(is_guest: bool) -> None:
    client = guest_client() if is_guest else Client()
    older = same_browser(client)
    sign_up(client, INES)
    answer = sign_up(older, INES | {"password1": "another-password-3"})
    assert answer.status_code == 400
    assert accounts() == ["Ines"]
    assert not is_logged_in_as(older, "Ines"), "another password is no repeated form"


def test_a_repeated_form_is_no_way_to_try_passwords() -> None:
    """They count as attempts to log in, and an account that is older than a minute is not found."""
    sign_up(Client(), INES)
    statuses = [
        sign_up(Client(REMOTE_ADDR=f"10.0.0.{number}"), INES | {"password1": f"wrong-password-{number}"})
        for number in range(12)
    ]
    assert {answer.status_code for answer in statuses} == {400}
    assert sign_up(Client(REMOTE_ADDR="10.0.1.1"), INES).status_code == 400
