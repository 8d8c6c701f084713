"""The admin, which only staff reach who have proved a second factor in their session."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from accounts import second_factors
from accounts.models import User
from accounts.staff.moderators import ask_for_proof


class Site(AdminSite):
    """The admin. It uses the site's own login page, so the same limit of login attempts applies."""

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and second_factors.is_proved(
            request, second_factors.STAFF_PROOF
        )

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect visitors to the login page, and staff to the page to prove or add a second factor."""
        following = request.GET.get("next", "") or request.get_full_path()
        user = request.user
        if not isinstance(user, User):
            return redirect_to_login(following)
        if not super().has_permission(request):
            raise PermissionDenied
        if self.has_permission(request):
            return super().login(request, extra_context)
        why = _("Only staff with a second factor can open the admin.")
        return ask_for_proof(request, user, why, following)
