"""Nobody changes the trail: not by the models, not in the admin, and not by SQL."""

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from accounts.models import User
from games.models import TrailEntry, TrailError
from tests.clients import client_of
from tests.play import person

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.fixture
def entry() -> TrailEntry:
    return TrailEntry.objects.create(action=TrailEntry.Action.DISMISS, actor=1, subject=2, report=3)


def test_the_models_refuse_to_change_an_entry(entry: TrailEntry) -> None:
    entry.subject = 4
    for change in (
        entry.save,
        entry.delete,
        TrailEntry.objects.all().delete,
        lambda: TrailEntry.objects.update(subject=4),
    ):
        with pytest.raises(TrailError):
            change()


@pytest.mark.parametrize(
    "statement", ["UPDATE games_trailentry SET subject = 4", "DELETE FROM games_trailentry"]
)
def test_the_database_refuses_to_change_an_entry(entry: TrailEntry, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert TrailEntry.objects.get().subject == 2


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no TRUNCATE")
def test_the_database_refuses_to_empty_the_trail(entry: TrailEntry) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("TRUNCATE games_trailentry CASCADE")
    assert TrailEntry.objects.exists()


def test_the_trail_is_not_in_the_admin_and_refers_to_nothing() -> None:
    assert TrailEntry not in site._registry
    assert not [field for field in TrailEntry._meta.get_fields() if field.is_relation]
    assert not [
        field
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.related_model is TrailEntry
    ]


def test_the_role_is_given_and_ended_by_a_command_and_in_the_admin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    vera = person("Vera")
    call_command("moderator")
    call_command("moderator", "vera")
    call_command("moderator")
    nobody, given, listed = capsys.readouterr().out.splitlines()
    assert (nobody, listed) == ("Nobody is a moderator, except for superusers.", "Vera")
    assert given.startswith("Vera is a moderator")
    vera.refresh_from_db()
    assert vera.moderates
    call_command("moderator", "Vera", remove=True)
    vera.refresh_from_db()
    assert not vera.moderates
    with pytest.raises(CommandError):
        call_command("moderator", "Nobody")
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    client, address = client_of(keeper), f"/admin/accounts/user/{vera.pk}/change/"
    fields = client.get(address).context["adminform"].form.initial
    values = {name: value for name, value in fields.items() if value not in (None, False, [])}
    dates = ("date_joined_0", "date_joined_1")
    values |= dict(zip(dates, f"{vera.date_joined:%Y-%m-%d %H:%M:%S}".split(), strict=True))
    assert client.post(address, {**values, "is_moderator": "on", "is_active": "on"}).status_code == 302
    vera.refresh_from_db()
    assert vera.is_moderator
    rows = TrailEntry.objects.order_by("pk").values_list("action", "actor", "subject")
    assert list(rows) == [
        ("appoint", None, vera.pk),
        ("relieve", None, vera.pk),
        ("staff", None, keeper.pk),
        ("super", None, keeper.pk),
        ("appoint", keeper.pk, vera.pk),
    ]


def test_superusers_who_are_made_in_the_admin_are_in_the_trail() -> None:
    vera = person("Vera")
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    own = TrailEntry.objects.count()
    client, address = client_of(keeper), f"/admin/accounts/user/{vera.pk}/change/"
    for rights, entries in (
        ({"is_superuser": "on"}, 1),
        ({"is_superuser": "on", "is_moderator": "on"}, 2),
        ({"is_staff": "on", "is_moderator": "on"}, 4),
        ({}, 6),
    ):
        fields = client.get(address).context["adminform"].form.initial
        values = {name: value for name, value in fields.items() if value not in (None, False, True, [])}
        dates = ("date_joined_0", "date_joined_1")
        values |= dict(zip(dates, f"{vera.date_joined:%Y-%m-%d %H:%M:%S}".split(), strict=True))
        assert client.post(address, {**values, **rights, "is_active": "on"}).status_code == 302
        assert TrailEntry.objects.count() == own + entries
    rows = TrailEntry.objects.order_by("pk").values_list("action", "actor", "subject")[own:]
    names = ("super", "appoint", "staff", "no_super", "relieve", "no_staff")
    assert list(rows) == [(name, keeper.pk, vera.pk) for name in names]


def test_superusers_and_staff_who_are_made_on_the_server_are_in_the_trail() -> None:
    call_command("createsuperuser", "--noinput", username="Keeper", email="k@example.org", verbosity=0)
    vera = person("Vera")
    vera.is_staff = True
    vera.save()
    User.objects.filter(username="Vera").update(is_moderator=True)
    User.objects.filter(username="Vera").update(is_moderator=True, language="de")
    User.objects.filter(is_staff=True).update(is_staff=False)
    keeper = User.objects.get(username="Keeper")
    rows = TrailEntry.objects.order_by("pk").values_list("action", "actor", "subject")
    assert list(rows) == [
        ("staff", None, keeper.pk),
        ("super", None, keeper.pk),
        ("staff", None, vera.pk),
        ("appoint", None, vera.pk),
        ("no_staff", None, keeper.pk),
        ("no_staff", None, vera.pk),
    ]


def test_a_stale_copy_of_a_user_notes_what_it_really_changes() -> None:
    """Another process has changed the rights since the copy was read."""
    vera = person("Vera")
    stale = User.objects.get(pk=vera.pk)
    User.objects.filter(pk=vera.pk).update(is_moderator=True)
    stale.save(update_fields=["language"])
    assert TrailEntry.objects.count() == 1
    stale.save()
    assert TrailEntry.objects.latest("pk").action == "relieve"


def test_nobody_becomes_a_moderator_without_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    vera = person("Vera")

    def fail(**_columns: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(TrailEntry.objects, "create", fail)
    with pytest.raises(DatabaseError):
        User.objects.filter(pk=vera.pk).update(is_moderator=True)
    vera.is_moderator = True
    with pytest.raises(DatabaseError):
        vera.save()
    assert not User.objects.get(pk=vera.pk).is_moderator
