"""Chances, scores and losses in words, as a review shows them."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.bots import Chance, Worth


def format_worth(worth: Worth) -> str:
    """Return a chance in whole per cent, such as "35%", or a score in whole points, such as "92"."""
    return format_percent(worth.whole) if isinstance(worth, Chance) else str(worth.whole)


def describe_loss(loss: Worth) -> str:
    """Return a loss in words: "gave away 12%" or "gave away 3 points"."""
    if isinstance(loss, Chance):
        return _("gave away %(percent)s") % {"percent": format_worth(loss)}
    return ngettext("gave away %(count)d point", "gave away %(count)d points", loss.whole) % {
        "count": loss.whole
    }


def format_percent(whole: int) -> str:
    """Return a whole number of per cent as text, such as "35%"."""
    return _("%(percent)d%%") % {"percent": whole}
