"""The results of two people against each other."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from accounts.models import User, Viewer
from games.marked import gettext as _
from games.models import Seat
from games.queries.people.results import Results
from games.queries.sides import side_of_seats
from games.shown.lists import lists_of, name_of


@dataclass(frozen=True, kw_only=True)
class HeadToHead(Results):
    """The finished games of a title in which a viewer and a person were opponents.

    The viewer has `won` those in which they had the better place, and `drawn` those with the same place.
    These are the places that results show, which may rank also those who have left.
    """

    title: str

    @property
    def label(self) -> str:
        """The name of the title, or that all games are meant while the site offers only one."""
        return name_of(self.title) or _("All games")


def head_to_head(person: User, viewer: Viewer) -> list[HeadToHead]:
    """Return the results of a viewer against a person by title, most games first.

    Games that do not count for one of the two, and those in which both were partners, are left out.
    """
    if not isinstance(viewer, User) or viewer == person:
        return []
    theirs = Seat.objects.filter(game=OuterRef("game"), user=person)
    shared = Seat.objects.with_results().filter(
        user=viewer, game__in=Seat.objects.with_results().filter(user=person).values("game")
    )
    of_seat = ("number", "place", "figures")
    seats = shared.annotate(**{f"their_{name}": Subquery(theirs.values(name)[:1]) for name in of_seat})
    columns = ("game__title", "game__seat_count", *of_seat, *(f"their_{name}" for name in of_seat))
    won: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for (
        title,
        count,
        number,
        place,
        figures,
        their_number,
        their_place,
        their_figures,
    ) in seats.order_by().values_list(*columns):
        side_of_seat = side_of_seats(title, count)
        if their_place is not None and side_of_seat[number] != side_of_seat[their_number]:
            both = (place, their_place), (figures or {}, their_figures or {})
            own, other = (lists_of(title).compare_at_table(seat, *both).place for seat in (0, 1))
            counter = drawn if own == other else won if own < other else lost
            counter[title] += 1
    found = [
        HeadToHead(title=title, won=won[title], drawn=drawn[title], lost=lost[title])
        for title in won + drawn + lost
    ]
    return sorted(found, key=lambda one: (-one.played, one.title))
