"""Middleware that shows suspended people nothing but why, and lets them object, leave and read."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.utils.deprecation import MiddlewareMixin

from accounts.models import User

# What stays open: why, to object, to read the rules and what is stored, to stop emails, to leave.
OPEN = {
    *("games:export", "games:export_file", "accounts:keep_account", "accounts:keep_by_link"),
    *("account_reauthenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn"),
    *("games:reports", "games:object", "games:house_rules", "games:help", "privacy"),
    *("games:unsubscribe", "games:stop_invitations", "accounts:undo"),
    *("account_logout", "account_login", "accounts:log_in", "accounts:delete_account"),
    *("accounts:set_theme", "accounts:set_language"),
    *("manifest", "service_worker", "offline", "mailbox", "mailbox_mail", "mailbox_html"),
}


class SuspensionMiddleware(MiddlewareMixin):
    """Answers every other address of a suspended person with a page that leads to the reason."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> HttpResponse | None:
        user = request.user
        name = request.resolver_match.view_name if request.resolver_match else ""
        if not isinstance(user, User) or not user.is_suspended or name in OPEN:
            return None
        response = render(request, "errors/suspended.html", status=403)
        patch_cache_control(response, private=True, no_store=True)
        return response
