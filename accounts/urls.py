from django.urls import path
from django.views.generic import RedirectView

from accounts import guest_views, views
from accounts.languages import set_language

app_name = "accounts"
urlpatterns = [
    path("login/", views.LogIn.as_view(), name="log_in"),  # replaces allauth's view at the same URL
    # replaces allauth's view at the same URL
    path("login/code/confirm/", views.ConfirmCode.as_view(), name="confirm_code"),
    path("signup/", views.SignUp.as_view(), name="sign_up"),  # replaces allauth's view at the same URL
    path("signup/passkey/", views.SignUpByPasskey.as_view(), name="sign_up_by_passkey"),
    path("email/", views.Addresses.as_view(), name="addresses"),  # replaces allauth's view at the same URL
    # replaces allauth's view at the same URL
    path("password/reset/", views.AskForReset.as_view(), name="ask_for_reset"),
    # allauth's list of passkeys, which the page of all second factors has too
    path("security/webauthn/", RedirectView.as_view(pattern_name="mfa_index"), name="passkeys"),
    path("sessions/<int:pk>/end/", views.end_session, name="end_session"),
    path("security/log/", views.events, name="events"),
    path("undo/<str:token>/", views.undo, name="undo"),
    path("settings/", views.settings, name="settings"),
    path("settings/delete/", views.delete_account, name="delete_account"),
    path("settings/keep/", views.keep_account, name="keep_account"),
    path("keep/<str:token>/", views.keep_by_link, name="keep_by_link"),
    path("settings/confirm-address/", views.send_confirmation, name="send_confirmation"),
    path("other-browser/", guest_views.other_browser, name="other_browser"),
    path("guest-code/", guest_views.guest_link, name="enter_code"),
    path("guest-code/<str:code>/", guest_views.guest_link, name="guest_link"),
    path("theme/", views.set_theme, name="set_theme"),
    path("language/", set_language, name="set_language"),
]
