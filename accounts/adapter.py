"""Where this site's accounts differ from allauth's."""

import logging
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.forms import BaseSignupForm
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from accounts.languages import language_of
from accounts.models import User

logger = logging.getLogger(__name__)

LONGEST_ADDRESS = 254  # RFC 5321


class AccountAdapter(DefaultAccountAdapter):
    """Speaks in our words, and survives a mail server that does not answer."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "email_password_mismatch": _("That address and password don't belong together. Please try again."),
        "email_taken": _("Somebody has signed up with this address already. If it was you, please log in."),
        "incorrect_password": _("That is not your password. Please try again."),
        "enter_current_password": _("That is not your current password. Please try again."),
        "too_many_login_attempts": _("Too many tries. Please wait five minutes, or reset your password."),
        "username_password_mismatch": _("That name and password don't belong together. Please try again."),
        "username_taken": _("Somebody has that name already. Please choose another one."),
    }

    def clean_email(self, email: str) -> str:
        """Refuse an address that is longer than any can be: stored, it would lose its end."""
        if len(email) > LONGEST_ADDRESS:
            raise ValidationError(_("An address has at most 254 characters. Please check it."))
        cleaned: str = super().clean_email(email)
        return cleaned

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Keep the main address: without one, a forgotten password would be the end of the account."""
        return not email_address.primary

    def save_user(self, request: HttpRequest, user: User, form: BaseSignupForm, commit: bool = True) -> User:
        """Store a new user, who is to be written to in the language in which they signed up."""
        if len(settings.LANGUAGES) > 1:
            user.language = get_language()
        saved: User = super().save_user(request, user, form, commit)
        return saved

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail, or tell the person that it can't be sent now: they are signed up all the same."""
        try:
            with override(language_of(context.get("user")) or get_language()):
                super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError):
            logger.exception("Mail %s failed", template_prefix)
            messages.error(
                self.request,
                _("We couldn't send the mail just now. Please ask for it again in a few minutes."),
            )
