"""What people can report, what they have reported, and what moderators see of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import Count, Min, Q
from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.staff.places import same_places
from games.models import ChatLine, Game, Measure, Report, Seat, seats_of
from games.queries.chat import chat_of

NEIGHBOURS = 5  # lines before and after a reported one
ENTRIES_SHOWN = 50
CASES_A_PAGE = 50
SHARED_WITHIN = timedelta(days=90)
About = Report.About


@dataclass(frozen=True)
class Target:
    """What a viewer can report from one place: about whom, what of them, and in which game."""

    people: Sequence[User]
    abouts: Sequence[About]
    game: Game | None = None
    line: ChatLine | None = None

    @property
    def back_url(self) -> str:
        """The page from which the viewer came."""
        if self.game is not None:
            return self.game.get_absolute_url()
        return reverse("games:person", args=[self.people[0].username])


def target_of_line(viewer: User, game: Game, line_id: int) -> Target:
    """Return what a viewer can report about a line that they can read or have hidden. Raises Http404."""
    chat = chat_of(game, viewer)
    lines = [*chat.lines, *chat.concealed] if chat else []
    if not any(line.id == line_id and line.may_report for line in lines):
        raise Http404
    line = ChatLine.objects.select_related("author", "game", "watched").get(pk=line_id)
    assert line.author is not None, "nobody reports a line without an author"
    return Target([line.author], [About.LINE, About.SPAM, About.NAME, About.PLAYER], game, line)


def target_of_person(person: User) -> Target:
    """Return what a viewer can report about a person."""
    return Target([person], [About.LINE, About.NAME, About.CHEAT, About.LEAVING, About.PLAYER])


def target_of_game(viewer: User, game: Game) -> Target:
    """Return what a viewer can report about the other people in a game. Raises Http404 if there is nobody."""
    people = [seat.user for seat in seats_of(game) if seat.user is not None and seat.user != viewer]
    if not people or game.is_open:
        raise Http404
    abouts = [About.LINE, About.CHEAT, About.LEAVING, About.PLAYER]
    return Target(people, [About.RESULT, *abouts] if game.is_over else abouts, game)


def own_reports(user: User) -> Sequence[Report]:
    """Return what a person has reported, newest first."""
    return list(Report.objects.filter(reporter=user).select_related("game").order_by("-pk")[:ENTRIES_SHOWN])


def own_measures(user: User) -> Sequence[Measure]:
    """Return what moderators have decided about a person, newest first."""
    return list(Measure.objects.filter(user=user).select_related("game").order_by("-pk")[:ENTRIES_SHOWN])


def waiting_reports(viewer: User, number: str | int | None = 1, *, size: int = CASES_A_PAGE) -> Page[Any]:
    """Return a page of the first open reports of each thing, and how often each was reported; oldest first.

    What is about the viewer, or reported by them, is for other moderators, and so is what they must not read.
    """
    is_open = Q(decided_at=None)
    cases = (
        Report.objects.filter(subject__in=Report.objects.open().values("subject"))
        .exclude(subject=viewer)
        .exclude(line__in=ChatLine.objects.kept_from(viewer.pk))
        .values("about", "subject", "line", "game", "quote")
        .annotate(
            first=Min("pk", filter=is_open),
            times=Count("pk", filter=is_open),
            own=Count("pk", filter=Q(reporter=viewer)),
        )
        .filter(first__isnull=False, own=0)
        .order_by("first")
    )
    page: Page[Any] = Paginator(cases, size).get_page(number)
    reports = Report.objects.select_related("subject").in_bulk([case["first"] for case in page])
    page.object_list = [(reports[case["first"]], case["times"]) for case in page]
    return page


def waiting_objections(viewer: User) -> Sequence[Measure]:
    """Return the measures with an objection that nobody has answered, oldest first.

    What is about the viewer, or follows from their report, is for other moderators, and so is what they must
    not read.
    """
    waiting = Measure.objects.with_open_objection().exclude(user=viewer)
    waiting = waiting.exclude(line__in=ChatLine.objects.kept_from(viewer.pk))
    waiting = waiting.exclude(report__in=Report.objects.known_to(viewer.pk))
    return list(waiting.select_related("user").order_by("objected_at"))


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


def history_of(person: User, viewer: User) -> History:
    """Return the measures and decisions about a person, and who plays from the same place.

    What came of a report of the viewer is for other moderators, and so is what they must not read. Of the
    reports that one decision has answered, one is returned.
    """
    own, kept = Report.objects.known_to(viewer.pk), ChatLine.objects.kept_from(viewer.pk)
    measures = Measure.objects.filter(user=person).exclude(report__in=own).exclude(line__in=kept)
    measures = measures.select_related("taken_by").order_by("-pk")
    decided = Report.objects.filter(subject=person).exclude(decided_at=None).exclude(pk__in=own)
    decided = decided.exclude(line__in=kept).order_by("-pk")
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


def case_of(report: Report, viewer: User) -> Case:
    """Return the case of a report as a moderator sees it."""
    reports = Report.objects.like(report).select_related("reporter").order_by("pk")
    history = history_of(report.subject, viewer) if report.subject else History([], [], [])
    return Case(report, list(reports), _around(report.line), history)


def _around(line: ChatLine | None) -> Sequence[ChatLine]:
    if line is None:
        return []
    lines = ChatLine.objects.filter(game=line.game_id, watched=line.watched_id).select_related("author")
    before = list(lines.filter(pk__lte=line.pk).order_by("-pk")[: NEIGHBOURS + 1])
    return [*reversed(before), *lines.filter(pk__gt=line.pk).order_by("pk")[:NEIGHBOURS]]


def records_of_reporters(reports: Sequence[Report]) -> Mapping[int, tuple[int, int]]:
    """Return how many reports of each reporter were decided, and on how many of them moderators acted."""
    decided = Report.objects.filter(reporter__in=[report.reporter_id for report in reports])
    rows = decided.exclude(decided_at=None).exclude(outcome=Report.Outcome.REMOVED).values("reporter")
    rows = rows.annotate(number=Count("pk"), acted=Count("pk", filter=Q(outcome=Report.Outcome.ACTED)))
    return {row["reporter"]: (row["number"], row["acted"]) for row in rows}
