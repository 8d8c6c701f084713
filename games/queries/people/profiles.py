"""Profiles of players, from public games and the viewer's own games."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from accounts.avatars import Avatar, avatar_of
from accounts.models import User, Viewer
from games.clocks import Reliability
from games.marked import gettext as _
from games.marked import ngettext
from games.models import (
    Block,
    Follow,
    Game,
    GameQuerySet,
    HiddenPart,
    ProfilePart,
    RatingChange,
    Seat,
    SoloResult,
    apart_from,
    are_apart,
    facts_of,
    reliabilities_of,
    seats_of,
)
from games.queries.people.head_to_head import HeadToHead, head_to_head
from games.queries.people.last_seen import last_seen
from games.queries.people.results import ResultsRow, have_bars
from games.queries.scores import OverTime, OwnHistogram, own_histogram, ratings_over_time, scores_over_time
from games.queries.sides import side_of_seats
from games.queries.standings import RatedPlayer, SoloStanding, rated_players, solo_standing
from games.queries.summaries import GameSummary, summaries
from games.shown.lists import name_of
from games.titles.registry import TITLES, offers
from games.titles.talents import Talent

GAMES_SHOWN = 10  # in each list
BEST_SHOWN = 3  # of solo games, and of rated games


@dataclass(frozen=True)
class GameList:
    """The newest of some games with others, and how many there are."""

    newest: Sequence[GameSummary]
    total: int

    @property
    def has_live(self) -> bool:
        """Whether a clock of minutes runs in one of the newest games, so that a page has to follow it."""
        return any(summary.game.is_live for summary in self.newest)


NO_GAMES = GameList((), 0)


@dataclass(frozen=True)
class ProfileRating:
    """The rating of a player in a title, and over time."""

    title: str
    player: RatedPlayer
    over_time: OverTime | None

    @property
    def title_name(self) -> str:
        """The name of the title; empty while the site offers only one."""
        return name_of(self.title)


@dataclass(frozen=True)
class Profile:
    """A player as one viewer may see them. Parts that the player hides are empty for others."""

    name: str
    avatar: Avatar
    since: datetime
    is_you: bool
    is_guest: bool
    hidden: Collection[str]  # the parts that only the owner sees; empty for others
    ratings: Sequence[ProfileRating] = ()
    tallies: Sequence[ResultsRow] = ()
    solo: SoloStanding | None = None
    scores: OverTime | None = None
    histogram: OwnHistogram | None = None
    reliability: Reliability | None = None
    seen: str = ""  # when they were here, with their reliability
    head_to_head: Sequence[HeadToHead] = ()
    best: Sequence[GameSummary] = ()
    running: GameList = NO_GAMES
    finished: GameList = NO_GAMES

    @property
    def uncounted(self) -> int:
        """The number of finished games that the tallies leave out; 0 if their number is hidden."""
        return max(self.finished.total - sum(tally.played for tally in self.tallies), 0)

    @property
    def has_bars(self) -> bool:
        """Whether the tallies have a bar, so that its mark needs a sentence."""
        return have_bars(self.tallies)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show about the games of the player."""
        return not (self.ratings or self.tallies or self.solo or self.running.total or self.finished.total)


def offered_parts() -> list[ProfilePart]:
    """Return the parts of a profile that the titles of the site can fill."""
    return [part for part in ProfilePart if part != ProfilePart.SOLO or offers(Talent.SOLO)]


def profile(person: User, viewer: Viewer) -> Profile:
    """Return what `viewer` may know of `person`. Parts that are hidden from the viewer are not even read."""
    is_you = person.pk == viewer.pk
    hidden = set(hidden_parts(person))
    games = _games_of(person, viewer)

    def shows(part: ProfilePart) -> bool:
        return part in offered_parts() and (is_you or part not in hidden)

    return Profile(
        name=person.username,
        avatar=avatar_of(person.pk),
        since=person.date_joined,
        is_you=is_you,
        is_guest=person.is_guest,
        hidden=hidden if is_you else (),
        ratings=_ratings(person) if shows(ProfilePart.RATING) else (),
        tallies=_tallies(person, viewer) if shows(ProfilePart.RESULTS) else (),
        solo=solo_standing(person) if shows(ProfilePart.SOLO) else None,
        scores=scores_over_time(person) if shows(ProfilePart.SOLO) else None,
        histogram=own_histogram(person) if shows(ProfilePart.SOLO) else None,
        reliability=reliabilities_of([person.pk])[person.pk] if shows(ProfilePart.RELIABILITY) else None,
        seen=last_seen(person, viewer) if shows(ProfilePart.RELIABILITY) else "",
        head_to_head=head_to_head(person, viewer) if shows(ProfilePart.AGAINST) else (),
        best=_best_games(person, viewer, shows) if shows(ProfilePart.BEST) else (),
        running=_newest(games.running(), person, viewer) if shows(ProfilePart.RUNNING) else NO_GAMES,
        finished=_newest(games.over(), person, viewer) if shows(ProfilePart.FINISHED) else NO_GAMES,
    )


def running_games(person: User, viewer: Viewer) -> GameList:
    """Return the newest running games of `person` that `viewer` may know of."""
    is_hidden = person.pk != viewer.pk and ProfilePart.RUNNING in hidden_parts(person)
    return NO_GAMES if is_hidden else _newest(_games_of(person, viewer).running(), person, viewer)


def _games_of(person: User, viewer: Viewer) -> GameQuerySet:
    return Game.objects.multiplayer().findable_by(viewer).with_seat_of(person)


