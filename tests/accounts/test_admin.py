"""How staff log in to the admin, and what they can do to users there."""

import pytest
from allauth.account.internal.flows.login import AUTHENTICATION_METHODS_SESSION_KEY
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils import timezone

from accounts import deletion, second_factors
from accounts.models import SecurityEvent, User
from tests.accounts.conftest import link_path
from tests.accounts.test_second_factors import code_of
from tests.clients import client_of
from tests.play import person
from tests.plugins.mailserver import MailServer

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


def test_staff_reach_the_admin_only_with_a_second_factor(client: Client) -> None:
    keeper = User.objects.create_superuser("Keeper", "keeper@example.org", "moon-and-stars-17")
    password_only = {"login": "Keeper", "password": "moon-and-stars-17"}
    assert client.post("/account/login/", password_only).url == "/"
    refused = client.get("/admin/accounts/user/", follow=True)
    assert [url for url, _status in refused.redirect_chain][-1].startswith("/account/security/?next=")
    assert "Only staff with a second factor can open the admin." in refused.text

    # A session in which only the password was proved stays outside when the account has a second factor.
    app = TOTP.activate(keeper, generate_totp_secret())
    refused = client.get("/admin/accounts/user/", follow=True)
    page, _status = refused.redirect_chain[-1]
    assert page.startswith("/account/security/reauthenticate/?next=")
    code = code_of(app.instance.data["secret"])
    proved = client.post(page, {"code": code})
    assert (proved.status_code, proved.url) == (302, "/admin/accounts/user/")
    assert client.get(proved.url).status_code == 200

    app.instance.delete()
    assert client.get("/admin/accounts/user/").status_code == 302, "the second factor is gone"


def test_a_proof_for_the_admin_is_hours_old_at_most(admin_client: Client) -> None:
    """Sessions last for three months, and a browser may be left open for one of them."""
    page = "/admin/accounts/user/"
    assert admin_client.get(page).status_code == 200
    session = admin_client.session
    [proof] = session[AUTHENTICATION_METHODS_SESSION_KEY]
    proof["at"] -= second_factors.STAFF_PROOF.total_seconds() + 1
    session[AUTHENTICATION_METHODS_SESSION_KEY] = [proof]
    session.save()
    asked = admin_client.get(page, follow=True)
    assert asked.redirect_chain[-1][0] == "/account/security/reauthenticate/?next=/admin/accounts/user/"


def test_superusers_remove_a_second_factor_and_nobody_sees_its_secret(ines: User) -> None:
    app = TOTP.activate(ines, generate_totp_secret()).instance
    helper = person("Mina")
    User.objects.filter(pk=helper.pk).update(is_staff=True)
    helper = User.objects.get(pk=helper.pk)
    helper.user_permissions.set(Permission.objects.filter(content_type__app_label="mfa"))
    keeper = User.objects.create_superuser("Keeper", "keeper@example.org", "moon-and-stars-17")
    page = f"/admin/mfa/authenticator/{app.pk}"
    for staff in (helper, keeper):
        shown = client_of(staff).get(f"{page}/change/")
        assert shown.status_code == 200
        assert app.data["secret"] not in shown.text
    assert client_of(helper).post(f"{page}/delete/", {"post": "yes"}).status_code == 403
    assert client_of(keeper).post(f"{page}/delete/", {"post": "yes"}).status_code == 302
    assert not second_factors.has_any(ines)


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


def test_staff_without_the_permission_delete_no_accounts(ines: User) -> None:
    staff = person("Mina")
    User.objects.filter(pk=staff.pk).update(is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="change_user"))
    action = {"action": "delete_accounts", "_selected_action": [ines.pk]}
    client_of(User.objects.get(pk=staff.pk)).post("/admin/accounts/user/", action)
    assert User.objects.get(pk=ines.pk).is_active


def test_only_superusers_change_the_accounts_of_moderators(ines: User) -> None:
    """A new moderator has no second factor yet, so who changes the password or address could be one."""
    User.objects.filter(pk=ines.pk).update(is_moderator=True)
    address, _is_new = EmailAddress.objects.get_or_create(user=ines, email=ines.email)
    helper = person("Mina")
    User.objects.filter(pk=helper.pk).update(is_staff=True)
    may = ("change_user", "view_user", "delete_user", "view_emailaddress", "change_emailaddress")
    helper.user_permissions.set(Permission.objects.filter(codename__in=may))
    client = client_of(User.objects.get(pk=helper.pk))
    page = f"/admin/accounts/user/{ines.pk}"
    assert client.get(f"{page}/password/").status_code == 403
    assert client.post(f"{page}/change/", FIELDS | {"email": "mina+2@example.org"}).status_code == 403
    client.post(
        "/admin/accounts/user/", {"action": "delete_accounts", "_selected_action": [ines.pk]}, follow=True
    )
    assert client.get(f"/admin/account/emailaddress/{address.pk}/change/").status_code == 302
    unchanged = User.objects.get(pk=ines.pk)
    assert (unchanged.email, unchanged.is_active, unchanged.removal_due_at) == (ines.email, True, None)


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


def test_staff_give_no_rights_to_themselves_or_others(helper: User, ines: User) -> None:
    client = client_of(helper)
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


def test_staff_change_nothing_with_which_they_could_log_in_as_other_staff(helper: User) -> None:
    boss = User.objects.create_superuser("Boss", "boss@example.org", "moon-and-stars-17")
    address = EmailAddress.objects.get(user=boss)
    client = client_of(helper)
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


def test_people_learn_of_what_staff_changed_and_can_undo_it(
    admin_client: Client, ines: User, inbox: MailServer
) -> None:
    new_password = {"password1": "another-password-3", "password2": "another-password-3"}
    address = EmailAddress.objects.get(user=ines)
    taken = {"email": "mina@example.com", "user": ines.pk, "primary": "on", "verified": "on"}
    for path, fields in {
        f"/admin/accounts/user/{ines.pk}/password/": new_password,
        f"/admin/accounts/user/{ines.pk}/change/": FIELDS | {"email": "mina@example.com", "is_active": "on"},
        f"/admin/account/emailaddress/{address.pk}/change/": taken,
    }.items():
        assert admin_client.post(path, fields).status_code == 302
    assert [mail["To"] for mail in inbox.mails] == 3 * ["ines@example.org"]
    events = SecurityEvent.objects.filter(user=ines, kind=SecurityEvent.Kind.STAFF_CHANGED)
    assert {(event.user_agent, event.network) for event in events} == {("", "::")}, "not where staff are"
    link = link_path(inbox.mails[0], "account/undo")
    assert Client().post(link).status_code == 302
    assert User.objects.get(pk=ines.pk).email == "ines@example.org"
