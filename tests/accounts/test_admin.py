"""The keepers' way in, and what they may do to people."""

import pytest
from django.test import Client

from accounts.models import User
from tests.play import person

pytestmark = pytest.mark.django_db


def test_keepers_log_in_where_everybody_does(client: Client) -> None:
    keeper = person("Ines")
    User.objects.filter(pk=keeper.pk).update(is_staff=True, is_superuser=True)
    wanted = client.get("/admin/accounts/user/", follow=True)
    address, _status = wanted.redirect_chain[-1]
    assert address.startswith("/account/login/?next=")

    entered = client.post(address, {"login": "Ines", "password": "moon-and-stars-17"})
    assert (entered.status_code, entered.url) == (302, "/admin/accounts/user/")
    assert client.get(entered.url).status_code == 200


def test_the_admin_takes_no_password_itself(client: Client) -> None:
    """So that its log-in knows no tries beyond those that the log-in page counts."""
    User.objects.create_superuser("Ines", "ines@example.org", "moon-and-stars-17")
    answer = client.post("/admin/login/", {"username": "Ines", "password": "moon-and-stars-17"})
    assert answer.status_code == 302
    assert answer.url.startswith("/account/login/")
    assert "_auth_user_id" not in client.session


def test_nobody_is_deleted_but_switched_off(admin_client: Client, ines: User) -> None:
    page = f"/admin/accounts/user/{ines.pk}/"
    assert admin_client.post(f"{page}delete/", {"post": "yes"}).status_code == 403
    selected = {"action": "delete_selected", "_selected_action": [ines.pk], "post": "yes"}
    admin_client.post("/admin/accounts/user/", selected)
    assert User.objects.filter(pk=ines.pk).exists()

    fields = {"username": "Ines", "email": "ines@example.org", "turn_mails": "on"}
    dates = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
    assert admin_client.post(f"{page}change/", fields | dates).status_code == 302
    assert not User.objects.get(pk=ines.pk).is_active
