"""The log of what happened to the safety of an account, and emails about it to its confirmed addresses.

allauth's signals say what happened. The emails ignore all limits. Otherwise a stranger would use up the
limits and then change the account without a word.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from allauth.account import signals
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa_signals
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.dispatch import receiver
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override

from accounts import deletion, outbox, undoing, visits
from accounts.languages import language_of
from accounts.models import SecurityEvent, User
from accounts.security_kinds import SecurityKind as Kind


def note(
    request: HttpRequest | None, user: User, kind: Kind, detail: str = "", at: datetime | None = None
) -> SecurityEvent:
    """Store an event, of now if it has no other time; without a request, it does not say where."""
    return SecurityEvent.objects.create(
        user=user,
        kind=kind,
        detail=detail,
        user_agent=visits.user_agent_of(request) if request else "",
        network=visits.coarse(visits.address_of(request)) if request else visits.UNKNOWN,
        at=at or timezone.now(),
    )


def note_and_mail(
    request: HttpRequest | None,
    user: User,
    kind: Kind,
    detail: str = "",
    to: Iterable[str] | None = None,
    without_link: Iterable[str] = (),
    at: datetime | None = None,
    template: str = "mail/security_event",
    **words: object,
) -> None:
    """Store an event, and send an email about it, with a link that undoes it, to each confirmed address.

    Staff without a confirmed address get the email too, but without the link. `words` are for the template.
    """
    event = note(request, user, kind, detail, at)
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    trusted = confirmed if to is None else set(to)
    others = set(without_link)
    if user.is_staff and user.email and not confirmed:
        others.add(user.email)
    for address in sorted(trusted | others):
        facts = {"event": event, "user": user, "days": undoing.KEPT.days, **words}
        if address in trusted:
            path = reverse("accounts:undo", args=[undoing.token_of(event, address)])
            facts["undo_url"] = settings.SITE_URL + path
        with override(language_of(user) or get_language()):
            subject = render_to_string("mail/security_event_subject.txt", facts)
            outbox.owe(address, " ".join(subject.split()), render_to_string(f"{template}.txt", facts))


@receiver(signals.user_signed_up)
def signed_up(request: HttpRequest, user: User, sociallogin: Any = None, **_signal: object) -> None:
    note(request, user, Kind.SIGNED_UP, sociallogin.provider.name if sociallogin else "")


@receiver(signals.user_logged_in)
def logged_in(request: HttpRequest, user: User, sociallogin: Any = None, **_signal: object) -> None:
    note(request, user, Kind.LOGGED_IN, sociallogin.provider.name if sociallogin else "")


@receiver(signals.password_changed)
@receiver(signals.password_set)
def password_changed(request: HttpRequest, user: User, **_signal: object) -> None:
    note_and_mail(request, user, Kind.PASSWORD_CHANGED)


@receiver(signals.password_reset)
def password_reset(request: HttpRequest, user: User, **_signal: object) -> None:
    note_and_mail(request, user, Kind.PASSWORD_RESET)


@receiver(signals.email_added)
def address_added(request: HttpRequest, user: User, email_address: EmailAddress, **_signal: object) -> None:
    note(request, user, Kind.ADDRESS_ADDED, email_address.email)


@receiver(signals.email_confirmed)
def address_confirmed(request: HttpRequest, email_address: EmailAddress, **_signal: object) -> None:
    to = others_of(email_address)
    note_and_mail(request, email_address.user, Kind.ADDRESS_CONFIRMED, email_address.email, to)


def others_of(new: EmailAddress) -> Iterable[str]:
    """Return the confirmed addresses from before; the new one may be a stranger's, and gets no link."""
    others = EmailAddress.objects.filter(user=new.user, verified=True).exclude(pk=new.pk)
    return others.values_list("email", flat=True)


@receiver(signals.email_changed)
def main_address_changed(
    request: HttpRequest, user: User, to_email_address: EmailAddress, **_signal: object
) -> None:
    to = others_of(to_email_address)
    note_and_mail(request, user, Kind.MAIN_ADDRESS_CHANGED, to_email_address.email, to)


@receiver(signals.email_removed)
def address_removed(request: HttpRequest, user: User, email_address: EmailAddress, **_signal: object) -> None:
    confirmed = set(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))
    to = confirmed | ({email_address.email} if email_address.verified else set())
    note_and_mail(request, user, Kind.ADDRESS_REMOVED, email_address.email, to)


@receiver(mfa_signals.authenticator_added)
def factor_added(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    if authenticator.type == Authenticator.Type.WEBAUTHN:
        name = authenticator.wrap().name
        note_and_mail(request, user, Kind.PASSKEY_ADDED, name, at=authenticator.created_at)
    elif authenticator.type == Authenticator.Type.TOTP:
        note_and_mail(request, user, Kind.APP_ADDED, at=authenticator.created_at)


@receiver(mfa_signals.authenticator_removed)
def factor_removed(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    if authenticator.type == Authenticator.Type.WEBAUTHN:
        note_and_mail(request, user, Kind.PASSKEY_REMOVED, authenticator.wrap().name)
    elif authenticator.type == Authenticator.Type.TOTP:
        note_and_mail(request, user, Kind.APP_REMOVED)


@receiver(mfa_signals.authenticator_reset)
def codes_renewed(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: object) -> None:
    note_and_mail(request, user, Kind.CODES_RENEWED, at=authenticator.created_at)


def webhook_set(request: HttpRequest, user: User, url: str) -> None:
    """Store that notifications go to this server too: a new password does not end that.

    The rest of the address is often a secret.
    """
    note_and_mail(request, user, Kind.WEBHOOK_SET, urlsplit(url).hostname or "")


def session_ended(request: HttpRequest, session: UserSession) -> None:
    """Store that a session of another browser was ended. Guests have no log."""
    if not session.user.is_guest:
        note(request, session.user, Kind.SESSION_ENDED, visits.browser_of(session.user_agent))


def export_asked(request: HttpRequest, user: User) -> None:
    """Store that the file with everything about a person was asked for. Guests have no log."""
    if not user.is_guest:
        note(request, user, Kind.EXPORT_ASKED)


def changed_by_staff(user: User, address: str = "") -> None:
    """Store that staff changed an address, or the password, without where they are.

    The email goes to the addresses that are confirmed now, so an address changes only afterwards.
    """
    note_and_mail(None, user, Kind.STAFF_CHANGED, address)


def deletion_asked(request: HttpRequest, user: User) -> None:
    """Store that the owner wants the account deleted, and send the link that keeps it."""
    path = reverse("accounts:keep_by_link", args=[deletion.token_of(user)])
    words = {"due_at": user.removal_due_at, "keep_url": settings.SITE_URL + path}
    note_and_mail(request, user, Kind.DELETION_ASKED, template="mail/deletion", **words)


def taken_back(request: HttpRequest, taken: undoing.TakenBack) -> None:
    """Store that an account was taken back, and tell its other addresses. Older ones can undo it."""
    kind, others = Kind.TAKEN_BACK, taken.younger
    note_and_mail(request, taken.user, kind, taken.address, to=taken.older, without_link=others)
