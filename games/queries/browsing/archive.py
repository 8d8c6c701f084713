"""The finished games of a person: searched, filtered, page by page, and their records."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.marked import ngettext
from games.models import ChatLine, Game, GameQuerySet, RatingChange, Review, Seat
from games.queries.chat import unread_counts
from games.queries.deals.public import public_record
from games.queries.lists import finished_games
from games.queries.people.results import Results
from games.queries.summaries import GameSummary, summaries
from games.shown.ratings import describe_change

GAMES_ON_PAGE = 25
QUOTED = re.compile(r'["“„](.+)["”“]')

# The least and the greatest number of actions of games of a length.
LENGTHS = {"short": (0, 30), "medium": (31, 60), "long": (61, 1_000_000)}


@dataclass(frozen=True)
class Filters:
    """What somebody looks for among their finished games. What is empty restricts nothing.

    `opponent` is a part of the name of a player, or the whole name in quotation marks. `result` is "won",
    "drawn", "lost", "uncounted" or "none", as in `ArchiveResults`. The days `since` and `until` are both
    included.
    """

    opponent: str = ""
    title: str = ""
    result: str = ""
    players: int | None = None
    length: str = ""
    is_rated: bool | None = None
    has_review: bool | None = None
    since: date | None = None
    until: date | None = None
    has_chat: bool = False


@dataclass(frozen=True, kw_only=True)
class ArchiveResults(Results):
    """How the finished games of a list ended. Each game counts once.

    Games with others that have a winner but do not count for the viewer are `uncounted`, as on profiles.
    `none` is the number of cancelled games, and `solo` the number of games for one.
    """

    uncounted: int
    none: int
    solo: int

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The numbers that are not 0, as "2 won", each after the `Filters.result` of its games.

        Solo games have none, because the number of players finds them.
        """
        parts = (
            ("won", self.won, ngettext("%(n)d won", "%(n)d won", self.won)),
            ("drawn", self.drawn, ngettext("%(n)d tied", "%(n)d tied", self.drawn)),
            ("lost", self.lost, ngettext("%(n)d lost", "%(n)d lost", self.lost)),
            ("uncounted", self.uncounted, ngettext("%(n)d not counted", "%(n)d not counted", self.uncounted)),
            ("none", self.none, ngettext("%(n)d cancelled", "%(n)d cancelled", self.none)),
            ("", self.solo, ngettext("%(n)d solo", "%(n)d solo", self.solo)),
        )
        return [(result, text % {"n": number}) for result, number, text in parts if number]


def archive_page(viewer: User, filters: Filters, number: str) -> tuple[list[GameSummary], Page[Game]]:
    """Return one page of the finished games that match, and the page object for links to the other pages."""
    page = Paginator(archived_games(viewer, filters), GAMES_ON_PAGE).get_page(number)
    shown = [game.pk for game in page]
    games = finished_games(viewer).filter(pk__in=shown)
    changes = RatingChange.objects.filter(game__in=shown, user=viewer)
    changed = {change.game_id: describe_change(change.before, change.after) for change in changes}
    reviewed = {*_finished_reviews().filter(game__in=shown).values_list("game", flat=True)}
    found = summaries(games, viewer, with_thumbs=True, unread=unread_counts(viewer))
    return [
        replace(one, rating_change=changed.get(one.game.pk, ""), has_review=one.game.pk in reviewed)
        for one in found
    ], page


def archive_results(viewer: User, filters: Filters) -> ArchiveResults:
    """Return how the finished games that match ended."""
    games = archived_games(viewer, filters).order_by()
    results = ("won", "drawn", "lost", "uncounted", "none")
    counts = {result: Count("pk", filter=_has_result(result, viewer)) for result in results}
    counts["solo"] = Count("pk", filter=Q(mode=Game.Mode.SOLO))
    return ArchiveResults(**games.aggregate(**counts))


def archived_games(viewer: User, filters: Filters) -> GameQuerySet:
    """Return the finished games of a person that match, last ended first."""
    games = finished_games(viewer)
    if filters.opponent:
        games = games.filter(Exists(_seats_named(filters.opponent, viewer).filter(game=OuterRef("pk"))))
    if filters.result:
        games = games.filter(_has_result(filters.result, viewer))
    if filters.title:
        games = games.filter(title=filters.title)
    if filters.players is not None:
        games = games.filter(seat_count=filters.players)
    if filters.length in LENGTHS:
        games = games.filter(version__range=LENGTHS[filters.length])
    if filters.is_rated is not None:
        games = games.filter(changes_ratings=filters.is_rated)
    if filters.has_review is not None:
        reviewed = Exists(_finished_reviews().filter(game=OuterRef("pk")))
        games = games.filter(reviewed if filters.has_review else ~reviewed)
    if filters.since:
        games = games.filter(moved_at__date__gte=filters.since)
    if filters.until:
        games = games.filter(moved_at__date__lte=filters.until)
    if filters.has_chat:
        lines = ChatLine.objects.shown_to(viewer)
        of_players = Exists(lines.filter(game=OuterRef("pk")))
        games = games.filter(of_players | Exists(lines.filter(watched=OuterRef("pk"))))
    return games


def records(viewer: User, filters: Filters) -> Iterator[Mapping[str, object]]:
    """Yield the records of the finished games that match, last ended first.

    Games without a record yet are left out, because others still play on their deal, and those of titles or
    rules that this version of the site does not have.
    """
    games = archived_games(viewer, filters).under_known_rules()
    for pk in list(games.values_list("pk", flat=True)):
        record = public_record(Game.objects.select_related("deal__duplicate", "daily").get(pk=pk))
        if record is not None:
            yield record


def _finished_reviews() -> QuerySet[Review]:
    return Review.objects.filter(finished_at__isnull=False)


def _seats_named(name: str, viewer: User) -> QuerySet[Seat]:
    """Return the seats of other people and bots whose names contain this one, or are what is in quotes."""
    quoted = QUOTED.fullmatch(name)
    how, text = ("iexact", quoted[1]) if quoted else ("icontains", name)
    person = Q(**{f"user__username__{how}": text}, user__is_active=True)
    return Seat.objects.exclude(user=viewer).filter(person | Q(**{f"bot_name__{how}": text}))


def _has_result(result: str, viewer: User) -> Q:
    """Return the condition of a game with others that ended in this way for the viewer."""
    own = Seat.objects.filter(game=OuterRef("pk"), user=viewer)
    counted = own.with_results()
    if result == "lost":
        return Q(Exists(counted.filter(place__gt=1)))
    if result in ("won", "drawn"):
        behind = Exists(Seat.objects.filter(game=OuterRef("pk"), place__gt=1))
        return Q(Exists(counted.filter(place=1))) & (Q(behind) if result == "won" else ~Q(behind))
    has_place = Q(Exists(own.filter(place__isnull=False)))
    with_others = Q(mode=Game.Mode.MULTIPLAYER)
    return with_others & (~has_place if result == "none" else has_place & ~Q(Exists(counted)))
