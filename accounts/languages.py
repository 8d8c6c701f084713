"""The language of pages and mails: chosen in the footer, kept in a cookie and with the account."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.views import i18n
from django.views.decorators.http import require_POST

from accounts.models import User


def language_of(user: User | AnonymousUser | None) -> str:
    """Return the code of the language that `user` has chosen; empty if none, or one no longer offered."""
    chosen = user.language if isinstance(user, User) else ""
    return chosen if chosen in dict(settings.LANGUAGES) else ""


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Remember the language, and go back to the page on which it was chosen."""
    code = request.POST.get(i18n.LANGUAGE_QUERY_PARAMETER, "")
    if code not in dict(settings.LANGUAGES):
        raise BadRequest
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(language=code)
    return i18n.set_language(request)
