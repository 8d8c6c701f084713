from django.contrib import admin
from django.urls import include, path, re_path

from accounts import links
from novaluna_site import mailbox, privacy, webapp

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
    path("account/", include("allauth.account.urls")),
    path("account/sessions/", include("allauth.usersessions.urls")),
    path("account/security/", include("allauth.mfa.urls")),
    path("", include(webapp.urlpatterns)),
    path("privacy/", privacy.page, name="privacy"),
    path("mailbox/", include(mailbox.urlpatterns)),
    path("admin/", admin.site.urls),
]
