"""Reports from the press of a link to the answer, and who may report what."""

import re
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.utils import timezone

from accounts.models import AccountMail, User
from games.models import Report
from games.services.errors import Conflict, NotSeated, TooOften
from games.services.private import blocks
from games.services.talk.moderation import decisions, reports
from tests.clients import add_second_factor, client_of
from tests.games.moderation.cases import line_of, moderator, reported_line, reported_person
from tests.play import game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db


def mails_to(user: User) -> list[str]:
    return [mail.text for mail in AccountMail.objects.filter(address=user.email).order_by("pk")]


def test_a_report_goes_from_the_press_to_the_answer() -> None:
    vera = moderator()
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    line = line_of(game, tobias)
    client = client_of(ines)

    address = f"/g/{game.key}/chat/{line.pk}/report/"
    assert f'href="{address}"' in client.get(f"/g/{game.key}/").text
    assert address not in client_of(tobias).get(f"/g/{game.key}/").text, "nobody reports themselves"
    assert "You are a fool." in client.get(address).text
    assert '<button class="btn" type="submit" name="about" value="line">' in client.get(address).text
    page = client.post(address, {"about": "line", "person": tobias.pk, "words": "Rude."}, follow=True)
    assert f'<a href="/g/{game.key}/">Back to the game</a>' in page.text
    assert "You reported this. Moderators look at it" in page.text
    assert "You reported this on" in page.text
    assert len(mails_to(vera)) == 1

    page = client_of(vera).get("/moderation/")
    report = Report.objects.get()
    assert f'href="/moderation/reports/{report.pk}/"' in page.text
    case = client_of(vera).get(f"/moderation/reports/{report.pk}/").text
    assert "You are a fool." in case
    assert "Rude." in case
    page = client_of(vera).post(f"/moderation/reports/{report.pk}/", {"kind": "dismiss"}, follow=True)
    assert "No report waits." in page.text

    [mail] = mails_to(ines)
    assert "no house rule was broken" in mail
    assert "Tobias" not in mail
    assert "Moderators have made a decision" in client.get("/").text
    page = client.get("/account/reports/").text
    assert "found that no house rule was broken" in page
    assert "Moderators have made a decision" not in client.get("/").text
    assert mails_to(tobias) == [], "he learns nothing of it"


def test_a_name_a_player_and_a_result_are_reported_from_their_pages() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = play_out(game_of(ines, tobias))
    client = client_of(ines)
    assert f'href="/g/{game.key}/report/"' in client.get(f"/g/{game.key}/").text
    assert f'href="/g/{game.key}/report/"' in client.get(f"/g/{game.key}/text/").text
    assert 'href="/people/Tobias/report/"' in client.get("/people/Tobias/").text
    fields = {"person": tobias.pk}
    for address, about in (
        ("/people/Tobias/report/", "name"),
        ("/people/Tobias/report/", "player"),
        ("/people/Tobias/report/", "line"),
        (f"/g/{game.key}/report/", "result"),
        (f"/g/{game.key}/report/", "cheat"),
    ):
        assert not re.search('name="about"[^>]*checked', client.get(address).text), "nothing is preselected"
        assert client.post(address, {**fields, "about": about}).status_code == 302
    assert [(report.about, report.quote) for report in Report.objects.order_by("pk")] == [
        ("name", "Tobias"),
        ("player", ""),
        ("line", ""),
        ("result", ""),
        ("cheat", ""),
    ]
    assert client.get("/people/Ines/report/").status_code == 404
    assert client.post("/people/Tobias/report/", {**fields, "about": "spam"}).status_code == 400
    assert client.post("/people/Tobias/report/", {"person": ines.pk, "about": "name"}).status_code == 400


def test_a_solo_result_can_be_reported_by_others_only() -> None:
    ines = person("Ines")
    solo = play_out(solo_of(ines))
    assert f"/g/{solo.key}/report/" not in client_of(ines).get(f"/g/{solo.key}/").text
    assert client_of(ines).get(f"/g/{solo.key}/report/").status_code == 404
    page = client_of(person("Tobias")).get(f"/g/{solo.key}/report/")
    assert "An unfair result" in page.text


def test_nobody_reports_a_line_that_they_cannot_read() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    line = line_of(game, tobias)
    assert client_of(person("Noor")).get(f"/g/{game.key}/chat/{line.pk}/report/").status_code == 404
    visitor = Client().get(f"/g/{game.key}/chat/{line.pk}/report/")
    assert visitor["Location"].startswith("/account/login/")


def test_guests_report_those_with_whom_they_play() -> None:
    guest = User.objects.create(username="Amber-Comet", is_guest=True)
    tobias, noor = person("Tobias"), person("Noor")
    game_of(guest, tobias)
    assert reports.report(guest, tobias, "player").pk
    with pytest.raises(NotSeated, match="Sign up"):
        reports.report(guest, noor, "player")


