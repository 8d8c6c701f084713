"""The pages that links in emails about accounts open. GET changes nothing, because scanners follow them."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.forms import ResetPasswordKeyForm
from allauth.account.views import ConfirmEmailView, PasswordResetFromKeyView
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from accounts.addresses import free_address, is_unproved, main_address
from accounts.confirmations import Confirmation
from accounts.models import User
from accounts.undoing import take_back


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

    def post(self, *args: Any, **options: Any) -> HttpResponse:
        """Confirm the address, or free it because its owner does not know the account."""
        if "not_mine" not in self.request.POST:
            return super().post(*args, **options)
        address = self.get_object().email_address
        return _free(self.request, address.user, address.email)


class ChoosePassword(PasswordResetFromKeyView):
    """allauth's page to choose a new password. It needs cookies, and says so before anybody enters one.

    If the account has never confirmed the address, somebody else may have made it. So the page first asks its
    reader whose account it is. If it is theirs, nothing stays that a stranger may have set up; if not, the
    address is free.
    """

    reset_user: User | None

    def get(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Show the form, or the question whose account it is."""
        if self.reset_user is not None and self.is_unproved and "mine" not in request.GET:
            facts = {"account": self.reset_user, "address": main_address(self.reset_user)}
            return render(request, "accounts/whose_account.html", facts)
        return super().get(request, *args, **options)

    def post(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Store the new password, or free the address."""
        if not (self.is_unproved and "not_mine" in request.POST):
            return super().post(request, *args, **options)
        assert self.reset_user is not None
        return _free(request, self.reset_user, main_address(self.reset_user))

    def form_valid(self, form: ResetPasswordKeyForm) -> HttpResponse:
        """Store the new password; of an account that somebody else may have made, leave nothing else."""
        if not self.is_unproved:
            return super().form_valid(form)
        user = self.reset_user
        assert user is not None
        with transaction.atomic():
            take_back(user, main_address(user))
            Authenticator.objects.filter(user=user).delete()
            user.refresh_from_db()
            return super().form_valid(form)

    @property
    def is_unproved(self) -> bool:
        """Whether the link is for an account that has never confirmed an address."""
        return self.reset_user is not None and is_unproved(self.reset_user)

    def logout(self) -> None:
        """Log somebody else out only when the new password is stored, which logs its user in."""
        if self.request.method == "POST":
            super().logout()

    def get_context_data(self, **options: Any) -> dict[str, Any]:
        """Return the variables of the page."""
        # The first page has stored the key in the session.
        is_second = self.kwargs["key"] == self.reset_url_key
        return super().get_context_data(**options) | {"needs_cookies": is_second and not self.request.COOKIES}


def _free(request: HttpRequest, user: User, address: str) -> HttpResponse:
    free_address(user, address)
    messages.success(request, _("Your address is free. You can sign up with it."))
    return redirect(f"{reverse('account_signup')}?{urlencode({'email': address})}")
