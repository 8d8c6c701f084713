"""Users in the admin; allauth registers their email addresses."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Users, without the first and last name that Django's admin expects.

    Staff cannot delete users here, because their running games would wait for them for ever. To block a user,
    clear "active".
    """

    list_display = ("username", "email", "is_guest", "is_staff", "date_joined")
    list_filter = ("is_guest", "is_staff", "is_superuser", "is_active")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    # Only their own page checks what people choose here.
    readonly_fields = ("time_zone", "digest_hour")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Emails"), {"fields": ("email", "time_zone", "digest_hour")}),
        (
            _("Permissions"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Important dates"), {"fields": ("last_login", "date_joined")}),
    )

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False