def test_a_second_report_of_the_same_is_the_first_one() -> None:
    first = reported_line()
    assert first.reporter is not None
    again = reports.report(first.reporter, first.subject, "line", "Again!", line=first.line)
    assert again == first
    assert Report.objects.count() == 1


def test_ten_reports_a_day_are_the_most() -> None:
    ines = person("Ines")
    for number in range(10):
        reports.report(ines, User.objects.create(username=f"Tobias{number}"), "player")
    Report.objects.filter(subject__username="Tobias0").delete()
    Report.objects.update(created_at=timezone.now() - timedelta(hours=20))
    reports.report(ines, User.objects.create(username="Mina"), "player")
    noor = person("Noor")
    with pytest.raises(TooOften, match=r"within a day\. Please try again in 4 hours"):
        reports.report(ines, noor, "player")
    page = client_of(ines).post("/people/Noor/report/", {"about": "player", "person": noor.pk, "words": "?"})
    assert page.status_code == 429
    assert 3.9 * 60 * 60 < int(page["Retry-After"]) <= 4 * 60 * 60


@pytest.mark.parametrize("is_reporter_first", [True, False])
def test_a_block_keeps_nobody_from_a_report(is_reporter_first: bool) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    blocks.block(*((ines, tobias) if is_reporter_first else (tobias, ines)))
    fields = {"about": "player", "person": tobias.pk, "words": "Rude, and then blocked me."}
    assert client_of(ines).post("/people/Tobias/report/", fields).status_code == 302
    assert Report.objects.get().subject == tobias


def test_nobody_reports_themselves() -> None:
    ines = person("Ines")
    with pytest.raises(Conflict, match="yourself"):
        reports.report(ines, ines, "player")


def test_many_reports_of_the_same_are_one_case_with_one_decision_and_an_answer_for_each() -> None:
    vera, report = moderator(), reported_person()
    noor = person("Noor")
    reports.report(noor, report.subject, "player")
    page = client_of(vera).get("/moderation/").text
    assert len(re.findall(r'href="/moderation/reports/', page)) == 1
    assert "reported by 2 people" in " ".join(page.split())
    assert len(mails_to(vera)) == 1, "one email, however many report"
    decisions.dismiss(report.pk, vera)
    assert not Report.objects.open().exists()
    assert report.reporter is not None
    assert len(mails_to(noor)) == len(mails_to(report.reporter)) == 1


def test_the_pages_of_moderators_exist_for_moderators_with_a_second_factor_only() -> None:
    vera, report = moderator(), reported_person()
    addresses = ("/moderation/", f"/moderation/reports/{report.pk}/", "/moderation/trail/")
    for address in addresses:
        Authenticator.objects.all().delete()
        assert Client().get(address)["Location"].startswith("/account/login/")
        assert client_of(report.subject).get(address).status_code == 404
        without = Client()
        without.force_login(vera)
        assert without.get(address)["Location"].startswith("/account/security/?next="), "as for staff"
        assert client_of(vera).get(address).status_code == 200
    assert "Moderation" in client_of(vera).get("/").text
    assert 'href="/moderation/"' not in client_of(report.subject).get("/").text


def test_no_moderator_decides_about_their_own_report_themselves_or_their_game() -> None:
    report = reported_line()
    game, tobias, ines = report.game, report.subject, report.reporter
    assert game is not None
    assert ines is not None
    for user in (tobias, ines):
        User.objects.filter(pk=user.pk).update(is_moderator=True)
        user.refresh_from_db()
        with pytest.raises(NotSeated, match="Only other moderators"):
            decisions.dismiss(report.pk, user)
        page = client_of(user).get(f"/moderation/reports/{report.pk}/").text
        assert 'name="kind"' not in page
        assert "Only other moderators" in page
    vera = moderator()
    game.seats.filter(user=ines).update(user=vera)
    with pytest.raises(NotSeated, match="seat in the game"):
        decisions.dismiss(report.pk, vera)


def test_only_superusers_decide_about_moderators_and_staff() -> None:
    report, vera = reported_person(), moderator()
    User.objects.filter(pk=report.subject_id).update(is_moderator=True)
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    add_second_factor(keeper)
    with pytest.raises(NotSeated, match="superuser"):
        decisions.dismiss(report.pk, vera)
    decisions.dismiss(report.pk, keeper)


def test_who_is_no_moderator_decides_nothing() -> None:
    report = reported_person()
    with pytest.raises(NotSeated, match="Only moderators"):
        decisions.dismiss(report.pk, person("Noor"))
    decisions.dismiss(report.pk, vera := moderator())
    with pytest.raises(Conflict, match="in the meantime"):
        decisions.dismiss(report.pk, vera)
