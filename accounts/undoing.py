"""Undoing what happened to an account, by a link in an email to an address that was confirmed before it."""

from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.base.internal.flows import delete_dangling_recovery_codes
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.core.signing import BadSignature, dumps, loads
from django.db import IntegrityError, transaction
from django.db.models import Min, Q
from django.utils import timezone

from accounts.addresses import take_from_others, taken_back
from accounts.models import SecurityEvent, User

KEPT = timedelta(days=7)
_SALT = "accounts.undoing"
# The time of these events is the one at which their second factor was stored.
ADDITIONS = (SecurityEvent.Kind.PASSKEY_ADDED, SecurityEvent.Kind.APP_ADDED, SecurityEvent.Kind.CODES_RENEWED)


class Undoing(NamedTuple):
    """What a link undoes, and the address to which it was sent."""

    event: SecurityEvent
    address: str


class TakenBack(NamedTuple):
    """An account that the owner of an address has taken back, and its other addresses, which were confirmed.

    The older ones may be the true owner's: they can take the account back once more.
    """

    user: User
    address: str
    older: list[str]
    younger: list[str]


def token_of(event: SecurityEvent, address: str) -> str:
    """Return the token of the link in the email about an event to this address."""
    return dumps([event.pk, event.user.mark, address], salt=_SALT)


def undoing_of(token: str) -> Undoing | None:
    """Return what a link undoes; None if it is too old, was used, or the address is somebody else's now.

    If an account was taken back, links of what happened between that event and then do nothing, because they
    may be in the mailbox of the stranger. Those of earlier events still work, and those in the mailbox of an
    address that was confirmed earlier than the one that took it back: the oldest address wins. Those of later
    addresses do not work at all.
    """
    try:
        pk, mark, address = loads(token, salt=_SALT, max_age=KEPT)
    except BadSignature:
        return None
    event = SecurityEvent.objects.select_related("user").filter(pk=pk, user__is_active=True).first()
    # After a backup was restored, the id may be the one of somebody else's event.
    if event is None or event.user.mark != mark:
        return None
    since = _confirmed_at(event.user, address)
    for undone in event.user.security_events.filter(undone_at__gte=event.at):
        other = _confirmed_at(event.user, undone.undone_by) if undone.undone_by else since
        if since > other or (since == other and undone.pk <= event.pk):
            return None
    is_others = EmailAddress.objects.filter(email=address, verified=True).exclude(user=event.user).exists()
    return None if is_others else Undoing(event, address)


def undo(token: str) -> TakenBack | None:
    """Give the account back to the owner of the address; return None if the link undoes nothing any more.

    The address becomes the only one. The password and all sessions are gone, and so are the passkeys, apps
    and recovery codes that were added since the event, or within the days before that can be undone. Those
    from before the address was confirmed stay, because it may be the stranger's.
    """
    undoing = undoing_of(token)
    if undoing is None:
        return None
    try:
        with transaction.atomic():
            user = lock_user(undoing.event.user_id)
            undoing = undoing_of(token)
            return None if undoing is None else _undo(undoing, user)
    except IntegrityError:
        return None  # Somebody else has confirmed the address meanwhile.


def lock_user(pk: int) -> User:
    """In the caller's transaction, return a user whom nobody else changes meanwhile."""
    return User.objects.select_for_update(no_key=True).get(pk=pk)


def _undo(undoing: Undoing, user: User) -> TakenBack:
    event, address = undoing
    now, since = timezone.now(), _confirmed_at(user, address)
    SecurityEvent.objects.filter(pk=event.pk).update(undone_at=now, undone_by=address)
    removed = {
        row.email: (_confirmed_at(user, row.email), not row.primary)
        for row in EmailAddress.objects.filter(user=user, verified=True).exclude(email=address)
    }
    older = [email for email, age in removed.items() if age < (since, True)]
    take_back(user, address)
    added = user.security_events.filter(kind__in=ADDITIONS, at__gt=max(since, now - KEPT)).values("at")
    factors = Authenticator.objects.filter(user=user)
    factors.filter(Q(created_at__gte=event.at) | Q(created_at__in=added)).delete()
    delete_dangling_recovery_codes(user)
    return TakenBack(user, address, older, [email for email in removed if email not in older])


def _confirmed_at(user: User, address: str) -> datetime:
    """Return when a user first confirmed an address; the beginning of time if that is not known any more."""
    confirmed = user.security_events.filter(kind=SecurityEvent.Kind.ADDRESS_CONFIRMED, detail=address)
    return confirmed.aggregate(first=Min("at"))["first"] or datetime.min.replace(tzinfo=UTC)


def take_back(user: User, address: str) -> None:
    """In the caller's transaction, leave only the owner of the address a way into an account."""
    EmailAddress.objects.filter(user=user).exclude(email=address).delete()
    row, _is_new = EmailAddress.objects.update_or_create(
        user=user, email=address, defaults={"primary": True, "verified": True}
    )
    take_from_others(row)
    user.email, user.refused_address, user.removal_due_at = address, "", None
    user.set_unusable_password()
    user.save(update_fields=["email", "refused_address", "removal_due_at", "password"])
    user.renew_feeds()
    if apps.is_installed("allauth.socialaccount"):
        from allauth.socialaccount.models import SocialAccount

        # The stranger may be the one who has signed up by way of another server.
        SocialAccount.objects.filter(user=user).delete()
    for session in UserSession.objects.filter(user=user):
        session.end()
    taken_back.send(User, user=user)
