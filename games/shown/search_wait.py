"""When searches can run, on a site that has just started."""

from math import ceil

from games import search_process
from games.marked import gettext as _


def describe_search_wait() -> str:
    """Return when hints, reviews and the bots that search are ready; empty if they are ready now."""
    seconds = search_process.seconds_left()
    if seconds is None:
        return ""
    if seconds > 90:
        when = _("in about %(minutes)d minutes") % {"minutes": ceil(seconds / 60)}
    elif seconds > 5:
        when = _("in about %(seconds)d seconds") % {"seconds": 10 * ceil(seconds / 10)}
    else:
        when = _("in a moment")
    return _("The site has just started. Strong bots, hints and reviews will be ready %(when)s.") % {
        "when": when
    }
