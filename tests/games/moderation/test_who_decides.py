"""Which moderators see and decide about what, and which of them learn that it waits."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AccountMail, User
from games.models import Measure, Report, SeatChange
from games.queries.people.reports import case_of, waiting_objections, waiting_reports
from games.services.errors import Conflict, NotSeated
from games.services.talk.moderation import decisions, reports
from tests.clients import add_second_factor, client_of
from tests.games.moderation.cases import moderator, reported_line, reported_person
from tests.play import game_of, person

pytestmark = pytest.mark.django_db

K = Measure.Kind


def appoint(user: User | None) -> User:
    """Return an earlier reporter or reported person as a moderator."""
    assert user is not None
    User.objects.filter(pk=user.pk).update(is_moderator=True)
    return User.objects.get(pk=user.pk)


def mute(report: Report, by: User) -> Measure:
    return decisions.take(report.pk, by, K.MUTE, Measure.Rule.CHAT, "Be kind.", days=7)


def called(user: User) -> int:
    """Return how many emails have called a moderator."""
    return AccountMail.objects.filter(address=user.email, subject__contains="waits for moderators").count()


@pytest.mark.parametrize("is_decided", [False, True])
def test_moderators_learn_nothing_of_reports_about_them_or_from_them(is_decided: bool) -> None:
    """They see neither who else has reported it nor what was decided."""
    report, vera = reported_person(), moderator()
    reports.report(person("Noor"), report.subject, report.about, "He left us waiting.")
    address = f"/moderation/reports/{report.pk}/"
    addresses = [address]
    if is_decided:
        measure = mute(report, vera)
        decisions.object_to(measure.pk, measure.user, "I was ill.")
        addresses.append(f"/moderation/measures/{measure.pk}/")
    assert "Noor" in client_of(vera).get(address).text
    tobias, ines = appoint(report.subject), appoint(report.reporter)
    for user, others in ((tobias, ("Ines", "Noor")), (ines, ("Tobias", "Noor"))):
        client = client_of(user)
        for address in addresses:
            for page in (client.get(address), client.post(address, {"kind": "dismiss"})):
                assert page.status_code == 403
                assert "Only other moderators" in page.text
                for word in (*others, "He left us waiting.", "Be kind.", "I was ill.", "Vera"):
                    assert word not in page.text
        assert "No report waits." in client.get("/moderation/").text


@pytest.mark.parametrize("decision", ["a measure", "a dismissal"])
def test_another_case_of_the_person_shows_nothing_of_ones_own_report(decision: str) -> None:
    vera, wanda, halley, tobias = moderator(), moderator("Wanda"), moderator("Halley"), person("Tobias")
    own = reports.report(vera, tobias, Report.About.PLAYER, "He is awful.")
    same = reports.report(person("Noor"), tobias, Report.About.PLAYER)
    if decision == "a measure":
        decisions.object_to(mute(same, wanda).pk, tobias, "No.")
    else:
        decisions.dismiss(same.pk, wanda)
    other = reports.report(person("Ines"), tobias, Report.About.CHEAT)
    for user, sees in ((halley, True), (vera, False)):
        history = case_of(other, user).history
        assert len(history.reports) == sees
        assert len(history.measures) == (sees and decision == "a measure")
        assert ("Tobias" in client_of(user).get("/moderation/trail/").text) == sees
        page = client_of(user).get(f"/moderation/reports/{other.pk}/").text
        assert ("Wanda" in page) == (sees and decision == "a measure")
    assert client_of(vera).get(f"/moderation/reports/{own.pk}/").status_code == 403


def test_a_report_takes_the_same_queries_however_many_cases_wait() -> None:
    ones = [moderator(name) for name in ("Vera", "Wanda")]
    noor, game = person("Noor"), game_of(*ones)
    reporters, subjects = [person("Ines"), person("Lea")], [person("Tobias"), person("Mina")]

    def queries(number: int) -> int:
        AccountMail.objects.all().delete()
        with CaptureQueriesContext(connection) as captured:
            reports.report(reporters[number], subjects[number], Report.About.PLAYER)
        Report.objects.filter(reporter=reporters[number]).update(decided_at=timezone.now())
        return len(captured)

    def wait(number: int) -> None:
        """Store reports that no moderator decides, because they are of their game."""
        for one in range(number):
            Report.objects.create(reporter=noor, subject=ones[0], about="player", game=game, quote=f"{one}")

    wait(1)
    few = queries(0)
    wait(9)
    assert queries(1) == few
    assert called(ones[0]) == called(ones[1]) == 1


def test_who_waits_is_listed_for_those_who_may_see_it_page_by_page() -> None:
    report, vera = reported_person(), moderator()
    noor = person("Noor")
    for number in range(9):
        reports.report(noor, User.objects.create(username=f"Emil{number}"), "player")
    reports.report(noor, report.subject, report.about)
    listed = [(one.subject.username, times) for one, times in waiting_reports(vera)]
    assert listed[:2] == [("Tobias", 2), ("Emil0", 1)]
    assert len(listed) == 10
    assert [one.subject.username for one, _times in waiting_reports(vera, 2, size=8)] == ["Emil7", "Emil8"]
    assert len(waiting_reports(appoint(report.reporter))) == 9
    assert len(waiting_reports(appoint(report.subject))) == 9
    assert len(waiting_reports(appoint(noor))) == 0
    for user in (report.subject, report.reporter, noor):
        User.objects.filter(pk=getattr(user, "pk", 0)).update(is_moderator=False)
    measure = mute(report, vera)
    decisions.object_to(measure.pk, measure.user, "No.")
    assert list(waiting_objections(vera)) == [measure]
    for user in (report.subject, report.reporter, noor):
        assert user is not None
        assert list(waiting_objections(user)) == []


def test_the_page_of_a_case_needs_no_query_for_each_reporter() -> None:
    report, client = reported_person(), client_of(moderator())
    address = f"/moderation/reports/{report.pk}/"
    client.get(address)
    with CaptureQueriesContext(connection) as few:
        client.get(address)
    for name in ("Noor", "Mina", "Emil", "Halley"):
        reporter = person(name)
        Report.objects.create(reporter=reporter, subject=reporter, about="name", decided_at=timezone.now())
        reports.report(reporter, report.subject, report.about)
    with CaptureQueriesContext(connection) as many:
        page = " ".join(client.get(address).text.split())
    assert page.count("moderators acted on 0 of 1 earlier reports") == 4
    assert page.count("no earlier reports") == 1
    assert len(many) == len(few)


def test_who_is_close_to_the_report_answers_no_objection() -> None:
    report, vera = reported_line(), moderator()
    assert report.game is not None
    measure = mute(report, vera)
    decisions.object_to(measure.pk, measure.user, "No.")
    ines = appoint(report.reporter)
    halley = moderator("Halley")
    SeatChange.objects.create(
        game=report.game, seat=0, number=0, former=halley, reason="hand", at=timezone.now()
    )
    noor = moderator("Noor")
    report.game.seats.filter(user=ines).update(user=noor)
    for user, why in (
        (ines, "Only other moderators"),
        (halley, "seat in the game"),
        (noor, "seat in the game"),
    ):
        for decide in (decisions.keep, decisions.lift):
            with pytest.raises(NotSeated, match=why):
                decide(measure.pk, user, "No.")
    # So nobody else can reject it than who took it.
    decisions.keep(measure.pk, vera, "Yes.")


def test_who_has_handed_over_their_seat_decides_nothing_about_the_game() -> None:
    report, vera = reported_line(), moderator()
    assert report.game is not None
    SeatChange.objects.create(
        game=report.game, seat=0, number=0, former=vera, reason="hand", at=timezone.now()
    )
    with pytest.raises(NotSeated, match="seat in the game"):
        decisions.dismiss(report.pk, vera)


def test_only_superusers_decide_again_about_staff() -> None:
    report, vera = reported_person(), moderator()
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    User.objects.filter(pk=report.subject_id).update(is_staff=True)
    add_second_factor(keeper)
    measure = mute(report, keeper)
    decisions.object_to(measure.pk, measure.user, "No.")
    for decide in (decisions.keep, decisions.lift):
        with pytest.raises(NotSeated, match="superuser"):
            decide(measure.pk, vera, "No.")
    decisions.keep(measure.pk, keeper, "Yes.")


@pytest.mark.parametrize("obstacle", ["suspended", "no second factor"])
def test_who_cannot_decide_now_keeps_nobody_else_from_it(obstacle: str) -> None:
    """Else an objection, or a report about a moderator, would wait for ever."""
    vera, halley = moderator(), moderator("Halley")
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    add_second_factor(keeper)
    report = reported_person()
    about_halley = reports.report(person("Noor"), halley, "player")
    measure = mute(report, vera)
    decisions.object_to(measure.pk, measure.user, "No.")
    with pytest.raises(NotSeated, match="another moderator"):
        decisions.keep(measure.pk, vera, "Yes.")
    away = User.objects.filter(pk__in=[halley.pk, keeper.pk])
    if obstacle == "suspended":
        away.update(suspended_until=timezone.now() + timedelta(days=7))
    else:
        Authenticator.objects.filter(user__in=away).delete()
    decisions.keep(measure.pk, vera, "Yes.")
    decisions.dismiss(about_halley.pk, vera)


def test_a_suspended_moderator_decides_nothing_and_is_called_to_nothing() -> None:
    halley, report = moderator("Halley"), reported_person()
    before = called(halley)
    halley.suspended_until = timezone.now() + timedelta(days=7)
    halley.save()
    with pytest.raises(NotSeated, match="Only moderators"):
        decisions.dismiss(report.pk, halley)
    decisions.dismiss(report.pk, moderator())
    reports.report(person("Noor"), person("Mina"), "player")
    assert called(halley) == before


def test_a_moderator_decides_about_the_only_superuser() -> None:
    vera = moderator()
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    report = reports.report(person("Ines"), keeper, "player")
    assert called(vera) == 1
    decisions.dismiss(report.pk, vera)


def test_an_objection_to_what_ended_meanwhile_is_answered() -> None:
    vera, halley = moderator(), moderator("Halley")
    for answer, text, name in ((decisions.keep, "it stays", "Tobias"), (decisions.lift, "lifted it", "Mina")):
        subject = person(name)
        measure = mute(reports.report(person(f"Reporter {name}"), subject, "player"), vera)
        decisions.object_to(measure.pk, subject, "No.")
        Measure.objects.filter(pk=measure.pk).update(ends_at=timezone.now())
        page = client_of(halley).get(f"/moderation/measures/{measure.pk}/").text
        assert 'value="keep"' in page
        answer(measure.pk, halley, "We have looked again.")
        assert not waiting_objections(vera)
        own = client_of(subject).get("/account/reports/").text
        assert text in own
        assert "We have looked again." in own
        with pytest.raises(Conflict, match="over"):
            decisions.lift(measure.pk, halley, "Again.")
        assert "This measure is over" in client_of(halley).get(f"/moderation/measures/{measure.pk}/").text


def test_an_objection_calls_another_moderator_than_who_took_the_measure() -> None:
    report = reported_person()
    vera, halley = moderator(), moderator("Halley")
    measure = mute(report, vera)
    decisions.object_to(measure.pk, measure.user, "No.")
    assert (called(vera), called(halley)) == (0, 1)
    decisions.keep(measure.pk, halley, "Yes.")
    other = mute(reports.report(person("Noor"), person("Mina"), "player"), vera)
    vera.delete()
    decisions.object_to(other.pk, other.user, "No.")
    assert called(halley) == 3, "of the first objection, the second report, and the second objection"


def test_what_a_moderator_may_not_decide_does_not_silence_the_others_for_them() -> None:
    """The report about Vera waits for ever, because there is no superuser."""
    vera, halley = moderator(), moderator("Halley")
    reports.report(halley, vera, "player")
    assert (called(vera), called(halley)) == (0, 0)
    reported_person()
    assert (called(vera), called(halley)) == (1, 1)
    reports.report(person("Noor"), User.objects.get(username="Tobias"), "player")
    assert (called(vera), called(halley)) == (1, 1), "one email while something waits"
