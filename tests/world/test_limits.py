"""Limits keep floods out and nobody else: pots by kind, fair shares, IPv6 networks, equal resets."""

import re
import uuid
from collections.abc import Callable
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from pytest_django.fixtures import Settings

from accounts import outbox
from accounts.adapter import AccountAdapter
from accounts.models import AccountMail, PastMail, User
from games.services import tables
from tests.clients import client_of
from tests.play import person

pytestmark = pytest.mark.django_db

PASSWORD = "moon-and-stars-17"
ADDRESSES, EACH = 16, 20  # IP addresses of a flood, and what each of them asks for


@pytest.fixture(autouse=True)
def _counters_in_memory(settings: Settings) -> None:
    """Count without Redis, which may need longer than a request waits for it while other tests run."""
    memory = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": {"MAX_ENTRIES": 20_000}}
    settings.CACHES = settings.CACHES | {"default": memory}
    cache.clear()


@pytest.fixture(autouse=True)
def _no_limits_by_the_minute(settings: Settings) -> None:
    """Switch off the limits of allauth that these tests would reach first."""
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | dict.fromkeys(("signup", "reset_password"))


def reset(email: str, ip: str = "192.0.2.1", client: Client | None = None) -> int:
    return (client or Client()).post("/account/password/reset/", {"email": email}, REMOTE_ADDR=ip).status_code


def sign_up(name: str, ip: str = "192.0.2.1") -> str:
    """Sign up, and return the text of the next page."""
    fields = {"username": name, "email": f"{name}@example.org".lower(), "password1": PASSWORD}
    client = Client(REMOTE_ADDR=ip)
    assert client.post("/account/signup/", fields).status_code == 302
    return client.get("/").text


def play_as_guest(ip: str) -> int:
    return Client(REMOTE_ADDR=ip).post("/play/", {"request_id": uuid.uuid4()}).status_code


def has_mail(name: str) -> bool:
    return AccountMail.objects.filter(address=f"{name}@example.org".lower()).exists()


def flood(settings: Settings, ask: Callable[[str, int], object]) -> None:
    """Let sixteen IP addresses ask for as many emails as they get, on a site with a smaller pot."""
    settings.ACCOUNT_RATE_LIMITS = (
        settings.ACCOUNT_RATE_LIMITS
        | {name: rate.replace("150/", "40/") for name, rate in settings.ACCOUNT_RATE_LIMITS.items() if rate}
        | {"mail_sender": "5/h/ip"}
    )
    for number in range(ADDRESSES * 6):
        ask(f"10.0.0.{number % ADDRESSES}", number)


def test_sign_ups_from_sixteen_addresses_stop_no_other_email(settings: Settings) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    flood(settings, lambda ip, number: sign_up(f"Flood{number}", ip))
    assert AccountMail.objects.count() < 80, "the flood is cut"
    assert reset(ines.email) == 302
    assert has_mail("Ines")
    assert "to confirm your address now" not in sign_up("Mina")
    assert has_mail("Mina")
    table = tables.open_table(tobias, tables.TableOptions(3))
    client_of(tobias).post(f"/g/{table.key}/invite/", {"who": "noor@example.org"})
    assert has_mail("Noor")


def test_resets_of_known_people_from_sixteen_addresses_stop_no_other_reset(settings: Settings) -> None:
    for number in range(ADDRESSES * 6):
        person(f"Known{number}")
    ines = person("Ines")
    flood(settings, lambda ip, number: reset(f"known{number}@example.org", ip))
    assert reset(ines.email) == 302
    assert has_mail("Ines")


def test_an_empty_pot_keeps_nobody_from_a_new_password_in_their_own_browser(settings: Settings) -> None:
    ines, mina = person("Ines"), person("Mina")
    for user in (ines, mina):
        user.set_password(PASSWORD)
        user.save()
    known = Client()
    known.post("/account/login/", {"login": "Ines", "password": PASSWORD})
    known.post("/account/logout/")
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
        "mails_reset": "0/h/key",
        "mails_reset_reserve": "0/h/key",
    }
    assert reset(mina.email, client=known) == 429, "the browser is known for Ines only"
    assert reset(ines.email) == 429
    assert reset(ines.email, client=known) == 302
    assert has_mail("Ines")


def test_guests_from_a_few_addresses_leave_room_for_others(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {
        "guests": "3/h/key",
        "guests_reserve": "3/h/key",
    }
    assert [play_as_guest("10.0.0.1") for _guest in range(7)] == [302] * 5 + [429] * 2
    assert play_as_guest("10.0.0.2") == 302


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:DB8:1:2::2", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.1", "192.0.2.1", True),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("192.0.2.1", "192.0.2.2", False),
    ],
)
def test_an_ipv6_network_counts_as_one_address_everywhere(
    settings: Settings, one: str, other: str, is_same: bool
) -> None:
    requests = [RequestFactory().get("/", REMOTE_ADDR=address) for address in (one, other)]
    first, second = [AccountAdapter().get_client_ip(request) for request in requests]
    assert (first == second) == is_same, "the streams of open pages count by it"

    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"guest": "1/h/ip"}
    assert [play_as_guest(address) for address in (one, other)] == [302, 429 if is_same else 302]


def test_a_reset_does_the_same_work_for_known_and_unknown_addresses() -> None:
    """So it takes equally long: the same queries, operations of the cache, rendered texts and tasks."""
    person("Ines")

    def work(email: str) -> list[str]:
        done: list[str] = []

        def note(name: str) -> Callable[..., object]:
            original = getattr(cache, name)
            return lambda *args, **options: (done.append(name), original(*args, **options))[1]

        client = Client()
        with (
            CaptureQueriesContext(
                connection,
            ) as queries,
            mock.patch.multiple(cache, **{name: note(name) for name in ("add", "get", "set", "delete")}),
            mock.patch.object(outbox, "queue_delivery") as queue,
            mock.patch.object(
                AccountAdapter, "render_mail", autospec=True, side_effect=AccountAdapter.render_mail
            ) as render,
        ):
            assert client.post("/account/password/reset/", {"email": email}).status_code == 302
        shapes = [re.sub(r"'[^']*'|\b\d+\b|_django_curs_\w+", "?", query["sql"]) for query in queries]
        return [
            *shapes,
            *done,
            *(call.args[1] for call in render.call_args_list),
            f"{queue.call_count} tasks",
        ]

    assert work("ines@example.org") == work("nobody@example.org")


def test_nobody_gets_the_email_of_an_unknown_address(ines: User) -> None:
    with (
        mock.patch.object(outbox, "queue_delivery", outbox.deliver),
        mock.patch.object(outbox, "build") as build,
    ):
        reset("nobody@example.org")
        assert not build.called
        assert not AccountMail.objects.exists()
        assert not PastMail.objects.exists()
        reset(ines.email)
        assert build.called
