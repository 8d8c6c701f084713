"""Migrations that change data: what people had before them, and what they have today."""

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.state import StateApps

from accounts.models import User
from games.models import Channel, Kind, wanted_channels

# Migrations do not change any more, and to go back through all of them and forward again takes long. So only
# `make test-all` does it.
pytestmark = [pytest.mark.whole, pytest.mark.django_db(transaction=True)]


def test_people_keep_their_addresses_and_their_answers_about_mails() -> None:
    try:
        create_people_with_shared_addresses(migrate(("accounts", "0002_preferences")))
        apps = migrate(("accounts", "0006_first_game_tips"), ("games", "0008_rematches"))
        apps.get_model("accounts", "User").objects.filter(username="Tobias").update(turn_mails=False)
    finally:
        migrate(*MigrationExecutor(connection).loader.graph.leaf_nodes())
    check_addresses()
    check_answers_about_mails()


def migrate(*targets: tuple[str, str]) -> StateApps:
    """Migrate to `targets`, and return the models of that time."""
    return MigrationExecutor(connection).migrate([*targets]).apps


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
