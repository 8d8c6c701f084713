"""Middleware for a user's language and time zone, for guests, and for the status of allauth's responses."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from http import HTTPStatus

from allauth.account.internal.stagekit import clear_login, unstash_login
from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone, translation
from django.utils.decorators import sync_and_async_middleware
from django.utils.deprecation import MiddlewareMixin

from accounts import guests, second_factors, visits
from accounts.clock import zone_name_of, zone_of
from accounts.languages import language_of
from accounts.models import SecurityEvent, User

Response = HttpResponseBase | Awaitable[HttpResponseBase]

# The pages of an address, a password and emails, which a guest does not have.
FOR_MEMBERS = {
    "accounts:addresses",
    "accounts:send_confirmation",
    "account_change_password",
    "account_set_password",
    "account_reauthenticate",
    "accounts:events",
    "mfa_index",
    "mfa_add_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_reauthenticate",
    "mfa_reauthenticate_webauthn",
    "games:notifications",
    "games:notifications_sent",
    "games:renew_feeds",
    "games:add_browser",
    "games:check_browser",
    "games:remove_browser",
    "games:webhook",
    "games:webhook_remove",
    "games:webhook_secret",
    "games:webhook_test",
}


class LanguageMiddleware(MiddlewareMixin):
    """Activates the language of the logged-in user, on all their devices."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> None:
        if language := language_of(request.user):
            translation.activate(language)
            request.LANGUAGE_CODE = translation.get_language()


class ZoneMiddleware(MiddlewareMixin):
    """Activates the time zone of the viewer, in which pages show times."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> None:
        timezone.activate(zone_of(zone_name_of(request)))

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        timezone.deactivate()
        return response


# What ends the log-ins that have begun before.
ENDING = (
    SecurityEvent.Kind.PASSWORD_CHANGED,
    SecurityEvent.Kind.PASSWORD_RESET,
    SecurityEvent.Kind.TAKEN_BACK,
)
# The later pages of a log-in, which allauth shows only to visitors.
LOG_IN_STEPS = {"accounts:confirm_code", "mfa_authenticate", "openid_connect_callback"}


class GuestMiddleware(MiddlewareMixin):
    """Notes the visits of guests, and redirects them from the pages of members to the sign-up page.

    While guests log in to an account, they count as visitors.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> HttpResponse | None:
        if not (isinstance(request.user, User) and request.user.is_guest):
            return None
        guests.note_visit(request, request.user)
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name in LOG_IN_STEPS:
            request.user = AnonymousUser()
        return redirect("account_signup") if name in FOR_MEMBERS else None


class LogInStepsMiddleware(MiddlewareMixin):
    """Ends log-ins that began before the account was taken back or got another password."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        pending = unstash_login(request, peek=True) if name in LOG_IN_STEPS else None
        if pending is None or pending.user is None:
            return None
        began_at = datetime.fromtimestamp(pending.initiated_at, UTC)
        if not SecurityEvent.objects.filter(user=pending.user, kind__in=ENDING, at__gt=began_at).exists():
            return None
        clear_login(request)
        return redirect("account_login")


# The pages on which somebody changes second factors, or sees secrets that replace them.
FOR_PROVED = {
    "mfa_add_webauthn",
    "mfa_edit_webauthn",
    "mfa_remove_webauthn",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_generate_recovery_codes",
}


class SecondFactorMiddleware(MiddlewareMixin):
    """Asks for the second factor before the pages that change it, where a password alone is not enough."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        user = request.user if name in FOR_PROVED else None
        if (
            not isinstance(user, User)
            or not second_factors.has_any(user)
            or second_factors.is_proved(request)
        ):
            return None
        return redirect_to_login(request.get_full_path(), second_factors.page_to_prove(user))


class VisitMiddleware(MiddlewareMixin):
    """Stores when a user last visited the site in this session, which the page of sessions shows."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> None:
        if isinstance(request.user, User):
            visits.note(request)


@sync_and_async_middleware
class WrongInputMiddleware:
    """Sets status 400 instead of 200 if a page shows a form again because of wrong input."""

    def __init__(self, get_response: Callable[[HttpRequest], Response]) -> None:
        self.get_response = get_response
        if iscoroutinefunction(get_response):
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Response:
        return self.get_response(request)

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        form = (response.context_data or {}).get("form")
        if response.status_code == HTTPStatus.OK and getattr(form, "errors", None):
            response.status_code = HTTPStatus.BAD_REQUEST
        return response
