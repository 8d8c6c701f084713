"""Names of players: found by a part of them or in spite of a typo, and offered where a viewer types one."""

from difflib import get_close_matches

from django.db.models import Case, F, Max, Q, QuerySet, When
from django.db.models.functions import Coalesce, Length

from accounts.models import User, Viewer
from games.models import Follow, Game, apart_from

PEOPLE_SHOWN = 12
PEOPLE_SUGGESTED = 6
MOST_COMPARED = 5000  # names that are compared with one that nobody has
LEAST_TYPED = 2  # letters; fewer are a part of too many names
LEAST_COMPARED = 4  # letters; fewer are similar to too many names
FEW_FOUND = 3  # names; fewer are offered with similar ones


def people_named(text: str) -> list[str]:
    """Return the names of active players that begin with a text, or contain it, or else are similar to it.

    Guests are not found. At most `PEOPLE_SHOWN` names: first the name that is this text, if somebody has it,
    then those that begin with it, and the shortest first.
    """
    return _names_with(text) or similar_names(text)


def similar_names(text: str) -> list[str]:
    """Return the names of active players that are similar to a text, the most similar first."""
    names = _members().order_by(F("last_login").desc(nulls_last=True))
    by_key = {name.casefold(): name for name in names.values_list("username", flat=True)[:MOST_COMPARED]}
    return [by_key[key] for key in get_close_matches(text.casefold(), by_key, PEOPLE_SHOWN)]


def names_offered(text: str, viewer: Viewer) -> list[str]:
    """Return the names to offer to a viewer who types a name: first of people they know, then of others.

    Before they have typed enough of it, only people they know are offered. If few names have the text,
    similar ones are offered too, because it may have a typo.
    """
    known = _known_names(text, viewer)
    others = _names_with(text) if len(text) >= LEAST_TYPED else []
    if len(text) >= LEAST_COMPARED and len({*known, *others}) < FEW_FOUND:
        others += similar_names(text)
    apart = set(User.objects.filter(pk__in=apart_from(viewer.pk)).values_list("username", flat=True))
    return [name for name in dict.fromkeys(known + others) if name not in apart][:PEOPLE_SHOWN]


def played_with(user: User, table: Game) -> list[User]:
    """Return people with whom `user` has played and who are not at this table, last played with first."""
    # A seat that is kept for an address does not count, because that would reveal whose address it is.
    seats = table.seats.filter(Q(user__isnull=False) | Q(invited__isnull=False, invited_address=""))
    here = seats.annotate(person=Coalesce("user", "invited")).values("person")
    people = _fellow_players(user).exclude(pk__in=apart_from(user.pk))
    return list(people.exclude(pk__in=here)[:PEOPLE_SUGGESTED])


def _fellow_players(user: User) -> QuerySet[User]:
    games = Game.objects.multiplayer().with_seat_of(user).exclude(started_at=None)
    people = _members().filter(seats__game__in=games).exclude(pk=user.pk)
    return people.annotate(last=Max("seats__game__started_at")).order_by("-last", "username")


def _known_names(text: str, viewer: Viewer) -> list[str]:
    """Return names with a text of people with whom a viewer has played, last played with first, or follows.

    At most `PEOPLE_SHOWN` of either.
    """
    if not isinstance(viewer, User):
        return []
    followed = _members().filter(pk__in=Follow.objects.filter(user=viewer).values("followed"))
    known = [
        people.filter(username__icontains=text).exclude(pk__in=apart_from(viewer.pk))
        for people in (_fellow_players(viewer), followed.order_by("username"))
    ]
    return [name for people in known for name in people.values_list("username", flat=True)[:PEOPLE_SHOWN]]


def _names_with(text: str) -> list[str]:
    rank = Case(When(username__iexact=text, then=0), When(username__istartswith=text, then=1), default=2)
    found = _members().filter(username__icontains=text).order_by(rank, Length("username"), "username")
    return list(found.values_list("username", flat=True)[:PEOPLE_SHOWN])


def _members() -> QuerySet[User]:
    return User.objects.filter(is_active=True, is_guest=False)
