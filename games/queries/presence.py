"""Which players see a page of their game now."""

from collections import defaultdict
from collections.abc import Collection

from django.utils import timezone

from games.models import Seat


def seats_here(keys: Collection[str]) -> dict[str, list[int]]:
    """Return the seats of the players who have each of these games open, by the key of the game.

    Games in which nobody is present are left out.
    """
    here: defaultdict[str, list[int]] = defaultdict(list)
    if keys:
        seats = Seat.objects.here(timezone.now()).filter(game__key__in=keys).order_by("number")
        for key, number in seats.values_list("game__key", "number"):
            here[key].append(number)
    return here


def seats_in_words(seats: Collection[int]) -> str:
    """Return seats as the event of an open page has them, such as "0 2"."""
    return " ".join(map(str, seats))
