"""Undoing what happened to an account, by a link in an email to an address that was confirmed before it."""

from datetime import timedelta
from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.signing import BadSignature, dumps, loads
from django.db import transaction
from django.utils import timezone

from accounts.addresses import owner_of, take_from_others, taken_back
from accounts.models import SecurityEvent, User

KEPT = timedelta(days=7)
_SALT = "accounts.undoing"


class Undoing(NamedTuple):
    """What a link undoes, and the address to which it was sent."""

    event: SecurityEvent
    address: str


def token_of(event: SecurityEvent, address: str) -> str:
    """Return the token of the link in the email about an event to this address."""
    return dumps([event.pk, event.user.mark, address], salt=_SALT)


def undoing_of(token: str) -> Undoing | None:
    """Return what a link undoes; None if it is too old, was used, or the address is somebody else's now.

    If an account was taken back, links of what happened between that event and then do nothing, because they
    may be in the mailbox of the stranger. Those of earlier events still work: the oldest address wins.
    """
    try:
        pk, mark, address = loads(token, salt=_SALT, max_age=KEPT)
    except BadSignature:
        return None
    event = SecurityEvent.objects.select_related("user").filter(pk=pk, user__is_active=True).first()
    # After a backup was restored, the id may be the one of somebody else's event.
    if event is None or event.user.mark != mark:
        return None
    is_undone = SecurityEvent.objects.filter(
        user=event.user, pk__lte=event.pk, undone_at__gte=event.at
    ).exists()
    return None if is_undone or owner_of(address) not in (None, event.user) else Undoing(event, address)


def undo(undoing: Undoing) -> User:
    """Give the account back to the owner of the address, and return its user.

    The address becomes the only one. The password, all sessions, and the passkeys and apps that were added
    since the event are gone.
    """
    event, address = undoing
    with transaction.atomic():
        user = User.objects.select_for_update(no_key=True).get(pk=event.user_id)
        SecurityEvent.objects.filter(pk=event.pk).update(undone_at=timezone.now())
        take_back(user, address)
        Authenticator.objects.filter(user=user, created_at__gt=event.at).delete()
    return user


def take_back(user: User, address: str) -> None:
    """In the caller's transaction, leave only the owner of the address a way into an account."""
    EmailAddress.objects.filter(user=user).exclude(email=address).delete()
    row, _is_new = EmailAddress.objects.update_or_create(
        user=user, email=address, defaults={"primary": True, "verified": True}
    )
    take_from_others(row)
    user.email, user.refused_address = address, ""
    user.set_unusable_password()
    user.save(update_fields=["email", "refused_address", "password"])
    user.renew_feeds()
    for session in UserSession.objects.filter(user=user):
        session.end()
    taken_back.send(User, user=user)
