"""allauth's forms of passkeys, which refuse answers of browsers that nobody can read."""

import struct
from typing import Any

from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms
from cryptography.exceptions import InvalidSignature
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.written_text import has_visible, tidy

LONGEST_NAME = 50

# What allauth and fido2 raise besides `ValidationError` if an answer is damaged or forged.
UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, struct.error, InvalidSignature)


class AddForm(forms.AddWebAuthnForm):
    """A new passkey."""

    def clean_name(self) -> str:
        """Return the name; the usual one if it has nothing to see."""
        self.cleaned_data["name"] = _tidy(self.cleaned_data["name"])
        name: str = super().clean_name()
        return name

    def clean(self) -> dict[str, Any]:
        try:
            cleaned: dict[str, Any] = super().clean()
        except UNREADABLE as error:
            raise get_adapter().validation_error("incorrect_code") from error
        return cleaned


class EditForm(forms.EditWebAuthnForm):
    """Another name for a passkey."""

    def clean_name(self) -> str:
        """Return the name. Raises ValidationError if it has nothing to see."""
        name = _tidy(self.cleaned_data["name"])
        if not name:
            raise ValidationError(_("Please enter a name."))
        return name


def _tidy(name: str) -> str:
    tidied = tidy(" ".join(name.split()))[:LONGEST_NAME]
    return tidied if has_visible(tidied) else ""


class Readable:
    """Mixin for the forms in which somebody uses a passkey."""

    def clean_credential(self) -> Authenticator:
        try:
            return super().clean_credential()  # type: ignore[misc]  # a mixin: the forms have it
        except UNREADABLE as error:
            raise get_adapter().validation_error("incorrect_code") from error


class AuthenticateForm(Readable, forms.AuthenticateWebAuthnForm):
    """A passkey as the second factor."""


class LoginForm(Readable, forms.LoginWebAuthnForm):
    """A passkey in place of a password."""


class ReauthenticateForm(Readable, forms.ReauthenticateWebAuthnForm):
    """A passkey before something that only its owner may do."""
