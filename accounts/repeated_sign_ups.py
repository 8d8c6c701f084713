"""Sign-up forms that are sent twice: the second one logs in to the account that the first has made."""

from collections.abc import Mapping
from datetime import timedelta

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import perform_password_login
from allauth.account.models import Login
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import second_factors
from accounts.models import SecurityEvent, User

# A browser repeats a form within this time: by a second press, in another tab, or on a slow network.
WITHIN = timedelta(minutes=1)


def log_in(request: HttpRequest, fields: Mapping[str, str], redirect_url: str | None) -> HttpResponse | None:
    """Log in to the account that these fields of the sign-up form have just made, and return the response.

    Returns None if there is no such account, if it has a second factor, or if the password is another one. A
    wrong password counts as an attempt to log in.
    """
    name, email = fields.get("username", ""), fields.get("email", "")
    since = timezone.now() - WITHIN
    # Not `date_joined`, which is when a guest began to play.
    signed_up = SecurityEvent.objects.filter(kind=SecurityEvent.Kind.SIGNED_UP, at__gt=since)
    made = User.objects.filter(
        username__iexact=name.strip(),
        emailaddress__email=email.strip().lower(),
        emailaddress__primary=True,
        pk__in=signed_up.values("user"),
    )
    if not made.filter(is_guest=False).exists():
        return None
    adapter = get_adapter()
    try:
        user = adapter.authenticate(request, username=name.strip(), password=fields.get("password1", ""))
    except ValidationError:
        return None  # There were too many attempts.
    if not isinstance(user, User) or second_factors.has_any(user):
        return None
    login = Login(user=user, redirect_url=redirect_url)
    return perform_password_login(request, {"username": user.username}, login)
