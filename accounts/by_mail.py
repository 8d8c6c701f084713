"""Accounts of people who answer by email before they have visited the site."""

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse

from accounts import outbox
from accounts.addresses import owner_of, take_from_others
from accounts.barred_addresses import is_barred
from accounts.guests import free_name
from accounts.models import User


class Barred(Exception):
    """The account of the address was suspended for a time that is not over."""


def account_of(address: str, rules_path: str) -> User:
    """Return the user with this address, whose owner has just answered an email; a new one if necessary.

    A new account has no password. Its owner gets an email with a link to choose one, and to the page with
    the rules of their game. Raises Barred.
    """
    with transaction.atomic():
        return owner_of(address) or _create(address, rules_path)


def _create(address: str, rules_path: str) -> User:
    if is_barred(address):
        raise Barred
    user = User(username=free_name())
    user.set_unusable_password()
    user.save()
    # The answer proves that the address is theirs. Another account may have it without having confirmed it.
    take_from_others(EmailAddress.objects.create(user=user, email=address, primary=True, verified=True))
    user.email = address
    user.save(update_fields=["email"])
    key = default_token_generator.make_token(user)
    path = reverse("account_reset_password_from_key", args=[user_pk_to_url_str(user), key])
    values = {
        "user": user,
        "rules_url": settings.SITE_URL + rules_path,
        "claim_url": settings.SITE_URL + path,
        "reset_url": settings.SITE_URL + reverse("account_reset_password"),
    }
    outbox.owe(
        address,
        " ".join(render_to_string("mail/welcome_subject.txt", values).split()),
        render_to_string("mail/welcome.txt", values),
    )
    return user
