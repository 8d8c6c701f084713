"""Pages for settings and themes; allauth serves the other account pages."""

from datetime import timedelta
from http import HTTPStatus

from allauth.account.decorators import reauthentication_required
from allauth.account.forms import ResetPasswordForm, SignupForm, default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.signals import email_removed
from allauth.account.utils import user_pk_to_url_str
from allauth.account.views import (
    ConfirmLoginCodeView,
    EmailView,
    LoginView,
    PasswordResetView,
    SignupView,
)
from allauth.core import ratelimit
from allauth.usersessions.adapter import get_adapter
from allauth.usersessions.models import UserSession
from django.conf import settings as site_settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest
from django.db import IntegrityError, transaction
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render, resolve_url
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from accounts import deletion, outbox, refusals, repeated_sign_ups, security_log
from accounts.addresses import prover_of
from accounts.clock import when_again
from accounts.forms import DeleteAccountForm, SettingsForm, SignUpForm
from accounts.models import SecurityEvent, User
from accounts.themes import THEMES
from accounts.undoing import undo as undo_event
from accounts.undoing import undoing_of

EVENTS_SHOWN = 100
A_YEAR = timedelta(days=365)


@receiver(email_removed)
def forget_address(email_address: EmailAddress, **_signal: object) -> None:
    """Keep nothing about emails to an address that a user has removed."""
    if prover_of(email_address.email) is None:
        outbox.forget(email_address.email)


class MemberRequest(HttpRequest):
    """A request of a logged-in user."""

    user: User


class MembersLeave:
    """A page to log in or sign up that redirects logged-in users, but not guests."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        # The views that it is mixed into have both methods.
        if isinstance(request.user, User) and not request.user.is_guest:
            return HttpResponseRedirect(self.get_authenticated_redirect_url())  # type: ignore[attr-defined]  # a mixin
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)  # type: ignore[misc]  # a mixin
        return response


class LogIn(MembersLeave, LoginView):
    """allauth's page to log in, for visitors and guests."""


