from django.contrib import admin
from django.urls import include, path

from novaluna_site import mailbox

urlpatterns = [
    path("", include("games.urls")),
    path("account/", include("accounts.urls")),
    path("account/", include("allauth.account.urls")),
    path("mailbox/", include(mailbox.urlpatterns)),
    path("admin/", admin.site.urls),
]
