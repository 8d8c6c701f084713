"""allauth's forms in which people enter a code of their app or a recovery code, which count once."""

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base import forms
from django.core.cache import cache

# In seconds: how long one code counts. allauth remembers a used code for one period only.
COUNTS_FOR = app_settings.TOTP_PERIOD * (1 + 2 * app_settings.TOTP_TOLERANCE)


class Once:
    """Mixin that refuses a used code for as long as it would count (RFC 6238, section 5.2)."""

    def clean_code(self) -> str:
        code: str = super().clean_code()  # type: ignore[misc]  # a mixin: the forms have it
        user = self.user  # type: ignore[attr-defined]  # the forms have it
        if not cache.add(f"used-code:{user.pk}:{normalize_user_code(code)}", True, COUNTS_FOR):
            raise get_adapter().validation_error("incorrect_code")
        return code


class AuthenticateForm(Once, forms.AuthenticateForm):
    """The second step of logging in."""


class ReauthenticateForm(Once, forms.ReauthenticateForm):
    """The proof that a sensitive page asks for."""
