"""Log-ins at the server of `novaluna_site.login_provider`, which says only who somebody is there.

Nothing that it says about an address counts. People confirm theirs here, by an email, like all others, so
that neither the server nor who signs up there first gets into an account or keeps an address from its owner.
"""

import logging
from typing import Any, NoReturn

from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts import refusals
from accounts.addresses import add_main_address
from accounts.models import User

logger = logging.getLogger(__name__)


class Adapter(DefaultSocialAccountAdapter):
    """allauth's adapter with this site's rules. An account gets its provider at the sign-up, or never.

    So a stranger who is in somebody's session can't leave a way in of their own.
    """

    def new_user(self, request: HttpRequest, sociallogin: Any) -> User:
        """Return a new row, which `save_user` replaces by the one of a guest."""
        return User()

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: dict[str, Any]) -> User:
        """Keep only the address, as a suggestion for the form; all else is gone before anything is stored."""
        user: User = super().populate_user(request, sociallogin, data)
        sociallogin.account.extra_data, sociallogin.email_addresses = {}, []
        return user

    def serialize_instance(self, instance: Any) -> dict[str, Any]:
        """Return what the session keeps until the sign-up: allauth can't store columns with `db_default`."""
        if isinstance(instance, User):
            return {"pk": instance.pk, "email": instance.email}
        stored: dict[str, Any] = super().serialize_instance(instance)
        return stored

    def deserialize_instance(self, model: Any, data: dict[str, Any]) -> Any:
        """Return what `serialize_instance` has stored."""
        if model is not User:
            return super().deserialize_instance(model, data)
        return (data["pk"] and User.objects.filter(pk=data["pk"]).first()) or User(email=data["email"])

    def get_signup_form_initial_data(self, sociallogin: Any) -> dict[str, Any]:
        """Return the first values of the form: a guest may keep their name; others begin without one."""
        user = self.request.user
        return {"email": sociallogin.user.email, "username": user.username if isinstance(user, User) else ""}

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Let only visitors and guests go on, and only to log in. Guests count as visitors on this page."""
        if isinstance(request.user, User):
            raise ImmediateHttpResponse(redirect("games:home"))
        if sociallogin.state.get("process") != "login":
            self.on_authentication_error(request, sociallogin.provider)

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Return True for visitors and guests within the limits of the other sign-ups."""
        if isinstance(request.user, User) and not request.user.is_guest:
            raise ImmediateHttpResponse(redirect("games:home"))
        if request.method == "POST" and not ratelimit.consume(request, action="signup"):
            raise ImmediateHttpResponse(refusals.page(request, "signup"))
        return True

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> User:
        """Store the new user: a guest keeps their row, so every game stays."""
        try:
            with transaction.atomic():
                if isinstance(request.user, User):
                    # The second of two simultaneous requests waits here for the first.
                    sociallogin.user = User.objects.select_for_update(no_key=True).get(pk=request.user.pk)
                    if not sociallogin.user.is_guest:
                        raise ImmediateHttpResponse(redirect("games:home"))
                user: User = super().save_user(request, sociallogin, form)
                add_main_address(user, form.cleaned_data["email"])
                return user
        except IntegrityError:
            messages.error(request, _("Somebody has just taken this name. Please log in once more."))
            raise ImmediateHttpResponse(redirect("account_login")) from None

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Exception | None = None,
        extra_context: Any = None,
    ) -> NoReturn:
        """Lead back to the page to log in, and tell the host what failed."""
        if exception is not None:
            logger.warning("A log-in at the provider failed: %r", exception)
        messages.error(
            request, _("You are not logged in, because the other site did not confirm who you are.")
        )
        raise ImmediateHttpResponse(redirect("account_login"))
