"""Users, groups and email addresses in the admin."""

from typing import Any

from allauth.account.admin import EmailAddressAdmin as AllauthEmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin as AllauthAuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.usersessions.admin import UserSession
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group
from django.db.models import Q, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts import deletion, security_log
from accounts.models import PastMail, ReturnedMail, User
from accounts.staff.read_only import ReadOnly

# Whose accounts only superusers change.
POWERFUL = Q(is_staff=True) | Q(is_superuser=True) | Q(is_moderator=True)


def _is_superuser(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


def _may_change(request: HttpRequest, user: User | None) -> bool:
    """Return whether the sender of a request may change this user."""
    has_power = user is not None and (user.is_staff or user.is_superuser or user.is_moderator)
    return not has_power or _is_superuser(request)


@admin.register(User)
class UserAdmin(DjangoUserAdmin):
    """Users, without the first and last name that Django's admin expects.

    Rows cannot be deleted here, because running games would wait for the users for ever. The action
    deactivates accounts and removes them a day later, unless somebody makes them active again. To block a
    user, clear "active".

    Only superusers change what staff may do, and the accounts of staff and moderators: whoever changes an
    address or a password there can log in to the account.
    """

    list_display = ("username", "email", "is_guest", "is_staff", "date_joined", "is_active", "removal_due_at")
    list_filter = ("is_guest", "is_moderator", "is_staff", "is_superuser", "is_active")
    search_fields = ("username", "email", "emailaddress__email")
    ordering = ("-date_joined",)
    # Only their own page checks what people choose here.
    readonly_fields = ("time_zone", "digest_hour", "removal_due_at")
    rights = ("is_staff", "is_moderator", "is_superuser", "groups", "user_permissions")
    actions = ("delete_accounts",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Emails"), {"fields": ("email", "time_zone", "digest_hour")}),
        (
            _("Permissions"),
            {
                "fields": (
                    *("is_active", "is_moderator", "is_staff", "is_superuser"),
                    *("groups", "user_permissions"),
                )
            },
        ),
        (_("Important dates"), {"fields": ("last_login", "date_joined", "removal_due_at")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Return the fields that nobody changes here, and for others than superusers the rights of staff."""
        return self.readonly_fields if _is_superuser(request) else (*self.readonly_fields, *self.rights)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Return whether this person may change users, or this user."""
        return super().has_change_permission(request, obj) and _may_change(request, obj)

    @admin.action(description=_("Delete selected accounts in a day"), permissions=["remove"])
    def delete_accounts(self, request: HttpRequest, users: QuerySet[User]) -> None:
        if not _is_superuser(request):
            users = users.exclude(POWERFUL)
        for user in users:
            deletion.delete(user, deletion.STAFF_PAUSE)
        self.message_user(
            request, _("The accounts are deactivated. To keep one, set it to active within a day.")
        )

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("accounts.delete_user")

    def save_model(self, request: HttpRequest, obj: User, form: "ModelForm[User]", change: bool) -> None:
        """Store a user; one who is active again is not removed."""
        if obj.is_active and "is_active" in form.changed_data:
            obj.removal_due_at = None
        obj.changed_by = request.user if isinstance(request.user, User) else None
        if change and obj.email.lower() != form.initial["email"].lower():
            security_log.changed_by_staff(obj, obj.email)
        super().save_model(request, obj, form, change)
        if change and "username" in form.changed_data:
            # The open pages of their games show a name that is stored as such.
            obj.save(update_fields=["username"])

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:
        """Set a new password, and write to the user that this was done."""
        before = User.objects.filter(pk=id).values_list("password", flat=True).first()
        response: HttpResponse = super().user_change_password(request, id, form_url)
        user = User.objects.filter(pk=id).first()
        if user is not None and user.password != before:
            security_log.changed_by_staff(user)
        return response

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False


admin.site.unregister(Group)
admin.site.unregister(EmailAddress)
admin.site.unregister(Authenticator)
# Where people are logged in is for their own eyes.
admin.site.unregister(UserSession)
if apps.is_installed("allauth.socialaccount"):
    from allauth.socialaccount import admin as provider_admin

    for model in (provider_admin.SocialAccount, provider_admin.SocialApp, provider_admin.SocialToken):
        admin.site.unregister(model)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin):
    """Groups, which only superusers change: the permissions of a group are rights of staff."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return _is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return _is_superuser(request)


@admin.register(EmailAddress)
class EmailAddressAdmin(AllauthEmailAddressAdmin):
    """Email addresses; only superusers change those of staff and moderators: they reset passwords."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[EmailAddress]:
        """Return the addresses that this person may see and change, one by one or by an action."""
        addresses: QuerySet[EmailAddress] = super().get_queryset(request)
        powerful = User.objects.filter(POWERFUL)
        return addresses if _is_superuser(request) else addresses.exclude(user__in=powerful)

    def save_model(
        self, request: HttpRequest, obj: EmailAddress, form: "ModelForm[EmailAddress]", change: bool
    ) -> None:
        """Store an address, and write about it to those that were confirmed before."""
        security_log.changed_by_staff(obj.user, obj.email)
        super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: EmailAddress) -> None:
        """Delete an address, and write about it to those that were confirmed."""
        security_log.changed_by_staff(obj.user, obj.email)
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[EmailAddress]) -> None:
        """Delete addresses, and write about each."""
        for address in queryset.select_related("user"):
            security_log.changed_by_staff(address.user, address.email)
        super().delete_queryset(request, queryset)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        """Return the field; only superusers choose staff or moderators as the owner of an address."""
        if db_field.name == "user" and not _is_superuser(request):
            options["queryset"] = User.objects.exclude(POWERFUL)
        return super().formfield_for_foreignkey(db_field, request, **options)


@admin.register(Authenticator)
class AuthenticatorAdmin(ReadOnly, AllauthAuthenticatorAdmin):
    """Second factors, without their secrets. Superusers remove one whose owner has lost it for good."""

    search_fields = ("user__username",)
    exclude = ("data",)

    def has_delete_permission(self, request: HttpRequest, obj: Authenticator | None = None) -> bool:
        return _is_superuser(request)


@admin.register(PastMail)
class PastMailAdmin(ReadOnly, admin.ModelAdmin):
    """Account mails that were sent or could not be sent, such as invitations to addresses."""

    list_display = ("created_at", "address", "subject", "is_sent", "ended_at", "attempts", "error")
    list_filter = ("is_sent",)
    search_fields = ("address", "subject")
    date_hierarchy = "ended_at"


@admin.register(ReturnedMail)
class ReturnedMailAdmin(ReadOnly, admin.ModelAdmin):
    """Reports that emails could not be delivered."""

    list_display = ("received_at", "address", "has_stopped_emails", "error")
    list_filter = ("has_stopped_emails",)
    search_fields = ("address", "error")
    date_hierarchy = "received_at"
