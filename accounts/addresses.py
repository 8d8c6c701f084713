"""Where a person can be reached by mail."""

from allauth.account.models import EmailAddress

from accounts.models import User


def confirmed_address(user: User) -> str | None:
    """Return the address that mails about games go to, or None as long as it is not confirmed."""
    return (
        EmailAddress.objects.filter(user=user, primary=True, verified=True)
        .values_list("email", flat=True)
        .first()
    )


def unconfirmed_address(user: User) -> str | None:
    """Return the address that `user` still has to confirm before any mail about games, or None."""
    addresses = EmailAddress.objects.filter(user=user, primary=True, verified=False)
    return addresses.values_list("email", flat=True).first()
