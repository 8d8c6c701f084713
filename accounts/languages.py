"""The language of pages and emails: chosen in the footer, stored in a cookie and in the account."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.views import i18n
from django.views.decorators.http import require_POST

from accounts.models import User


def language_of(user: User | AnonymousUser | None) -> str:
    """Return the code of the language that `user` chose, or "" if they chose none or it is not available."""
    chosen = user.language if isinstance(user, User) else ""
    return chosen if chosen in dict(settings.LANGUAGES) else ""


@require_POST
def set_language(request: HttpRequest) -> HttpResponseBase:
    """Store the chosen language and redirect to the page on which it was chosen.

    Raises BadRequest if the site does not have that language.
    """
    code = request.POST.get(i18n.LANGUAGE_QUERY_PARAMETER, "")
    if code not in dict(settings.LANGUAGES):
        raise BadRequest
    if isinstance(request.user, User):
        User.objects.filter(pk=request.user.pk).update(language=code)
    return i18n.set_language(request)
