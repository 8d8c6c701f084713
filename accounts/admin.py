"""Users in the admin; allauth registers their email addresses."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts import deletion
from accounts.models import PastMail, User


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Users, without the first and last name that Django's admin expects.

    Rows cannot be deleted here, because running games would wait for the users for ever. The action
    deactivates accounts and removes them a day later, unless somebody makes them active again. To block a
    user, clear "active".
    """

    list_display = ("username", "email", "is_guest", "is_staff", "date_joined", "is_active", "removal_due_at")
    list_filter = ("is_guest", "is_staff", "is_superuser", "is_active")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    # Only their own page checks what people choose here.
    readonly_fields = ("time_zone", "digest_hour", "removal_due_at")
    actions = ("delete_accounts",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Emails"), {"fields": ("email", "time_zone", "digest_hour")}),
        (
            _("Permissions"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Important dates"), {"fields": ("last_login", "date_joined", "removal_due_at")}),
    )

    @admin.action(description=_("Delete selected accounts in a day"), permissions=["remove"])
    def delete_accounts(self, request: HttpRequest, users: QuerySet[User]) -> None:
        for user in users:
            deletion.delete(user, deletion.STAFF_PAUSE)
        self.message_user(
            request, _("The accounts are deactivated. To keep one, set it to active within a day.")
        )

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.delete_user")

    def save_model(self, request: HttpRequest, obj: User, form: "ModelForm[User]", change: bool) -> None:
        """Store a user; one who is active again is not removed."""
        if obj.is_active:
            obj.removal_due_at = None
        super().save_model(request, obj, form, change)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False


@admin.register(PastMail)
class PastMailAdmin(admin.ModelAdmin):
    """Account mails that were sent or could not be sent, such as invitations to addresses; read-only."""

    list_display = ("created_at", "address", "subject", "is_sent", "ended_at", "attempts", "error")
    list_filter = ("is_sent",)
    search_fields = ("address", "subject")
    date_hierarchy = "ended_at"

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: PastMail | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: PastMail | None = None) -> bool:
        return False
