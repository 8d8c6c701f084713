"""The pages that links in emails about accounts open. GET changes nothing, because scanners follow them."""

from typing import Any

from allauth.account.views import ConfirmEmailView, PasswordResetFromKeyView
from django.http import Http404
from django.utils.decorators import method_decorator
from django.views.decorators.csrf import csrf_exempt

from accounts.confirmations import Confirmation


@method_decorator(csrf_exempt, name="dispatch")
class ConfirmAddress(ConfirmEmailView):
    """allauth's page to confirm an address, which needs no cookies and logs nobody out.

    The key in the address is the only right that counts, and it names the address that is confirmed. So a
    check against forged requests, which needs a cookie, would protect nothing.
    """

    def get_object(self, queryset: None = None) -> Confirmation:
        """Return the confirmation that the key in the address allows. Raises Http404."""
        confirmation = Confirmation.from_key(self.kwargs["key"])
        if confirmation is None:
            raise Http404
        return confirmation

    def logout_other_user(self, confirmation: Confirmation) -> None:
        """Do nothing: who is logged in here may have opened the link of their second account."""


class ChoosePassword(PasswordResetFromKeyView):
    """allauth's page to choose a new password. It needs cookies, and says so before anybody enters one."""

    def logout(self) -> None:
        """Log somebody else out only when the new password is stored, which logs its user in."""
        if self.request.method == "POST":
            super().logout()

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        """Return the variables of the page."""
        # The first page has stored the key in the session.
        is_second = self.kwargs["key"] == self.reset_url_key
        return super().get_context_data(**options) | {"needs_cookies": is_second and not self.request.COOKIES}
