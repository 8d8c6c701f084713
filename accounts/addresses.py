"""Email addresses: which one of a user is confirmed, whose an address is, and whether it can get emails."""

from email.errors import MessageError
from email.headerregistry import Address

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.core.mail.message import sanitize_address
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Lower
from django.dispatch import Signal
from django.utils.translation import gettext_lazy as _

from accounts.models import User

# Sent, with the argument `user`, in the transaction in which the owner of an address takes back an account.
# What a stranger may have set up there to learn or do something must go.
taken_back = Signal()

UNSENDABLE = _("We can't send emails to this address. Please use another one.")


def confirmed_address(user: User) -> str | None:
    """Return the main address, which receives emails about games, or None if it is not confirmed."""
    return (
        EmailAddress.objects.filter(user=user, primary=True, verified=True)
        .values_list("email", flat=True)
        .first()
    )


def unconfirmed_address(user: User) -> str | None:
    """Return the main address if `user` must confirm it before they receive emails about games, else None."""
    addresses = EmailAddress.objects.filter(user=user, primary=True, verified=False)
    return addresses.values_list("email", flat=True).first()


def refuse_emails(user: User) -> None:
    """Send no emails about games to the main address of `user`, until they confirm it again."""
    if address := confirmed_address(user):
        refuse_emails_to(address)


def refuse_emails_to(address: str) -> None:
    """Send no emails about games to an address until its owner confirms it again; their pages say so.

    This also shows people who have not confirmed their address yet that it may have a typing error.
    """
    with transaction.atomic():
        rows = EmailAddress.objects.filter(email=address, primary=True)
        users = list(rows.values_list("user", flat=True))
        owners = list(rows.filter(verified=True).values_list("user", flat=True))
        rows.filter(verified=True).update(verified=False)
        User.objects.filter(pk__in=users).update(refused_address=address)
        User.objects.filter(pk__in=owners).update(proved_address=address)


def owner_of(address: str) -> User | None:
    """Return the active user who has confirmed an address; None without such a user."""
    confirmed = EmailAddress.objects.filter(email=address.lower(), verified=True)
    return User.objects.filter(pk__in=confirmed.values("user"), is_active=True).first()


def is_unproved(user: User) -> bool:
    """Return whether a user has never confirmed an address, so that theirs may be somebody else's.

    A main address stays proved when emails to it come back. Those of staff are as good as confirmed,
    because somebody has given them their rights.
    """
    if user.is_staff or user.is_superuser:
        return False
    was_proved = user.email != "" and user.proved_address == user.email
    return not was_proved and not EmailAddress.objects.filter(user=user, verified=True).exists()


def main_address(user: User) -> str:
    """Return the main address of a user, confirmed or not; empty without one.

    `User.email` has it only when it is confirmed, because it belongs to one account, and nobody is to learn
    by a sign-up to which ones.
    """
    main = EmailAddress.objects.filter(user=user, primary=True).values_list("email", flat=True).first()
    return main or user.email


def prover_of(address: str) -> User | None:
    """Return the user who has confirmed an address, also if emails to it came back since; else None."""
    confirmed = EmailAddress.objects.filter(email=address, verified=True).values("user")
    came_back = Q(email=address, proved_address=address)
    by_staff = Q(email=address) & (Q(is_staff=True) | Q(is_superuser=True))
    return User.objects.filter(Q(pk__in=confirmed) | came_back | by_staff).first()


def add_main_address(user: User, address: str) -> None:
    """Store the address of a new user, who has not confirmed it. Others may have it, or have confirmed it."""
    EmailAddress.objects.create(user=user, email=address, primary=True)


def free_address(user: User, address: str) -> None:
    """Take an address from a user who has not confirmed it, because its owner does not know them."""
    with transaction.atomic():
        rows = EmailAddress.objects.filter(user=user, email=address)
        if not rows.filter(verified=True).exists():
            rows.delete()
            User.objects.filter(pk=user.pk, email=address).update(email="")


def check_sendable(email: str) -> None:
    """Raise ValidationError if no email can be sent to the address.

    Django's validator accepts letters that the header of an email cannot contain, such as İ before the @. It
    also accepts quoted names, and IP addresses in brackets, which may lead into our own network.
    """
    if set(email) & set('"[]'):
        raise ValidationError(UNSENDABLE)
    try:
        validate_email(sanitize_address(str(Address(addr_spec=email)), "utf-8"))
    except (MessageError, ValueError, IndexError, ValidationError) as error:
        raise ValidationError(UNSENDABLE) from error


def take_from_others(address: EmailAddress) -> bool:
    """Remove an address from every account that has not confirmed it, except the one of `address`.

    Return False if somebody else has just taken it from this one. Call this in a transaction.
    """
    rows = EmailAddress.objects.select_for_update().filter(email=address.email).order_by("pk")
    if address.pk not in list(rows.values_list("pk", flat=True)):
        return False
    others = EmailAddress.objects.filter(email=address.email).exclude(user=address.user)
    confirmed = list(others.filter(verified=True).values_list("user", flat=True))
    others.filter(verified=False).delete()
    held = User.objects.alias(lower=Lower("email")).filter(lower=address.email)
    held.exclude(pk__in=[address.user_id, *confirmed]).update(email="")
    return True
