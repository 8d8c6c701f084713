"""Which moderators see and decide about what: nobody what is about themselves, or from them.

A player does not see what spectators write while the game runs.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.staff.moderators import moderators, ready_moderators
from games.models import ChatLine, Game, Measure, Report, Seat, SeatChange


def why_not_see(moderator: User, case: Report | Measure) -> str:
    """Return why a moderator may not open a case; empty if they may.

    A page of a case names who has reported it, and what was decided about the person.
    """
    return _Company([case]).why_not_see(moderator, case)


def why_not_decide(moderator: User, case: Report | Measure) -> str:
    """Return why a moderator may not decide about a report, or again about a measure; empty if they may."""
    return _Company([case]).why_not_decide(moderator, case)


def why_not_keep(moderator: User, measure: Measure) -> str:
    """Return why a moderator may lift a measure, and not reject the objection; empty if they may do both.

    Another one than who took the measure rejects it, as long as there is another one who may decide.
    """
    return _Company([measure]).why_not_keep(moderator, measure)


def moderators_with_only(case: Report | Measure) -> list[User]:
    """Return the moderators who may decide about an open case, and for whom no other one waits."""
    reports = Report.objects.open().select_related("subject")
    objections = Measure.objects.with_open_objection().select_related("user", "report")
    waiting: list[Report | Measure] = [*reports, *objections]
    company = _Company(waiting)
    return [
        moderator
        for moderator in moderators()
        if [one for one in waiting if company.may_answer(moderator, one)] == [case]
    ]


class _Company:
    """All who have to do with some cases. It is read by as many queries for many cases as for one."""

    def __init__(self, cases: Collection[Report | Measure]) -> None:
        self.cases = cases

    def why_not_see(self, moderator: User, case: Report | Measure) -> str:
        if moderator.pk in self._involved(case):
            return str(
                _("Only other moderators see and decide this, because it is about you or you reported it.")
            )
        if moderator.pk in self._players_watched[case.line_id]:
            return str(_("Only other moderators see this while the game runs, because you play in it."))
        return ""

    def why_not_decide(self, moderator: User, case: Report | Measure) -> str:
        if why := self.why_not_see(moderator, case):
            return why
        players = self._players[case.game_id]
        if moderator.pk in players:
            return str(_("Another moderator decides about it, because you have or had a seat in the game."))
        subject = _subject(case)
        if subject and subject.rights and not moderator.is_superuser:
            close = players | self._involved(case)
            # Without one, nobody would ever decide.
            if any(other.is_superuser and other.pk not in close for other in self._ready):
                return str(_("A superuser decides about it, because the person is a moderator or staff."))
        return ""

    def why_not_keep(self, moderator: User, measure: Measure) -> str:
        if measure.taken_by_id != moderator.pk:
            return ""
        if any(other != moderator and not self.why_not_decide(other, measure) for other in self._ready):
            return str(_("You took this measure, so only another moderator can reject the objection."))
        return ""

    def may_answer(self, moderator: User, case: Report | Measure) -> bool:
        """Return whether a moderator may decide about a report, or answer an objection in either way."""
        is_kept_off = isinstance(case, Measure) and self.why_not_keep(moderator, case)
        return not is_kept_off and not self.why_not_decide(moderator, case)

    def _involved(self, case: Report | Measure) -> set[int]:
        """Return the ids of the person whom a case is about, and of all who have reported the same."""
        report, subject = _report(case), case.user_id if isinstance(case, Measure) else case.subject_id
        reporters = self._reporters[report.case] if report else set()
        return reporters | ({subject} if subject is not None else set())

    @cached_property
    def _reporters(self) -> dict[tuple[object, ...], set[int]]:
        """The ids of all who have reported each thing."""
        reports = [report for report in map(_report, self.cases) if report is not None]
        found: defaultdict[tuple[object, ...], set[int]] = defaultdict(set)
        for report in Report.objects.about_people_of(reports):
            if report.reporter_id is not None:
                found[report.case].add(report.reporter_id)
        return found

    @cached_property
    def _players(self) -> dict[int | None, set[int]]:
        """The ids of all who have or had a seat in each game."""
        games = {case.game_id for case in self.cases if case.game_id is not None}
        found: defaultdict[int | None, set[int]] = defaultdict(set)
        for rows, person in ((Seat.objects, "user"), (SeatChange.objects, "former")):
            pairs = rows.filter(game__in=games).exclude(**{person: None}).values_list("game", person)
            for game, pk in pairs:
                found[game].add(pk)
        return found

    @cached_property
    def _players_watched(self) -> dict[int | None, set[int]]:
        """The ids of the players who must not read each line yet, because spectators wrote it."""
        ids = {case.line_id for case in self.cases if case.line_id is not None}
        lines = ChatLine.objects.filter(pk__in=ids)
        running = lines.filter(watched__status=Game.Status.RUNNING)
        found: defaultdict[int | None, set[int]] = defaultdict(set)
        for line, player in running.values_list("pk", "watched__seats__user"):
            found[line].add(player)
        return found

    @cached_property
    def _ready(self) -> Sequence[User]:
        return list(ready_moderators())


def _report(case: Report | Measure) -> Report | None:
    return case.report if isinstance(case, Measure) else case


def _subject(case: Report | Measure) -> User | None:
    return case.user if isinstance(case, Measure) else case.subject
