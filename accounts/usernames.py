"""Which usernames are allowed."""

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

LONGEST = 30

# Astronomers from antiquity to the last century, by the level of the bots that have their names.
BOT_NAMES = {
    "easy": (
        *("Aryabhata", "Banneker", "Halley", "Herschel", "Lepaute"),
        *("Messier", "Mitchell", "Shibukawa", "Sufi", "Zhenyi"),
    ),
    "medium": (
        *("Bhaskara", "Biruni", "Brahe", "Cassini", "Cunitz"),
        *("Fleming", "Huygens", "Hypatia", "Maury", "Zhangheng"),
    ),
    "hard": (
        *("Aglaonice", "Hipparchus", "Kepler", "Kirch", "Leavitt"),
        *("Madhava", "Saha", "Shoujing", "Somerville", "Ulughbeg"),
    ),
    "expert": (
        *("Battani", "Brahmagupta", "Cannon", "Copernicus", "Galileo"),
        *("Hubble", "Lemaitre", "Payne", "Rubin", "Tinsley"),
    ),
}
BOTS = {"bot", "bots", *(name.lower() for names in BOT_NAMES.values() for name in names)}
VIEWERS = {"you", "me", "guest", "anonymous"}
STAFF = {"admin", "administrator", "moderator", "staff", "support", "novaluna", "nova-luna"}
RESERVED = BOTS | VIEWERS | STAFF


def check_not_reserved(name: str) -> None:
    """Raise ValidationError if the name could be mistaken for a bot, for staff, or for "you" or "guest"."""
    if name.lower() in RESERVED:
        raise ValidationError(_("That name is reserved. Please choose another one."), code="reserved")


# For the setting ACCOUNT_USERNAME_VALIDATORS. Only ASCII is allowed, so that no two names look alike.
validators = [
    RegexValidator(
        r"\A[A-Za-z0-9][A-Za-z0-9._-]*\Z",
        _(
            "Please use only letters from a to z, digits, dots, hyphens and underscores, no spaces, and "
            "begin with a letter or digit."
        ),
    ),
    MaxLengthValidator(LONGEST),
    check_not_reserved,
]
