"""How staff log in to the admin, and what they can do to users there."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils import timezone

from accounts import deletion
from accounts.models import User
from tests.play import person

pytestmark = pytest.mark.django_db

FIELDS = {
    "username": "Ines",
    "email": "ines@example.org",
    "date_joined_0": "2026-01-01",
    "date_joined_1": "12:00:00",
}


def test_staff_use_the_same_login_page_as_everybody(client: Client) -> None:
    ines = person("Ines")
    User.objects.filter(pk=ines.pk).update(is_staff=True, is_superuser=True)
    response = client.get("/admin/accounts/user/", follow=True)
    address, _status = response.redirect_chain[-1]
    assert address.startswith("/account/login/?next=")

    logged_in = client.post(address, {"login": "Ines", "password": "moon-and-stars-17"})
    assert (logged_in.status_code, logged_in.url) == (302, "/admin/accounts/user/")
    assert client.get(logged_in.url).status_code == 200


def test_the_admin_has_no_login_form_of_its_own(client: Client) -> None:
    """Such a form would bypass the login page's limit of attempts."""
    User.objects.create_superuser("Ines", "ines@example.org", "moon-and-stars-17")
    response = client.post("/admin/login/", {"username": "Ines", "password": "moon-and-stars-17"})
    assert response.status_code == 302
    assert response.url.startswith("/account/login/")
    assert "_auth_user_id" not in client.session


def test_users_can_be_deactivated_but_not_deleted(admin_client: Client, ines: User) -> None:
    page = f"/admin/accounts/user/{ines.pk}/"
    assert admin_client.post(f"{page}delete/", {"post": "yes"}).status_code == 403
    selected = {"action": "delete_selected", "_selected_action": [ines.pk], "post": "yes"}
    admin_client.post("/admin/accounts/user/", selected)
    assert User.objects.filter(pk=ines.pk).exists()

    assert admin_client.post(f"{page}change/", FIELDS).status_code == 302
    assert not User.objects.get(pk=ines.pk).is_active


def test_staff_delete_accounts_with_a_day_to_change_their_mind(admin_client: Client, ines: User) -> None:
    action = {"action": "delete_accounts", "_selected_action": [ines.pk]}
    answer = admin_client.post("/admin/accounts/user/", action, follow=True)
    assert "To keep one, set it to active within a day." in answer.text
    assert not User.objects.get(pk=ines.pk).is_active
    assert deletion.due_ids() == []

    admin_client.post(f"/admin/accounts/user/{ines.pk}/change/", FIELDS | {"is_active": "on"})
    kept = User.objects.get(pk=ines.pk)
    assert (kept.is_active, kept.removal_due_at) == (True, None)

    admin_client.post("/admin/accounts/user/", action)
    User.objects.filter(pk=ines.pk).update(removal_due_at=timezone.now())
    assert deletion.due_ids() == [ines.pk]


def test_staff_without_the_permission_delete_no_accounts(client: Client, ines: User) -> None:
    staff = person("Mina")
    User.objects.filter(pk=staff.pk).update(is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="change_user"))
    client.force_login(User.objects.get(pk=staff.pk))
    action = {"action": "delete_accounts", "_selected_action": [ines.pk]}
    client.post("/admin/accounts/user/", action)
    assert User.objects.get(pk=ines.pk).is_active


def test_only_the_user_chooses_the_time_of_the_daily_email(admin_client: Client, ines: User) -> None:
    """A time zone that does not exist would stop every action after which the user gets an email."""
    wrong = {"time_zone": "Berlin", "digest_hour": "25"}
    page = f"/admin/accounts/user/{ines.pk}/change/"
    assert "hour of the daily email" in admin_client.get(page).text.lower()
    assert admin_client.post(page, FIELDS | wrong).status_code == 302
    ines.refresh_from_db()
    assert (ines.time_zone, ines.digest_hour) == ("", 18)


@pytest.fixture
def helper() -> User:
    """A member of staff who may change users, addresses and groups."""
    user = person("Mina")
    User.objects.filter(pk=user.pk).update(is_staff=True)
    codenames = [f"{action}_{model}" for action in ("view", "add", "change", "delete") for model in MODELS]
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return User.objects.get(pk=user.pk)


MODELS = ("user", "group", "emailaddress")
RIGHTS = {"is_active": "on", "is_staff": "on", "is_superuser": "on"}


def test_staff_give_no_rights_to_themselves_or_others(client: Client, helper: User, ines: User) -> None:
    client.force_login(helper)
    permissions = list(Permission.objects.values_list("pk", flat=True))
    fields = FIELDS | RIGHTS | {"user_permissions": permissions, "groups": []}
    assert client.post(f"/admin/accounts/user/{ines.pk}/change/", fields).status_code == 302
    assert client.post(f"/admin/accounts/user/{helper.pk}/change/", fields).status_code == 403
    for user in (ines, helper):
        stored = User.objects.get(pk=user.pk)
        assert not stored.is_superuser
        assert stored.is_staff == (user == helper)
    assert not ines.user_permissions.exists()
    assert (
        client.post("/admin/auth/group/add/", {"name": "all", "permissions": permissions}).status_code == 403
    )
    assert not Group.objects.exists()


def test_staff_change_nothing_with_which_they_could_log_in_as_other_staff(
    client: Client, helper: User
) -> None:
    boss = User.objects.create_superuser("Boss", "boss@example.org", "moon-and-stars-17")
    address = EmailAddress.objects.create(user=boss, email=boss.email, primary=True, verified=True)
    client.force_login(helper)
    change = {"email": "mina@example.com", "user": boss.pk, "primary": "on", "verified": "on"}
    new_password = {"password1": "another-password-3", "password2": "another-password-3"}
    for path, fields in {
        f"/admin/accounts/user/{boss.pk}/change/": FIELDS | {"email": "mina@example.com"},
        f"/admin/accounts/user/{boss.pk}/password/": new_password,
        f"/admin/account/emailaddress/{address.pk}/change/": change,
        f"/admin/account/emailaddress/{address.pk}/delete/": {"post": "yes"},
        "/admin/account/emailaddress/add/": change,
        "/admin/accounts/user/": {"action": "delete_accounts", "_selected_action": [boss.pk]},
    }.items():
        client.post(path, fields)
    stored = User.objects.get(pk=boss.pk)
    assert (stored.email, stored.is_active) == ("boss@example.org", True)
    assert stored.check_password("moon-and-stars-17")
    assert list(EmailAddress.objects.filter(user=boss).values_list("email", flat=True)) == [
        "boss@example.org"
    ]


def test_superusers_give_rights(admin_client: Client, ines: User) -> None:
    assert admin_client.post(f"/admin/accounts/user/{ines.pk}/change/", FIELDS | RIGHTS).status_code == 302
    assert User.objects.get(pk=ines.pk).is_superuser
