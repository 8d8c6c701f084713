"""Chances, scores and losses in words, as a review shows them."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.novaluna.bots.face import Chance, Worth
from games.titles.people import Person


def format_worth(worth: Worth) -> str:
    """Return a chance in whole per cent, such as "35%", or a score in whole points, such as "92"."""
    return format_percent(worth.whole) if isinstance(worth, Chance) else str(worth.whole)


def describe_loss(loss: Worth) -> str:
    """Return a loss in words: "lost 12 points of winning chance" or "lost 3 points"."""
    text = (
        ngettext(
            "lost %(count)d point of winning chance", "lost %(count)d points of winning chance", loss.whole
        )
        if isinstance(loss, Chance)
        else ngettext("lost %(count)d point", "lost %(count)d points", loss.whole)
    )
    return text % {"count": loss.whole}


def format_points(worth: Worth) -> str:
    """Return points in words: "12 points of winning chance" or "3 points"."""
    text = (
        ngettext("%(count)d point of winning chance", "%(count)d points of winning chance", worth.whole)
        if isinstance(worth, Chance)
        else ngettext("%(count)d point", "%(count)d points", worth.whole)
    )
    return text % {"count": worth.whole}


def compare_worths(better: Worth, played: Worth, person: Person) -> str:
    """Return the worth of two actions of a player as a sentence."""
    if not isinstance(better, Chance):
        text = _("Expected score: %(better)s with the better action, %(played)s with the action played.")
    elif person.is_you:
        text = _("Your chance to win: %(better)s with the better action, %(played)s with the action played.")
    else:
        text = _(
            "Chance to win for %(name)s: %(better)s with the better action,"
            " %(played)s with the action played."
        )
    return text % {"better": format_worth(better), "played": format_worth(played), "name": person.name}


def format_percent(whole: int) -> str:
    """Return a whole number of per cent as text, such as "35%"."""
    return _("%(percent)d%%") % {"percent": whole}
