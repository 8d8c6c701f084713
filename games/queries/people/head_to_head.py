"""The results of two people against each other."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count, OuterRef, Subquery

from accounts.models import User, Viewer
from games.marked import gettext as _
from games.models import Seat
from games.queries.people.results import Results
from games.queries.sides import side_of_seats
from games.shown.lists import name_of


@dataclass(frozen=True, kw_only=True)
class HeadToHead(Results):
    """The finished games of a title in which a viewer and a person were opponents.

    The viewer has `won` those in which they had the better place, and `drawn` those with the same place.
    """

    title: str

    @property
    def label(self) -> str:
        """The name of the title, or that all games are meant while the site offers only one."""
        return name_of(self.title) or _("All games")


def head_to_head(person: User, viewer: Viewer) -> list[HeadToHead]:
    """Return the results of a viewer against a person by title, most games first.

    Games with hints, without places, or in which both were partners do not count.
    """
    if not isinstance(viewer, User) or viewer == person:
        return []
    theirs = Seat.objects.filter(game=OuterRef("game"), user=person)
    shared = Seat.objects.with_results().filter(
        user=viewer, game__in=Seat.objects.filter(user=person).values("game")
    )
    seats = shared.annotate(
        their_number=Subquery(theirs.values("number")[:1]), their_place=Subquery(theirs.values("place")[:1])
    )
    columns = ("game__title", "game__seat_count", "number", "their_number", "place", "their_place")
    won: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for title, count, number, their_number, place, their_place, games in (
        seats.values(*columns).annotate(games=Count("pk")).order_by().values_list(*columns, "games")
    ):
        side_of_seat = side_of_seats(title, count)
        if their_place is not None and side_of_seat[number] != side_of_seat[their_number]:
            counter = drawn if place == their_place else won if place < their_place else lost
            counter[title] += games
    found = [
        HeadToHead(title=title, won=won[title], drawn=drawn[title], lost=lost[title])
        for title in won + drawn + lost
    ]
    return sorted(found, key=lambda one: (-one.played, one.title))
