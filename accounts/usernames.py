"""Which usernames are allowed."""

import re

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
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
STAFF = {
    *("admin", "admins", "administrator", "moderator", "moderators", "moderation", "mod", "official"),
    *("staff", "support", "sysop", "webmaster", "postmaster"),
}
# Names that end so are refused too, such as "theadmin", because no other word ends so.
STAFF_ENDING = "admin"
SITE = "novaluna"

# In confusables.txt of Unicode.
CONFUSABLE_LETTERS = {"0": "O", "1": "l", "I": "l", "m": "rn"}
# How web addresses end: all countries have two letters, and these are the most used others.
DOMAIN_ENDING = re.compile(
    r"\.(?:[a-z]{2}|app|biz|blog|click|cloud|club|com|dev|email|fun|games?|icu|info|link|live|mov|net|news|"
    r"online|org|page|pro|shop|site|space|store|today|top|vip|web|website|wiki|work|world|xyz|zip)"
    r"(?![a-z0-9])",
    re.IGNORECASE,
)
# Characters of a name that are easily read as other ones.
LOOKALIKES = str.maketrans("013456789jiv", "oleasgtbqllu")
LOOKALIKE_PAIRS = {"rn": "m", "cl": "d"}


def skeleton(word: str) -> str:
    """Return the same text for words that are easily mistaken for each other (as in Unicode's UTS 39).

    >>> skeleton("adm1n") == skeleton("Admin") == skeleton("addrnln")
    True
    """
    return re.sub(r"(.)\1+", r"\1", _plain(word))


def _plain(word: str) -> str:
    plain = word.lower()
    for pair, letter in LOOKALIKE_PAIRS.items():
        plain = plain.replace(pair, letter)
    return plain.translate(LOOKALIKES)


def likeness(name: str) -> str:
    """Return the same text for names that look alike: the skeleton of UTS 39, as far as names have letters.

    Of Unicode's list of confusable characters, these are the ones that names can have. In capital and small
    letters, names are the same anyway.

    >>> likeness("Ilse") == likeness("llse") == likeness("1lse"), likeness("Bob0") == likeness("BobO")
    (True, True)
    >>> likeness("Jim") == likeness("Lim")
    False
    """
    for character, shown in CONFUSABLE_LETTERS.items():
        name = name.replace(character, shown)
    return name.lower()


RESERVED_WORDS = {skeleton(word) for word in STAFF}
RESERVED_NAMES = {skeleton(word) for word in BOTS | STAFF}
# With a letter twice, these short words are other names, such as "Mee".
RESERVED_VIEWERS = {_plain(word) for word in VIEWERS}


def check_not_reserved(name: str) -> None:
    """Raise ValidationError if the name could be mistaken for the site, staff, a bot, or "you" or "guest".

    Staff and the site may not be a part of it either, between dots, hyphens, underscores and digits.

    >>> check_not_reserved("Badminton")
    >>> check_not_reserved("n0va.Iuna-help")
    Traceback (most recent call last):
    django.core.exceptions.ValidationError: ['That name is reserved. Please choose another one.']
    """
    joined = re.sub(r"[._-]", "", name)
    words = {*re.split(r"[._-]+", name), *re.findall(r"[A-Z]?[a-z]+", name), joined.rstrip("0123456789")}
    if (
        skeleton(SITE) in skeleton(joined)
        or skeleton(joined) in RESERVED_NAMES
        or _plain(joined) in RESERVED_VIEWERS
        or skeleton(joined.rstrip("0123456789")).endswith(skeleton(STAFF_ENDING))
        or any(skeleton(word.rstrip("0123456789")) in RESERVED_WORDS for word in words)
        or any(skeleton(word) in RESERVED_WORDS for word in words)
    ):
        raise ValidationError(_("That name is reserved. Please choose another one."), code="reserved")


def check_no_link(name: str) -> None:
    """Raise ValidationError if mail programs could make a link of the name, such as "win-money.example.com".

    A sign-up makes the site send the name to the address that they enter, or to people they invite.

    >>> check_no_link("ines.adler")
    >>> check_no_link("free-moon.Shop")
    Traceback (most recent call last):
    django.core.exceptions.ValidationError: ['That name looks like a web address. Please choose another one.']
    """
    if DOMAIN_ENDING.search(name):
        raise ValidationError(_("That name looks like a web address. Please choose another one."))


# For the setting ACCOUNT_USERNAME_VALIDATORS. Only ASCII is allowed, so that no two names look alike.
validators = [
    RegexValidator(
        r"\A[A-Za-z0-9][A-Za-z0-9._-]*\Z",
        _(
            "Please use only letters from a to z, digits, dots, hyphens and underscores, no spaces, and "
            "begin with a letter or digit."
        ),
    ),
    MinLengthValidator(2, _("Please use at least %(limit_value)d characters.")),
    MaxLengthValidator(LONGEST, _("Please use at most %(limit_value)d characters.")),
    check_not_reserved,
    check_no_link,
]
