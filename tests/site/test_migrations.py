"""Migrations that change data: what people had before them, and what they have today."""

from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import StateApps

from accounts.models import User
from games.models import Channel, Kind, PlayerRating, wanted_channels

# Migrations do not change any more, and to go back through all of them and forward again takes long. So only
# `make test-all` does it.
pytestmark = [pytest.mark.whole, pytest.mark.django_db(transaction=True)]


def test_people_keep_their_addresses_and_their_answers_about_mails() -> None:
    try:
        create_people_with_shared_addresses(migrate(("accounts", "0002_preferences")))
        apps = migrate(("accounts", "0006_first_game_tips"), ("games", "0008_rematches"))
        apps.get_model("accounts", "User").objects.filter(username="Tobias").update(turn_mails=False)
    finally:
        migrate_to_now()
    check_addresses()
    check_answers_about_mails()


def migrate(*targets: tuple[str, str]) -> StateApps:
    """Migrate to `targets`, and return the models of that time.

    A new database has squashed migrations, which pass over all targets, so this goes by what they replace.
    """
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    for key, migration in executor.loader.disk_migrations.items():
        if migration.replaces:
            executor.loader.applied_migrations.pop(key, None)
    return executor.migrate([*targets]).apps


def migrate_to_now() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def create_people_with_shared_addresses(apps: StateApps) -> None:
    for name, email in [
        ("Ines", "a@example.org"),
        ("Mina", "A@example.org"),
        ("Tobias", "a@example.org"),
        ("Oldest", "b@example.org"),
        ("Newer", "b@example.org"),
        ("Nobody", ""),
        ("Noone", ""),
    ]:
        # The migrated model stores addresses as given, but the site's own stores them in lower case.
        user = apps.get_model("accounts", "User").objects.create(username=name, email=email)
        if email:
            EmailAddress.objects.create(user_id=user.pk, email=email, primary=True, verified=name == "Mina")
        if name == "Oldest":
            EmailAddress.objects.create(user_id=user.pk, email="B@example.org", verified=True)


def check_addresses() -> None:
    """A shared address belongs to who confirmed it, else to the oldest account."""
    emails = dict(User.objects.exclude(email="").values_list("username", "email"))
    assert emails == {"Mina": "a@example.org", "Oldest": "b@example.org"}
    rows = EmailAddress.objects.values_list("user__username", "email", "primary", "verified")
    assert sorted(rows) == [("Mina", "a@example.org", True, True), ("Oldest", "b@example.org", True, True)]
    assert User.objects.count() == 7


def check_answers_about_mails() -> None:
    """Who wanted no mails gets none of the kinds of that time. Later kinds are not part of the answer."""
    wanted = wanted_channels(User.objects.get(username="Tobias"))
    assert not any(wanted[kind] for kind in ("turn", "started", "over", "table", "invite"))
    assert Channel.MAIL in wanted_channels(User.objects.get(username="Ines"))[Kind.TURN]


def test_ratings_get_a_title_and_processes_of_the_release_before_go_on() -> None:
    try:
        apps = migrate(("games", "0062_fill_options_and_deals"))
        users = [
            apps.get_model("accounts", "User").objects.create(username=name) for name in ("Ines", "Mina")
        ]
        before = apps.get_model("games", "PlayerRating")
        before.objects.create(user=users[0], mean=1612.5, deviation=80, games=12, is_listed=True)
        migrate(("games", "0063_ratings_by_title"))
        # What `lock_ratings` and `store_ratings` of that release do.
        before.objects.bulk_create([before(user_id=user.pk) for user in users], ignore_conflicts=True)
        rows = list(before.objects.filter(user__in=users).order_by("user"))
        rows[1].games = 1
        before.objects.bulk_update(rows, ["games"])
    finally:
        migrate_to_now()
    columns = ("user__username", "title", "mean", "games", "is_listed")
    assert list(PlayerRating.objects.order_by("user").values_list(*columns)) == [
        ("Ines", "novaluna", 1612.5, 12, True),
        ("Mina", "novaluna", 1500.0, 1, False),
    ]


def test_rows_from_before_there_were_marks_have_none_and_keep_their_links() -> None:
    try:
        migrate(("games", "0072_teams_of_duplicate_matches"))
        apps = migrate(("accounts", "0020_plays_forced"))
        apps.get_model("accounts", "User").objects.create(username="Ines")
    finally:
        migrate_to_now()
    assert User.objects.get(username="Ines").mark == ""
    assert len(User.objects.create_user("Mina").mark) == 16


def test_new_migrations_of_actions_check_no_foreign_key_again() -> None:
    """Django's AlterField drops and adds the key, under locks on both tables that stop the site."""
    loader = MigrationLoader(connection, replace_migrations=False)
    names = sorted(name for app, name in loader.disk_migrations if app == "games" and name >= "0087")
    for name in names:
        statements = StringIO()
        call_command("sqlmigrate", "games", name, stdout=statements)
        assert "DROP CONSTRAINT" not in statements.getvalue(), name
        assert "FOREIGN KEY" not in statements.getvalue(), name
    assert names


def test_indexes_that_go_are_back_in_the_version_before() -> None:
    def indexed() -> set[str]:
        with connection.cursor() as cursor:
            found = connection.introspection.get_constraints(cursor, "games_action")
        return {one["columns"][0] for one in found.values() if one["index"] and len(one["columns"]) == 1}

    now = indexed()
    try:
        migrate(("games", "0087_latest_actions_of_a_person"))
        assert indexed() - now == {"game_id", "made_by_id"}
    finally:
        migrate_to_now()
    assert indexed() == now


def test_an_index_that_was_interrupted_is_made_again() -> None:
    try:
        migrate(("games", "0086_lines_deleted_in_the_admin"))
        with connection.cursor() as cursor:
            cursor.execute("CREATE INDEX action_latest_of_a_person ON games_action (seat)")
    finally:
        migrate_to_now()
    with connection.cursor() as cursor:
        indexes = connection.introspection.get_constraints(cursor, "games_action")
    assert indexes["action_latest_of_a_person"]["columns"] == ["made_by_id", "at"]
    assert [
        name for name, index in indexes.items() if index["columns"] == ["made_by_id"] and index["index"]
    ] == []
