"""The finished games of a person: searched, filtered, page by page, and their records."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from django.core.paginator import Page, Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
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
    "drawn", "lost" or "none", as the places say. The days `since` and `until` are both included.
    """

    opponent: str = ""
    title: str = ""
    result: str = ""
    players: int | None = None
    length: str = ""
    is_rated: bool | None = None
    since: date | None = None
    until: date | None = None
    has_chat: bool = False


def archive_page(viewer: User, filters: Filters, number: str) -> tuple[list[GameSummary], Page[Game]]:
    """Return one page of the finished games that match, and the page object for links to the other pages."""
    page = Paginator(archived_games(viewer, filters), GAMES_ON_PAGE).get_page(number)
    shown = [game.pk for game in page]
    games = finished_games(viewer).filter(pk__in=shown)
    changes = RatingChange.objects.filter(game__in=shown, user=viewer)
    changed = {change.game_id: describe_change(change.before, change.after) for change in changes}
    reviewed = {
        *Review.objects.filter(game__in=shown, finished_at__isnull=False).values_list("game", flat=True)
    }
    found = summaries(games, viewer, with_thumbs=True, unread=unread_counts(viewer))
    return [
        replace(one, rating_change=changed.get(one.game.pk, ""), has_review=one.game.pk in reviewed)
        for one in found
    ], page


def archive_results(viewer: User, filters: Filters) -> Results:
    """Return how the finished games that match ended, as the places say."""
    games = archived_games(viewer, filters).order_by()
    counts = {result: Count("pk", filter=_has_result(result, viewer)) for result in ("won", "drawn", "lost")}
    return Results(**games.aggregate(**counts))


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
    if filters.since:
        games = games.filter(moved_at__gte=_midnight(filters.since))
    if filters.until:
        games = games.filter(moved_at__lt=_midnight(filters.until + timedelta(days=1)))
    if filters.has_chat:
        games = games.filter(Exists(ChatLine.objects.filter(game=OuterRef("pk")).shown_to(viewer)))
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


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _seats_named(name: str, viewer: User) -> QuerySet[Seat]:
    """Return the seats of other people and bots whose names contain this one, or are what is in quotes."""
    quoted = QUOTED.fullmatch(name)
    how, text = ("iexact", quoted[1]) if quoted else ("icontains", name)
    person = Q(**{f"user__username__{how}": text}, user__is_active=True)
    return Seat.objects.exclude(user=viewer).filter(person | Q(**{f"bot_name__{how}": text}))


def _has_result(result: str, viewer: User) -> Q:
    own = Seat.objects.filter(game=OuterRef("pk"), user=viewer)
    behind = Exists(Seat.objects.filter(game=OuterRef("pk"), place__gt=1))
    if result == "none":
        return ~Q(Exists(own.filter(place__isnull=False)))
    if result == "lost":
        return Q(Exists(own.filter(place__gt=1)))
    is_first = Q(Exists(own.filter(place=1)))
    return is_first & (Q(behind) if result == "won" else ~Q(behind))
