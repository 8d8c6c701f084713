from allauth.account.decorators import reauthentication_required
from allauth.account.views import password_set
from django.conf import settings
from django.contrib import admin
from django.urls import include, path, re_path

from accounts import links
from novaluna_site import mailbox, privacy, webapp

handler429 = "accounts.refusals.page"
handler500 = "novaluna_site.storage_errors.crash"

urlpatterns = [
    path("", include("games.views.urls")),
    path("account/", include("accounts.urls")),
    # These replace allauth's views of the same names.
    re_path(
        r"^account/confirm-email/(?P<key>[-:\w]+)/$",
        links.ConfirmAddress.as_view(),
        name="account_confirm_email",
    ),
    re_path(
        r"^account/password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        links.ChoosePassword.as_view(),
        name="account_reset_password_from_key",
    ),
    # Otherwise a session of somebody who has only passkeys leads to a password, and that to other passkeys.
    path("account/password/set/", reauthentication_required()(password_set), name="account_set_password"),
    path("account/", include("allauth.account.urls")),
    path("account/sessions/", include("allauth.usersessions.urls")),
    path("account/security/", include("allauth.mfa.urls")),
    path("", include(webapp.urlpatterns)),
    path("privacy/", privacy.page, name="privacy"),
    path("mailbox/", include(mailbox.urlpatterns)),
    path("admin/", admin.site.urls),
]
if settings.LOGIN_PROVIDER:
    from novaluna_site import provider_pages

    urlpatterns.append(path("account/oidc/", include(provider_pages.urlpatterns)))
