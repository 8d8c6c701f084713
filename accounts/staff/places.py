"""Who is logged in from the same place: hints for moderators, from the sessions that exist, and no proof.

A session knows only the first part of an address, which a street or a school may share, and how its browser
describes itself. It is gone when the session ends.
"""

from collections.abc import Mapping

from allauth.usersessions.models import UserSession

from accounts import visits
from accounts.models import User


def same_places(user: User) -> Mapping[int, bool]:
    """Return the ids of users with a session in the same network, and whether its browser is alike too."""
    own = set(UserSession.objects.filter(user=user).values_list("ip", "user_agent"))
    networks = {network for network, _browser in own} - {visits.UNKNOWN}
    found: dict[int, bool] = {}
    sessions = UserSession.objects.filter(ip__in=networks).exclude(user=user)
    for other, network, browser in sessions.values_list("user", "ip", "user_agent"):
        found[other] = found.get(other, False) or (network, browser) in own
    return found
