"""Who else looks for somebody to play a live game with right now."""

from collections.abc import Sequence
from typing import NamedTuple

from django.utils import timezone

from accounts.models import Viewer
from games.models import Seek, pairs_apart
from games.shown.clocks import PACE_FACTS
from games.shown.lists import lists_of
from games.titles.registry import TITLES


class Offer(NamedTuple):
    """A title and a pace for which somebody waits, also in words."""

    title: str
    pace: str
    title_name: str
    pace_fact: str


def offers_of_others(viewer: Viewer) -> Sequence[Offer]:
    """Return for which titles and paces others wait now, who do not keep apart from the viewer."""
    waiting = list(Seek.objects.waiting(timezone.now()).exclude(user=viewer.pk))
    people = {seek.user_id for seek in waiting} | ({viewer.pk} if viewer.pk else set())
    apart = pairs_apart(people) if waiting and viewer.pk else set()
    found = (seek for seek in waiting if frozenset((seek.user_id, viewer.pk)) not in apart)
    kinds = dict.fromkeys((seek.title, seek.pace) for seek in found if seek.title in TITLES)
    return [Offer(title, pace, lists_of(title).name, str(PACE_FACTS[pace])) for title, pace in kinds]
