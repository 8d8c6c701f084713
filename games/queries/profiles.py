"""Profiles of players, from public games and the viewer's own games."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, F, Max, Q, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import User, Viewer
from games.clocks import Reliability
from games.models import Game, GameQuerySet, Seat, reliabilities_of
from games.queries.scores import ScoresOverTime, scores_over_time
from games.queries.standings import SoloStanding, solo_standing
from games.queries.summaries import GameSummary, summaries

PEOPLE_SUGGESTED = 6
GAMES_SHOWN = 10  # in each list


@dataclass(frozen=True)
class Tally:
    """The finished games with `players` players: how many a person has played and won."""

    players: int
    played: int
    won: int


@dataclass(frozen=True)
class HeadToHead:
    """The finished games that two people have played together, and how many each has won."""

    played: int
    viewer_won: int
    person_won: int


@dataclass(frozen=True)
class Profile:
    """A player as one viewer may see them."""

    name: str
    since: datetime
    is_you: bool
    is_guest: bool
    tallies: Sequence[Tally]
    solo: SoloStanding | None
    scores: ScoresOverTime | None
    reliability: Reliability
    head_to_head: HeadToHead | None
    running: Sequence[GameSummary]
    finished: Sequence[GameSummary]


def played_with(user: User, table: Game) -> list[User]:
    """Return people with whom `user` has played and who are not at this table, last played with first."""
    games = Game.objects.multiplayer().with_seat_of(user).exclude(started_at=None)
    # A seat that is kept for an address does not count, because that would reveal whose address it is.
    seats = table.seats.filter(Q(user__isnull=False) | Q(invited__isnull=False, invited_address=""))
    here = seats.annotate(person=Coalesce("user", "invited")).values("person")
    people = User.objects.filter(seats__game__in=games, is_guest=False, is_active=True)
    people = people.exclude(pk=user.pk).exclude(pk__in=here).annotate(last=Max("seats__game__started_at"))
    return list(people.order_by("-last", "username")[:PEOPLE_SUGGESTED])


def profile(person: User, viewer: Viewer) -> Profile:
    """Return what `viewer` may know of `person`."""
    games = _visible_games(viewer).multiplayer().with_seat_of(person)
    return Profile(
        name=person.username,
        since=person.date_joined,
        is_you=person.pk == viewer.pk,
        is_guest=person.is_guest,
        tallies=_tallies(person, viewer),
        solo=solo_standing(person),
        scores=scores_over_time(person),
        reliability=reliabilities_of([person.pk])[person.pk],
        head_to_head=_head_to_head(person, viewer),
        running=summaries(games.running().order_by("-moved_at")[:GAMES_SHOWN], viewer),
        finished=summaries(games.over().order_by("-moved_at")[:GAMES_SHOWN], viewer),
    )


def _visible_games(viewer: Viewer) -> GameQuerySet:
    """Return the games whose players `viewer` may know."""
    may_see = Q(is_public=True)
    if viewer.is_authenticated:
        may_see |= Q(pk__in=Seat.objects.filter(user=viewer).values("game"))
    return Game.objects.all().filter(may_see)


def _decided_seats(person: User) -> "QuerySet[Seat]":
    """Return the seats of a person in rated games with others that have a winner."""
    return Seat.objects.filter(
        user=person,
        game__winner__isnull=False,
        game__mode=Game.Mode.MULTIPLAYER,
        game__is_rated=True,
    )


WON = Count("pk", filter=Q(number=F("game__winner")))


def _tallies(person: User, viewer: Viewer) -> list[Tally]:
    seats = _decided_seats(person).filter(game__in=_visible_games(viewer))
    counted = seats.values("game__seat_count").annotate(played=Count("pk"), won=WON)
    return [
        Tally(row["game__seat_count"], row["played"], row["won"])
        for row in counted.order_by("game__seat_count")
    ]


def _head_to_head(person: User, viewer: Viewer) -> HeadToHead | None:
    if not isinstance(viewer, User) or viewer == person:
        return None
    viewer_seats = _decided_seats(viewer).filter(game__in=Seat.objects.filter(user=person).values("game"))
    person_seats = _decided_seats(person).filter(game__in=Seat.objects.filter(user=viewer).values("game"))
    counted = viewer_seats.aggregate(played=Count("pk"), won=WON)
    if not counted["played"]:
        return None
    return HeadToHead(counted["played"], counted["won"], person_seats.aggregate(won=WON)["won"])
