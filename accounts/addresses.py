"""Email addresses of a user: which one is confirmed, which one still has to be."""

from allauth.account.models import EmailAddress

from accounts.models import User


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