class ConfirmCode(ConfirmLoginCodeView):
    """allauth's page for the code of a log-in, which the link in the email fills in."""

    def dispatch(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        if "code" in request.GET and response.status_code == HTTPStatus.FOUND:
            text = _("That link is too old, was used or is for another browser. Please ask for a new one.")
            messages.info(request, text)
        return response

    def get_initial(self) -> dict[str, object]:
        """Return the first values of the form: the code of the link."""
        return super().get_initial() | {"code": self.request.GET.get("code", "")}


class SignUp(MembersLeave, SignupView):
    """allauth's sign-up page, for visitors and guests.

    A form that is sent twice, such as by a double click, makes one account and logs in to it. Two forms of
    one guest, in two tabs, make one account too.
    """

    form_class = SignUpForm

    def get_initial(self) -> dict[str, object]:
        """Return the first values of the form: a guest may keep their name."""
        user = self.request.user
        return super().get_initial() | ({"username": user.username} if isinstance(user, User) else {})

    def post(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if not isinstance(request.user, User):
            return super().post(request, *args, **kwargs)
        with transaction.atomic():
            # The second of two simultaneous requests waits here for the first.
            guest = User.objects.select_for_update(no_key=True).get(pk=request.user.pk)
            if guest.is_guest:
                return super().post(request, *args, **kwargs)
        form = self.get_form()
        form.full_clean()
        text = _("You have already signed up, as %(name)s. Please log in.")
        form.add_error(None, text % {"name": guest.username})
        return self.form_invalid(form)

    def form_valid(self, form: SignupForm) -> HttpResponse:
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except IntegrityError:
            # The other request has stored its user, so validating again finds that the name is taken.
            form.full_clean()
            return self.form_invalid(form)

    def form_invalid(self, form: SignupForm) -> HttpResponse:
        response = repeated_sign_ups.log_in(self.request, form.data, self.get_success_url())
        return response or super().form_invalid(form)


class SignUpByPasskey(SignUp):
    """A sign-up without a password, which leads to the page to add a passkey."""

    template_name = "account/signup_by_passkey.html"

    def get_form_kwargs(self) -> dict[str, object]:
        """Return the arguments of the form."""
        return super().get_form_kwargs() | {"by_passkey": True}

    def get_success_url(self) -> str:
        """Return where the new account goes on."""
        return resolve_url("mfa_add_webauthn")


class AskForReset(PasswordResetView):
    """allauth's page that emails a link to choose a new password; shows the address, so that typos show."""

    def form_valid(self, form: ResetPasswordForm) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)
        if response.status_code == HTTPStatus.FOUND:
            text = _(
                "If an account has the address %(email)s, we emailed it a link to choose a new password."
            )
            messages.info(self.request, text % {"email": form.cleaned_data["email"]})
        return response


class Addresses(EmailView):
    """allauth's page of a user's addresses. The main one changes only to one that is confirmed."""

    def post(self, request: MemberRequest, *args: object, **kwargs: object) -> HttpResponse:
        if "action_primary" in request.POST:
            named = EmailAddress.objects.filter(user=request.user, email=request.POST.get("email", ""))
            if not named.filter(verified=True).exists():
                messages.error(request, _("Please confirm this address before you make it your main one."))
                return redirect("account_email")
        with transaction.atomic():  # An address is not added if the limits allow no email to it.
            return super().post(request, *args, **kwargs)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def settings(request: MemberRequest) -> HttpResponse:
    """Show and store the user's preferences."""
    # A copy, because the page shows the name of `request.user` while the form has one that is refused.
    own = User.objects.get(pk=request.user.pk)
    form = SettingsForm(request.POST if request.method == "POST" else None, instance=own)
    wait = _wait_for_name(request, form) if form.is_valid() else 0
    if wait:
        text = refusals.TEXTS["rename"]
        form.add_error("username", f"{text} {when_again(timedelta(seconds=wait))}")
    elif form.is_valid():
        try:
            with transaction.atomic():
                form.save_changes()
        except IntegrityError:
            form.full_clean()  # Somebody has taken the name in the meantime.
        else:
            messages.success(request, _("Your settings are saved."))
            return redirect("accounts:settings")
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    response = render(request, "accounts/settings.html", {"form": form}, status=status)
    if wait:
        response.status_code, response["Retry-After"] = HTTPStatus.TOO_MANY_REQUESTS, str(wait)
    return response


def _wait_for_name(request: MemberRequest, form: SettingsForm) -> int:
    """Return in how many seconds a person may have the new name of a valid form; count it if it is 0.

    All with whom they play read it. So there are few, or names would be messages.
    """
    name = form.changes.get("username", request.user.username)
    if name == request.user.username or ratelimit.consume(request, action="rename"):
        return 0
    return refusals.wait_for(request, "rename")


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
@reauthentication_required
def delete_account(request: MemberRequest) -> HttpResponse:
    """Say what happens to a deleted account, and delete it after its name was entered."""
    user, has_pause = request.user, deletion.has_pause(request.user)
    is_asked = user.removal_due_at is not None
    form = DeleteAccountForm(request.POST if request.method == "POST" and not is_asked else None, user=user)
    if form.is_valid():
        if has_pause:
            with transaction.atomic():
                deletion.ask(user)
                security_log.deletion_asked(request, user)
            done = _(
                "Your account will be deleted in a week. "
                "To keep it, open the link that we emailed you, or log in and press the button."
            )
        else:
            deletion.delete(user)
            done = _("Your account is deleted.")
        logout(request)
        messages.success(request, done)
        return redirect("games:home")
    context = {"form": form, "has_pause": has_pause, "due_at": timezone.now() + deletion.OWNERS_PAUSE}
    status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    return render(request, "accounts/delete_account.html", context, status=status)


@require_POST
@login_required
def keep_account(request: MemberRequest) -> HttpResponse:
    """Stop the deletion of the user's account; do nothing if it was stopped before."""
    _keep(request, request.user)
    return redirect(_next_url(request))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@csrf_exempt
def keep_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to keep an account, by the link in an email, and keep it. It works without a log-in.

    The link alone gives the right, and keeping an account harms nobody, so a check against forged requests,
    which needs a cookie, would protect nothing.
    """
    user = deletion.account_of(token)
    if user is None:
        return render(request, "accounts/keep_account.html", status=HTTPStatus.GONE)
    if request.method != "POST":
        return render(request, "accounts/keep_account.html", {"account": user})
    _keep(request, user)
    return redirect("games:home")


def _keep(request: HttpRequest, user: User) -> None:
    with transaction.atomic():
        if deletion.keep(user):
            security_log.note(request, user, SecurityEvent.Kind.DELETION_STOPPED)
    messages.success(request, _("Your account is kept. You can start new games again."))


@require_POST
@login_required
def end_session(request: MemberRequest, pk: int) -> HttpResponse:
    """Log the user out of one of their other browsers; do nothing if that has happened already."""
    session = UserSession.objects.filter(user=request.user, pk=pk).first()
    if session is not None and not session.is_current():
        get_adapter().end_sessions([session])
    messages.success(request, _("That session has ended."))
    return redirect("usersessions_list")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def undo(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to take back an account by the link in an email; then lead to the choice of a password."""
    undoing = undoing_of(token)
    if undoing is None:
        return render(request, "accounts/undo.html", status=HTTPStatus.GONE)
    if request.method != "POST":
        return render(request, "accounts/undo.html", undoing._asdict())
    with transaction.atomic():
        taken = undo_event(token)
        if taken is None:
            return render(request, "accounts/undo.html", status=HTTPStatus.GONE)
        security_log.taken_back(request, taken)
    logout(request)
    key = default_token_generator.make_token(taken.user)
    return redirect("account_reset_password_from_key", user_pk_to_url_str(taken.user), key)


@login_required
@never_cache
def events(request: MemberRequest) -> HttpResponse:
    """Show what happened to the safety of the user's account, newest first."""
    newest = request.user.security_events.order_by("-pk")[:EVENTS_SHOWN]
    return render(request, "accounts/events.html", {"events": newest})


@require_POST
@login_required
def send_confirmation(request: MemberRequest) -> HttpResponse:
    """Send another confirmation email to an unconfirmed address of the user, by default the main one."""
    addresses = EmailAddress.objects.filter(user=request.user, verified=False).order_by("-primary")
    if email := request.POST.get("email"):
        addresses = addresses.filter(email=email)
    address = addresses.first()
    if address is None:
        messages.info(request, _("All your email addresses are confirmed."))
    elif not ratelimit.consume(request, action="confirm_email", key=address.email.lower()):
        messages.warning(
            request,
            _("We sent that email a moment ago. Please wait three minutes before you ask for it again."),
        )
    else:
        address.send_confirmation(request)
        messages.success(request, _("We sent an email to %(email)s.") % {"email": address.email})
    return HttpResponseRedirect(_next_url(request))


@require_POST
def set_theme(request: HttpRequest) -> HttpResponse:
    """Store the theme in a cookie, or delete the cookie for "system".

    Raises BadRequest if the theme is unknown.
    """
    theme = request.POST.get("theme")
    if theme not in (*THEMES, "system"):
        raise BadRequest
    response = HttpResponseRedirect(_next_url(request))
    if theme == "system":
        response.delete_cookie("theme", samesite="Lax")
    else:
        secure = site_settings.SESSION_COOKIE_SECURE
        response.set_cookie("theme", theme, max_age=A_YEAR, samesite="Lax", httponly=True, secure=secure)
    return response


def _next_url(request: HttpRequest) -> str:
    """Return the URL from the form's field `next` if it is a path on this site, else the home page."""
    url = request.POST.get("next", "")
    if url.startswith("/") and url_has_allowed_host_and_scheme(
        url, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    ):
        return url
    return resolve_url("games:home")
