from django.urls import path, re_path

from accounts import links, views
from accounts.languages import set_language

app_name = "accounts"
urlpatterns = [
    path("login/", views.LogIn.as_view(), name="log_in"),  # replaces allauth's view at the same URL
    path("signup/", views.SignUp.as_view(), name="sign_up"),  # replaces allauth's view at the same URL
    path("email/", views.Addresses.as_view(), name="addresses"),  # replaces allauth's view at the same URL
    # replaces allauth's view at the same URL
    path("password/reset/", views.AskForReset.as_view(), name="ask_for_reset"),
    # replace allauth's views at the same URLs
    re_path(r"^confirm-email/(?P<key>[-:\w]+)/$", links.ConfirmAddress.as_view(), name="confirm_address"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        links.ChoosePassword.as_view(),
        name="choose_password",
    ),
    path("settings/", views.settings, name="settings"),
    path("settings/delete/", views.delete_account, name="delete_account"),
    path("settings/confirm-address/", views.send_confirmation, name="send_confirmation"),
    path("theme/", views.set_theme, name="set_theme"),
    path("language/", set_language, name="set_language"),
]
