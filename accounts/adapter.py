"""How this site's accounts differ from allauth's defaults."""

from datetime import timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import BaseSignupForm
from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal import ratelimit
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from accounts import barred_addresses, guests, known_browsers, mail_limits, outbox, refusals, taken_names
from accounts.addresses import check_sendable, prover_of, take_from_others
from accounts.clock import when_again
from accounts.confirmations import Confirmation
from accounts.ip_networks import network_of
from accounts.languages import language_of
from accounts.models import User, nobody

LONGEST_ADDRESS = 254  # RFC 5321
# allauth's email about a forgotten password.
RESET_MAIL = "account/email/password_reset_key"
CODE_MAIL = "account/email/login_code"
# What allauth sends instead of a code to an address without an account.
NO_ACCOUNT_MAIL = "account/email/unknown_account"


class AccountAdapter(DefaultAccountAdapter):
    """allauth's adapter with this site's texts; a worker sends its emails, so no request waits for that."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _(
            "This email address and password don't match. Please try again. If you have not confirmed "
            "the address, enter your username instead."
        ),
        "incorrect_password": _("This password is not correct. Please try again."),
        "enter_current_password": _("This is not your current password. Please try again."),
        "too_many_login_attempts": _("Too many attempts. Please wait five minutes."),
        "username_password_mismatch": _("This username and password don't match. Please try again."),
        "username_like_another": _("This name looks like another player's. Please choose another one."),
        "username_taken": _("Somebody has that name already. Please choose another one."),
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the IP address that limits count: an IPv6 network of 64 bits, as a household has, as one."""
        return network_of(super().get_client_ip(request))

    def clean_email(self, email: str) -> str:
        """Return the normalised address; raise ValidationError if it cannot be stored or mailed."""
        if len(email) > LONGEST_ADDRESS:
            raise ValidationError(_("An email address has at most 254 characters. Please check it."))
        check_sendable(email)
        cleaned: str = super().clean_email(email)
        return cleaned

    def validate_unique_email(self, email: str) -> str:
        """Return an address that no account has; raise ValidationError if it is barred from having one."""
        if barred_addresses.is_barred(email):
            raise ValidationError(_("This address can't be used for an account now."))
        unique: str = super().validate_unique_email(email)
        return unique

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Confirm an address; accounts that have it without having confirmed it lose it."""
        with transaction.atomic():
            if not take_from_others(email_address):
                template = "account/messages/email_confirmation_failed.txt"
                self.add_message(request, messages.ERROR, template, {"email": email_address.email})
                return False
            confirmed: bool = super().confirm_email(request, email_address)
            if confirmed and email_address.primary:
                email_address.user.email = email_address.email
                email_address.user.save(update_fields=["email"])
        return confirmed

    def is_safe_url(self, url: str) -> bool:
        """Return whether the next page `url` is on this site; False if it is no URL at all."""
        try:
            return bool(super().is_safe_url(url))
        except ValueError:
            return False

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Refuse to delete the main address: without it, a forgotten password cannot be reset."""
        return not email_address.primary

    def new_user(self, request: HttpRequest) -> User:
        """Return the row for a new account: a guest keeps theirs, so every game stays."""
        if isinstance(request.user, User) and request.user.is_guest:
            return User.objects.get(pk=request.user.pk)
        return User()

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name; raise ValidationError if it is not allowed, or belongs to somebody else."""
        user = self.request.user if isinstance(self.request.user, User) else None
        own = user is not None and username.lower() == user.username.lower()
        cleaned: str = super().clean_username(username, shallow=shallow or own)
        if not own and taken_names.is_retired(cleaned):
            raise self.validation_error("username_taken")
        # In other capital letters, one's own name may be like another one.
        is_same = user is not None and username == user.username
        if not is_same and taken_names.is_like_another(cleaned, user):
            raise self.validation_error("username_like_another")
        return cleaned

    def save_user(self, request: HttpRequest, user: User, form: BaseSignupForm, commit: bool = True) -> User:
        """Store a new user; emails to them use the language in which they signed up."""
        was_guest = user.is_guest
        if was_guest:
            user.is_guest, user.guest_request = False, None
        if len(settings.LANGUAGES) > 1:
            user.language = get_language()
        super().save_user(request, user, form, commit=False)
        user.email = ""  # until it is confirmed
        if commit:
            user.save()
        if was_guest and commit:
            # The open pages of their games show a name that is stored as such.
            user.save(update_fields=["username", "is_guest"])
        return user

    def get_reauthentication_methods(self, user: User | AnonymousUser) -> list[dict[str, Any]]:
        """Return the ways to confirm that it is them: passkeys before codes, which may be recovery codes."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        return sorted(methods, key=lambda method: method["id"] == "mfa_reauthenticate")

    def login(self, request: HttpRequest, user: User) -> None:
        """Log in, and remember the guest who played in the browser until now."""
        # Not `request.user`, because a guest counts as a visitor on the later pages of a log-in.
        before = get_user(request)
        super().login(request, user)
        if isinstance(before, User) and before.is_guest and before.pk != user.pk:
            guests.remember_guest(request, before)

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        """Return allauth's response to a log-in, which also makes the browser a known one."""
        response: HttpResponse = super().post_login(request, user, **options)
        known_browsers.remember(response, user)
        return response

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt to log in; raise ValidationError if there were too many.

        Attempts in a known browser count by themselves: neither a stranger nor other people at the same IP
        address use them up.
        """
        login = credentials.get("email") or credentials.get("username", "")
        if not known_browsers.is_known(request, login):
            super().pre_authenticate(request, **credentials)
            return
        # allauth takes the attempt back if the password is right.
        self._login_failed_rl_usage = ratelimit.consume(
            request,
            app="allauth.account",
            action="login_failed_in_known_browser",
            key=self._get_login_attempts_cache_key(request, **credentials),
        )
        if not self._login_failed_rl_usage:
            raise self.validation_error("too_many_login_attempts")

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: EmailConfirmation) -> str:
        """Return the absolute URL of the page that confirms an address."""
        bound = Confirmation(emailconfirmation.email_address)
        url: str = super().get_email_confirmation_url(request, bound)
        return url

    def send_confirmation_mail(
        self, request: HttpRequest, emailconfirmation: EmailConfirmation, signup: bool
    ) -> None:
        """Send the link that confirms an address; if another account has it, write to its owner.

        So neither a sign-up nor another address shows who has an account.
        """
        address = emailconfirmation.email_address
        owner, email = prover_of(address.email), address.email
        if owner not in (None, address.user):
            facts = {
                "user": owner,
                "log_in_url": build_absolute_uri(request, reverse("account_login")),
                "password_reset_url": build_absolute_uri(request, reverse("account_reset_password")),
            }
            self.send_mail("account/email/account_already_exists", email, facts)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)

    def should_send_confirmation_mail(
        self, request: HttpRequest, email_address: EmailAddress, signup: bool
    ) -> bool:
        """Return whether a log-in or sign-up sends an email; beyond the limits, it goes on without one."""
        wait = mail_limits.wait_for_mail(request, email_address.email, dry_run=True)
        if not wait:
            return True
        what = _(
            "We can't email you the link to confirm your address now. You can ask for it in your settings."
        )
        messages.warning(request, f"{what} {when_again(timedelta(seconds=wait))}")
        return False

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Store an email in the language of its user, or of the page. A worker sends it after the commit.

        Beyond the limits, the response is a page that says so. An email to a user who does not exist counts
        in the same way, and is rendered and stored like others, so that neither a response nor its time shows
        which addresses have accounts. The worker deletes it.
        """
        user = context.get("user")
        exists = user is None or user.pk != nobody(email).pk
        if template_prefix == NO_ACCOUNT_MAIL:
            template_prefix, context, exists = CODE_MAIL, {"code": self.generate_login_code()}, False
        is_reset = template_prefix in (RESET_MAIL, CODE_MAIL)
        if wait := mail_limits.wait_for_mail(self.request, email, is_reset=is_reset, is_sent=exists):
            raise ImmediateHttpResponse(refusals.page(self.request, "mails", wait))
        site = {"request": self.request, "current_site": get_current_site(self.request)}
        with override(language_of(user) or get_language()):
            mail = self.render_mail(template_prefix, email, {"email": email, **site, **context})
        html = "".join(str(content) for content, kind in mail.alternatives if kind == "text/html")
        outbox.owe(email if exists else outbox.NOBODY, str(mail.subject), str(mail.body), html)
