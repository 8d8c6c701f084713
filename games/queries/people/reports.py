"""What people can report, what they have reported, and what moderators see of it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, QuerySet
from django.http import Http404
from django.utils import timezone

from accounts.models import User
from accounts.staff.places import same_places
from games.models import ChatLine, Game, Measure, Report, Seat, seats_of
from games.queries.chat import chat_of

NEIGHBOURS = 5  # lines before and after a reported one
ENTRIES_SHOWN = 50
SHARED_WITHIN = timedelta(days=90)
About = Report.About


@dataclass(frozen=True)
class Target:
    """What a viewer can report from one place: about whom, what of them, and in which game."""

    people: Sequence[User]
    abouts: Sequence[About]
    game: Game | None = None
    line: ChatLine | None = None


def target_of_line(viewer: User, game: Game, line_id: int) -> Target:
    """Return what a viewer can report about a line that they can read. Raises Http404."""
    chat = chat_of(game, viewer)
    if chat is None or not any(line.id == line_id and line.may_report for line in chat.lines):
        raise Http404
    line = ChatLine.objects.select_related("author", "game").get(pk=line_id)
    assert line.author is not None, "nobody reports a line without an author"
    return Target([line.author], [About.LINE, About.NAME, About.PLAYER], game, line)


def target_of_person(person: User) -> Target:
    """Return what a viewer can report about a person."""
    return Target([person], [About.NAME, About.PLAYER])


def target_of_game(viewer: User, game: Game) -> Target:
    """Return what a viewer can report about the other people in a game. Raises Http404 if there is nobody."""
    people = [seat.user for seat in seats_of(game) if seat.user is not None and seat.user != viewer]
    if not people or game.is_open:
        raise Http404
    return Target(people, [About.RESULT, About.PLAYER] if game.is_over else [About.PLAYER], game)


def own_reports(user: User) -> Sequence[Report]:
    """Return what a person has reported, newest first."""
    return list(Report.objects.filter(reporter=user).select_related("game").order_by("-pk")[:ENTRIES_SHOWN])


def own_measures(user: User) -> Sequence[Measure]:
    """Return what moderators have decided about a person, newest first."""
    return list(Measure.objects.filter(user=user).select_related("game").order_by("-pk")[:ENTRIES_SHOWN])


def waiting_reports() -> Sequence[tuple[Report, int]]:
    """Return the first open report of each thing, oldest first, and how many people have reported it."""
    first: dict[tuple[object, ...], Report] = {}
    times: Counter[tuple[object, ...]] = Counter()
    for report in Report.objects.open().select_related("subject", "game").order_by("pk"):
        key = (report.about, report.subject_id, report.line_id, report.game_id, report.quote)
        first.setdefault(key, report)
        times[key] += 1
    return [(report, times[key]) for key, report in first.items()]


def waiting_objections() -> QuerySet[Measure]:
    """Return the measures with an objection that nobody has answered, oldest first."""
    return Measure.objects.with_open_objection().select_related("user").order_by("objected_at")


@dataclass(frozen=True)
class SamePlace:
    """Somebody who plays with a person, and whose session is in the same network."""

    user: User
    games: int
    is_same_browser: bool


@dataclass(frozen=True)
class History:
    """What moderators know about a person."""

    measures: Sequence[Measure]
    reports: Sequence[Report]
    same_places: Sequence[SamePlace]


def history_of(person: User) -> History:
    """Return the measures and decisions about a person, and who plays from the same place.

    Of the reports that one decision has answered, one is returned.
    """
    measures = Measure.objects.filter(user=person).select_related("taken_by").order_by("-pk")
    decided = Report.objects.filter(subject=person).exclude(decided_at=None).order_by("-pk")
    distinct = {(report.about, report.quote, report.decided_at): report for report in decided[:ENTRIES_SHOWN]}
    return History(list(measures[:ENTRIES_SHOWN]), list(distinct.values()), _same_places(person))


def _same_places(person: User) -> Sequence[SamePlace]:
    places = same_places(person)
    since = timezone.now() - SHARED_WITHIN
    games = Game.objects.multiplayer().with_seat_of(person).filter(started_at__gt=since)
    shared = Seat.objects.filter(game__in=games, user__in=list(places)).values("user").annotate(n=Count("pk"))
    counts = {row["user"]: row["n"] for row in shared}
    people = User.objects.in_bulk(counts)
    return [SamePlace(people[pk], counts[pk], places[pk]) for pk in sorted(counts)]


@dataclass(frozen=True)
class Case:
    """A report with what a moderator needs to decide: all who reported it, and the lines around a line."""

    report: Report
    reports: Sequence[Report]
    lines: Sequence[ChatLine]
    history: History


def case_of(report: Report) -> Case:
    """Return the case of a report."""
    reports = Report.objects.like(report).select_related("reporter").order_by("pk")
    return Case(report, list(reports), _around(report.line), history_of(report.subject))


def _around(line: ChatLine | None) -> Sequence[ChatLine]:
    if line is None:
        return []
    lines = ChatLine.objects.filter(game=line.game_id).select_related("author")
    before = list(lines.filter(pk__lte=line.pk).order_by("-pk")[: NEIGHBOURS + 1])
    return [*reversed(before), *lines.filter(pk__gt=line.pk).order_by("pk")[:NEIGHBOURS]]


def record_of_reporter(reporter: User | None) -> tuple[int, int]:
    """Return how many earlier reports of a person were decided, and after how many moderators have acted."""
    decided = Report.objects.filter(reporter=reporter).exclude(decided_at=None)
    return decided.count(), decided.filter(outcome=Report.Outcome.ACTED).count()