def _ratings(person: User) -> list[ProfileRating]:
    """Return the ratings of a person, in the order of the titles of the site."""
    own = rated_players(person)
    return [
        ProfileRating(title, own[title], ratings_over_time(person, title)) for title in TITLES if title in own
    ]


def _newest(games: GameQuerySet, person: User, viewer: Viewer) -> GameList:
    return GameList(_listed(games.order_by("-moved_at")[:GAMES_SHOWN], person, viewer), games.count())


def _listed(games: QuerySet[Game], person: User, viewer: Viewer) -> list[GameSummary]:
    owner = "" if person.pk == viewer.pk else person.username
    return [replace(found, owner=owner) for found in summaries(games, viewer)]


def _best_games(person: User, viewer: Viewer, shows: Callable[[ProfilePart], bool]) -> list[GameSummary]:
    """Return the best solo games of a person, then the rated games that have raised their rating most.

    Those of hidden parts are left out, and rated games that somebody left: their result is not played out.
    """
    free = SoloResult.objects.counted().filter(user=person, kind=SoloResult.Kind.FREE)
    gain = F("mean") - F("mean_before")
    played_out = ~Exists(Seat.objects.filter(game=OuterRef("game"), has_left=True))
    raised = RatingChange.objects.filter(played_out, user=person).annotate(gain=gain).filter(gain__gt=0)
    order: list[int] = []
    if shows(ProfilePart.SOLO):
        order += free.order_by("score", "tie_break", "ended_at").values_list("game", flat=True)[:BEST_SHOWN]
    if shows(ProfilePart.RATING):
        order += raised.order_by("-gain", "game").values_list("game", flat=True)[:BEST_SHOWN]
    found = _listed(Game.objects.findable_by(viewer).filter(pk__in=order), person, viewer)
    return sorted(found, key=lambda summary: order.index(summary.game.pk))


def followed_by(user: User, most: int | None = None) -> list[User]:
    """Return the people whom a person follows, at most so many, by name."""
    followed = Follow.objects.filter(user=user).values("followed")
    return list(User.objects.filter(pk__in=followed, is_active=True).order_by("username")[:most])


def followable_players(viewer: Viewer, game: Game) -> list[tuple[str, bool]]:
    """Return the names of the other people in a game whom the viewer can follow, and whether they do."""
    if not viewer.is_authenticated:
        return []
    facts = facts_of(game, viewer.pk)
    apart = set(apart_from(viewer.pk)) if "blocks" in facts else set()
    people = [seat.user for seat in seats_of(game) if seat.user and not seat.is_of(viewer)]
    follows = Follow.objects.filter(user=viewer, followed__in=people)
    followed = set(follows.values_list("followed", flat=True)) if "follows" in facts else set()
    return [(one.username, one.pk in followed) for one in people if one.is_active and one.pk not in apart]


def is_following(viewer: Viewer, person: User) -> bool:
    """Return whether the viewer follows a person."""
    return viewer.is_authenticated and Follow.objects.filter(user=viewer, followed=person).exists()


def blocked_by(user: User) -> list[User]:
    """Return the people whom a person has blocked, by name."""
    blocked = Block.objects.filter(user=user).values("blocked")
    return list(User.objects.filter(pk__in=blocked, is_active=True).order_by("username"))


def is_blocking(viewer: Viewer, person: User) -> bool:
    """Return whether the viewer has blocked a person."""
    return viewer.is_authenticated and Block.objects.filter(user=viewer, blocked=person).exists()


def is_apart(viewer: Viewer, person: User) -> bool:
    """Return whether one of the two has blocked the other."""
    return viewer.pk is not None and are_apart(viewer.pk, [person.pk])


def hidden_parts(user: User) -> list[str]:
    """Return the parts of their profile that a person hides."""
    return list(HiddenPart.objects.filter(user=user).values_list("part", flat=True))


# If all are level, nobody has won.
_IS_LEVEL = ~Exists(Seat.objects.filter(game=OuterRef("game"), place__gt=1))
_COUNTS = {
    "won": Count("pk", filter=Q(place=1) & ~Q(_IS_LEVEL)),
    "drawn": Count("pk", filter=Q(place=1) & Q(_IS_LEVEL)),
    "lost": Count("pk", filter=Q(place__gt=1)),
}


def _tallies(person: User, viewer: Viewer) -> list[ResultsRow]:
    """Return how a person's games with others ended, by title, as ratings are, and number of players."""
    seats = Seat.objects.with_results().filter(user=person).filter(game__in=Game.objects.findable_by(viewer))
    columns = ("game__title", "game__seat_count")
    counted = seats.values(*columns).annotate(**_COUNTS).order_by(*columns)
    order = list(TITLES)
    rows = sorted(
        counted.values_list(*columns, *_COUNTS),
        key=lambda row: (order.index(row[0]) if row[0] in order else len(order), row),
    )
    return [
        ResultsRow(
            label=_kind(title, players),
            won=won,
            drawn=drawn,
            lost=lost,
            even=round(100 / len({*side_of_seats(title, players)})),
        )
        for title, players, won, drawn, lost in rows
    ]


def _kind(title: str, players: int) -> str:
    """Return a number of players in words, with the title if the site offers several."""
    words = ngettext("%(n)d player", "%(n)d players", players) % {"n": players}
    name = name_of(title)
    return _("%(title)s, %(players)s") % {"title": name, "players": words} if name else words
