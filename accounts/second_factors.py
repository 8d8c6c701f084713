"""Second factors: passkeys, authenticator apps and recovery codes, which allauth stores and checks."""

import time
from datetime import timedelta

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User

# Staff prove their second factor once more after this time: their sessions last for months.
STAFF_PROOF = timedelta(hours=8)


class Adapter(DefaultMFAAdapter):
    """allauth's adapter with this site's texts. Devices show the name of an account, not its address."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": gettext_lazy("This code is wrong, or was used before. Please try again."),
        "cannot_generate_recovery_codes": gettext_lazy(
            "Please add a passkey or an authenticator app first. Recovery codes are for when you lose it."
        ),
    }

    def _get_site_name(self) -> str:
        return settings.SITE_NAME

    def _get_user_identifier(self, user: User) -> str:
        return user.username

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user_id=user.pk, type=type).count() + 1
        return _("Passkey %(number)d") % {"number": number}


@receiver(authenticator_added)
def count_as_proof(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    """Count a new passkey or app as proved in this session, because the person has just used it.

    The first one ends all other sessions, because somebody may be in them who had only the password.
    """
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        if _factors(user).count() == 1:
            _end_others(request, user)
        facts = {"id": authenticator.pk, "type": authenticator.type, "reauthenticated": True}
        record_authentication(request, user, "mfa", **facts)


def has_any(user: User | AnonymousUser) -> bool:
    """Return whether a user has a passkey or an authenticator app."""
    return Adapter().is_mfa_enabled(user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN])


def with_any(users: QuerySet[User]) -> QuerySet[User]:
    """Return the users who have a passkey or an authenticator app."""
    factors = Authenticator.objects.exclude(type=Authenticator.Type.RECOVERY_CODES)
    return users.filter(pk__in=factors.values("user"))


def _factors(user: User) -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(user=user).exclude(type=Authenticator.Type.RECOVERY_CODES)


def _end_others(request: HttpRequest, user: User) -> None:
    """End the other sessions of a user, in which nobody has proved a second factor."""
    for session in UserSession.objects.filter(user=user).exclude(session_key=request.session.session_key):
        session.end()


def page_to_prove(user: User) -> str:
    """Return the name of the page on which a user who has a second factor proves it."""
    has_app = Adapter().is_mfa_enabled(user, [Authenticator.Type.TOTP])
    return "mfa_reauthenticate" if has_app else "mfa_reauthenticate_webauthn"


def is_proved(request: HttpRequest, within: timedelta | None = None) -> bool:
    """Return whether this session has proved a second factor, which its user still has, within this time."""
    if not (isinstance(request.user, User) and has_any(request.user)):
        return False
    since = time.time() - within.total_seconds() if within else 0
    records = get_authentication_records(request, request.user)
    return any(record["method"] == "mfa" and record.get("at", 0) >= since for record in records)
