"""The addresses of log-ins at another server. They exist only if the host names one."""

from allauth.decorators import rate_limit
from allauth.socialaccount.adapter import get_adapter
from django.http import HttpRequest, HttpResponseBase
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe


@require_POST
@never_cache
@rate_limit(action="login")
def begin(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Lead to the log-in page of the other server."""
    return _answer(request, "login", provider_id)


@require_safe
@never_cache
def finish(request: HttpRequest, provider_id: str) -> HttpResponseBase:
    """Log in or go on to the sign-up, with the answer of the other server."""
    return _answer(request, "callback", provider_id)


@never_cache
def sign_up(request: HttpRequest) -> HttpResponseBase:
    """Show allauth's page on which a new person chooses a name."""
    from allauth.socialaccount.views import signup

    response: HttpResponseBase = signup(request)
    return response


def _answer(request: HttpRequest, step: str, provider_id: str) -> HttpResponseBase:
    from allauth.socialaccount.providers.openid_connect import views
    from requests import RequestException

    try:
        response: HttpResponseBase = getattr(views, step)(request, provider_id)
    except (RequestException, KeyError, TypeError, ValueError) as error:
        # The server does not answer, or not as OpenID Connect says.
        get_adapter(request).on_authentication_error(request, None, exception=error)
        raise
    return response


# allauth looks the pages up by these names.
urlpatterns = [
    path("signup/", sign_up, name="socialaccount_signup"),
    path("<str:provider_id>/login/", begin, name="openid_connect_login"),
    path("<str:provider_id>/login/callback/", finish, name="openid_connect_callback"),
]
