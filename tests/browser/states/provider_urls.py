"""The addresses of a site whose host names a provider of log-ins, for pages that tests render."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from novaluna_site.urls import urlpatterns as addresses_of_the_site


def answer(_request: HttpRequest, **_words: str) -> HttpResponse:
    """Return nothing: only the addresses are needed."""
    return HttpResponse()


urlpatterns = [
    *addresses_of_the_site,
    path("account/oidc/signup/", answer, name="socialaccount_signup"),
    path("account/oidc/<str:provider_id>/login/", answer, name="openid_connect_login"),
]
