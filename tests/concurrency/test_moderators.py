"""Moderators who decide at the same moment: each thing is decided once, and the latest end counts."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.models import Measure, Report
from games.services.errors import Refused
from games.services.talk.moderation import decisions, reports
from tests.concurrency.simultaneous import run_simultaneously
from tests.games.moderation.cases import moderator
from tests.play import person

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

K = Measure.Kind


def attempt(decide: Callable[..., object], *arguments: object, **options: object) -> Callable[[], int]:
    """Return a call that returns whether the decision was made."""

    def call() -> int:
        try:
            decide(*arguments, **options)
        except Refused:
            return 0
        return 1

    return call


def take(report: Report, by: User, kind: str, days: int | None = 7) -> Callable[[], int]:
    return attempt(decisions.take, report.pk, by, kind, Measure.Rule.CHAT, "Be kind.", days=days)


def test_measures_about_one_person_that_are_taken_at_once_all_apply() -> None:
    vera, halley, ines = moderator(), moderator("Halley"), person("Ines")
    for number in range(6):
        tobias = person(f"Tobias{number}")
        named, played = (reports.report(ines, tobias, about) for about in ("name", "player"))
        run_simultaneously([take(named, vera, K.MUTE), take(played, halley, K.SUSPEND)])
        tobias.refresh_from_db()
        assert (tobias.is_muted, tobias.is_suspended) == (True, True)
        Report.objects.all().delete()


def test_two_reports_of_one_case_lead_to_one_decision() -> None:
    vera, halley = moderator(), moderator("Halley")
    ines, noor = person("Ines"), person("Noor")
    for number in range(6):
        tobias = person(f"Tobias{number}")
        first, second = (reports.report(user, tobias, "player") for user in (ines, noor))
        made = run_simultaneously([take(first, vera, K.WARN), take(second, halley, K.WARN)])
        assert sum(made) == Measure.objects.filter(user=tobias).count() == 1


def test_people_who_report_each_other_are_decided_about_at_once() -> None:
    vera, halley = moderator(), moderator("Halley")
    for number in range(6):
        ines, tobias = person(f"Ines{number}"), person(f"Tobias{number}")
        one, other = reports.report(ines, tobias, "player"), reports.report(tobias, ines, "player")
        assert run_simultaneously([take(one, vera, K.WARN), take(other, halley, K.WARN)]) == [1, 1]


def test_an_objection_is_answered_once() -> None:
    vera, halley, keeper = moderator(), moderator("Halley"), moderator("Keeper")
    for number in range(6):
        tobias = person(f"Tobias{number}")
        report = reports.report(person(f"Ines{number}"), tobias, "player")
        measure = decisions.take(report.pk, vera, K.MUTE, Measure.Rule.CHAT, "Be kind.", days=7)
        decisions.object_to(measure.pk, tobias, "No.")
        keep = attempt(decisions.keep, measure.pk, halley, "It stays.")
        _kept, lifted = run_simultaneously([keep, attempt(decisions.lift, measure.pk, keeper, "It ends.")])
        tobias.refresh_from_db()
        measure.refresh_from_db()
        assert lifted == 1, "also after it was kept"
        assert measure.lifted_at is not None
        assert not tobias.is_muted
        assert measure.answer == "It ends."
