"""What a person may be called here."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

LONGEST = 30

BOTS = {"hypatia", "halley", "kepler", "cannon", "bot", "bots"}
READERS = {"you", "me", "guest", "anonymous"}
STAFF = {"admin", "administrator", "moderator", "staff", "support", "novaluna", "nova-luna"}
RESERVED = BOTS | READERS | STAFF


def not_reserved(name: str) -> None:
    """Refuse a name by which others would take a person for a bot, for themselves or for the site."""
    if name.lower() in RESERVED:
        raise ValidationError(_("That name is reserved. Please choose another one."), code="reserved")


# ACCOUNT_USERNAME_VALIDATORS. ASCII alone, so that no two names look alike.
validators = [
    RegexValidator(
        r"\A[A-Za-z0-9][A-Za-z0-9._-]*\Z",
        _("Please use the letters a to z, digits, and . _ - in between; begin with a letter or digit."),
    ),
    MaxLengthValidator(LONGEST),
    not_reserved,
]
