"""What the pages about reports and decisions say, also if a form is refused."""

import pytest
from bs4 import BeautifulSoup

from accounts.models import User
from games.forms.moderation import DecisionForm
from games.models import Measure, Report, TrailEntry
from games.services.talk.moderation import decisions, reports
from tests.clients import client_of
from tests.games.moderation.cases import moderator, reported_line, reported_person
from tests.play import person

pytestmark = pytest.mark.django_db

K = Measure.Kind
FIELDS = {"rule": "chat", "text": "Be kind to the others."}


@pytest.fixture
def vera() -> User:
    return moderator()


def mute(report: Report, vera: User) -> Measure:
    return decisions.take(report.pk, vera, K.MUTE, Measure.Rule.CHAT, "Be kind.", days=7)


@pytest.mark.parametrize("kind", K.values)
def test_a_lasting_measure_needs_its_length(vera: User, kind: str) -> None:
    report = reported_line()
    form = DecisionForm({**FIELDS, "kind": kind}, list(K))
    assert form.is_valid() == (kind not in Measure.LASTING)
    assert DecisionForm({**FIELDS, "kind": kind, "days": "0"}, list(K)).is_valid()
    page = client_of(vera).post(f"/moderation/reports/{report.pk}/", {**FIELDS, "kind": K.SUSPEND})
    assert page.status_code == 400
    assert "Please choose for how long." in page.text
    assert not Measure.objects.exists()


def test_who_decides_too_late_reads_why_and_keeps_the_text(vera: User) -> None:
    report, halley = reported_person(), client_of(moderator("Halley"))
    measure = mute(report, vera)
    page = halley.post(f"/moderation/reports/{report.pk}/", {**FIELDS, "kind": K.WARN})
    assert page.status_code == 409
    assert "Somebody has decided about this report in the meantime." in page.text
    assert "Be kind to the others." in page.text
    decisions.lift(measure.pk, vera, "Enough.")
    page = halley.post(f"/moderation/measures/{measure.pk}/", {"do": "lift", "text": "It is enough now."})
    assert page.status_code == 409
    assert "This measure is over." in page.text
    assert "It is enough now." in page.text


def test_a_refused_objection_keeps_its_text(vera: User) -> None:
    measure = mute(reported_person(), vera)
    client, address = client_of(measure.user), f"/account/reports/{measure.pk}/object/"
    page = client.post(address, {"text": "x" * 1001})
    assert page.status_code == 400
    field = BeautifulSoup(page.text, "html.parser").find("textarea")
    assert field is not None
    assert "x" * 1001 in field.text
    assert field.find_parent("details").has_attr("open")
    described = str(field["aria-describedby"]).split()
    assert [bool(page.text.count(f'id="{name}"')) for name in described] == [True, True]
    assert field["aria-invalid"] == "true"
    decisions.object_to(measure.pk, measure.user, "No.")
    page = client.post(address, {"text": "I was asleep."})
    assert page.status_code == 409
    assert "You have objected already." in page.text
    assert "I was asleep." in page.text


def test_the_hint_of_an_objection_belongs_to_its_field(vera: User) -> None:
    measure = mute(reported_person(), vera)
    page = BeautifulSoup(client_of(measure.user).get("/account/reports/").text, "html.parser")
    field = page.find("textarea")
    assert field is not None
    hint = page.find(id=str(field["aria-describedby"]))
    assert hint is not None
    assert "You can object once." in hint.text


def test_the_reported_line_is_named_in_words(vera: User) -> None:
    page = client_of(vera).get(f"/moderation/reports/{reported_line().pk}/")
    [line] = BeautifulSoup(page.text, "html.parser").select(".is-reported")
    assert "Reported line" in line.text


def test_the_trail_names_kinds_and_rules_in_words(vera: User) -> None:
    report = reports.report(person("Ines"), person("Tobias"), "player")
    decisions.take(report.pk, vera, K.NO_PUBLIC_TABLES, Measure.Rule.FAIR_PLAY, "No.", days=7)
    TrailEntry.objects.create(action="take", actor=vera.pk, subject=0, kind="gone", rule="gone")
    page = client_of(vera).get("/moderation/trail/").text
    assert "(no public tables, Fair play)" in page
    assert "no_public" not in page
    assert "(gone, gone)" in page


def test_the_trail_names_nobody_who_decided_about_its_reader(vera: User) -> None:
    """The pages of such a case show nothing of it either."""
    halley = moderator("Halley")
    report = reports.report(person("Ines"), halley, "player")
    decisions.take(report.pk, vera, K.MUTE, Measure.Rule.CHAT, "No.", days=7)
    own, others = (client_of(user).get("/moderation/trail/").text for user in (halley, vera))
    assert "took a measure" in others
    assert "took a measure" not in own
    assert "made somebody a moderator" in own
