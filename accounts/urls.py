from django.urls import path

from accounts import views

app_name = "accounts"
urlpatterns = [
    path("settings/", views.settings, name="settings"),
    path("settings/confirm-address/", views.send_confirmation, name="send_confirmation"),
    path("theme/", views.set_theme, name="set_theme"),
    path("turn-mails/off/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
