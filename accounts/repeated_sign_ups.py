"""Sign-up forms that are sent twice: the second one logs in to the account that the first has made."""

from collections.abc import Mapping
from datetime import timedelta

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User

# A browser repeats a form within this time: by a second press, in another tab, or on a slow network.
WITHIN = timedelta(minutes=1)


def log_in(request: HttpRequest, fields: Mapping[str, str]) -> User | None:
    """Log in to the account that these fields of the sign-up form have just made, and return its user.

    Returns None if there is no such account, or if the password is another one. A wrong password counts as an
    attempt to log in.
    """
    name, email = fields.get("username", ""), fields.get("email", "")
    since = timezone.now() - WITHIN
    made = User.objects.filter(
        username__iexact=name.strip(), email=email.strip().lower(), last_login__gt=since
    )
    if not made.filter(is_guest=False).exists():
        return None
    adapter = get_adapter()
    try:
        user = adapter.authenticate(request, username=name.strip(), password=fields.get("password1", ""))
    except ValidationError:
        return None  # There were too many attempts.
    if not isinstance(user, User):
        return None
    adapter.login(request, user)
    return user
