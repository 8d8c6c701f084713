"""`/healthz` and `/readyz`, which monitors and proxies ask."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.db.migrations.recorder import MigrationRecorder
from django.test import AsyncClient, Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from games.models import ServedQueue, SitePart, Verification
from novaluna_site.health import readiness, services

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _strict_site(settings: Settings) -> Iterator[None]:
    """A site behind TLS with one host. A probe has neither."""
    settings.ALLOWED_HOSTS = ["nova-luna.example"]
    settings.SECURE_SSL_REDIRECT = True
    settings.REDIS_URL = ""
    readiness._found_tables.cache_clear()
    now = timezone.now()
    SitePart.objects.all().delete()
    for name in SitePart.Name:
        SitePart.objects.create(name=name, up_since=now - timedelta(days=1), seen_at=now)
    for queue in ("default", "outside", "quick", "bots"):
        ServedQueue.objects.update_or_create(name=queue, defaults={"served_at": now})
    yield
    readiness._found_tables.cache_clear()


def test_a_process_that_lives_says_so_without_the_database(
    client: Client, django_assert_num_queries: object
) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        answer = client.get("/healthz", headers={"host": "10.0.0.7:8000"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert client.get("/account/login/", headers={"host": "nova-luna.example"}).status_code == 301


def test_a_site_on_which_all_is_well_is_ready(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert set(answer.json()["checks"]) == {"database", "migrations", "redis", "parts", "games"}
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.parametrize(
    ("name", "words"),
    [("parts", "novaluna-beat"), ("games", "abc: score is 3."), ("redis", "does not answer")],
)
def test_what_pages_do_not_need_is_said_and_fails_only_a_strict_probe(
    client: Client, settings: Settings, name: str, words: str
) -> None:
    now = timezone.now()
    if name == "parts":
        SitePart.objects.filter(name="sweep").update(seen_at=now - timedelta(hours=1))
    elif name == "games":
        Verification.objects.create(
            started_at=now, finished_at=now, games=1, wrong=1, first_problem="abc: score is 3."
        )
    else:
        settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["status"] == "failing"
    assert [one for one, found in answer.json()["checks"].items() if found] == [name]
    assert words in answer.json()["checks"][name][0]
    assert client.get("/readyz?strict").status_code == 503


def test_without_a_database_the_process_is_not_ready(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused")

    with monkeypatch.context() as patch:
        patch.setattr(services.connection, "cursor", refuse)
        answer = client.get("/readyz")
    assert answer.status_code == 503
    assert "connection refused" in answer.json()["checks"]["database"][0]


def test_tables_are_looked_for_until_they_are_there(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = [services.Finding("It is older.", "Migrate.")]
    monkeypatch.setattr(services, "missing_migrations", lambda: iter(missing))
    assert client.get("/readyz").status_code == 503
    missing.clear()
    assert client.get("/readyz").status_code == 200
    missing.append(services.Finding("Never asked again.", ""))
    assert client.get("/readyz").status_code == 200


def test_a_version_before_the_one_of_the_database_can_be_installed_again(client: Client) -> None:
    MigrationRecorder.Migration.objects.create(app="games", name="9999_later")
    assert client.get("/readyz").status_code == 200


def test_the_process_for_streams_answers_too() -> None:
    assert asyncio.run(AsyncClient().get("/healthz")).content == b"ok\n"
