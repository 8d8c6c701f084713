"""Names that moderators refuse, and give back: somebody else may have or take them meanwhile."""

from itertools import chain, repeat

import pytest

from accounts.models import AccountMail, User
from accounts.staff import renaming
from games.models import Measure, Report
from games.services.talk.moderation import decisions, reports
from tests.clients import client_of
from tests.games.moderation.cases import moderator
from tests.play import person

pytestmark = pytest.mark.django_db


def renamed(user: User) -> Measure:
    """Give somebody another name because of a report."""
    report = reports.report(person("Mina"), user, Report.About.NAME)
    measure = decisions.take(report.pk, moderator(), Measure.Kind.RENAME, Measure.Rule.NAMES, "A rude name.")
    user.refresh_from_db()
    return measure


def test_a_name_that_somebody_else_has_now_is_not_given_back_and_both_learn_it() -> None:
    tobias, halley = person("Tobias"), moderator("Halley")
    measure = renamed(tobias)
    given = tobias.username
    assert f"Your name is now {given}." in AccountMail.objects.get(address=tobias.email).text
    User.objects.filter(pk=tobias.pk).update(chooses_name=False)
    User.objects.filter(username="Mina").update(username="tobias")
    AccountMail.objects.all().delete()
    address = f"/moderation/measures/{measure.pk}/"
    page = client_of(halley).post(address, {"do": "lift", "text": "You are right."}, follow=True).text
    assert "Somebody else has the name Tobias now." in page
    tobias.refresh_from_db()
    assert tobias.username == given
    assert "Somebody else has the name Tobias now." in AccountMail.objects.get(address=tobias.email).text
    assert "Choose another name" in client_of(tobias).get("/account/reports/").text


def test_a_name_that_is_given_back_is_answered_without_a_warning() -> None:
    tobias, halley = person("Tobias"), moderator("Halley")
    measure = renamed(tobias)
    AccountMail.objects.all().delete()
    decisions.lift(measure.pk, halley, "You are right.")
    assert "Somebody else" not in AccountMail.objects.get(address=tobias.email).text
    tobias.refresh_from_db()
    assert (tobias.username, tobias.chooses_name) == ("Tobias", False)


def test_a_name_that_somebody_takes_at_the_same_time_is_not_given(monkeypatch: pytest.MonkeyPatch) -> None:
    tobias = person("Tobias")
    person("Amber-Comet")
    names = chain(["Amber-Comet"], repeat("Amber-Comet-2"))
    monkeypatch.setattr(renaming, "free_name", lambda: next(names))
    renaming.give_another_name(tobias)
    tobias.refresh_from_db()
    assert tobias.username == "Amber-Comet-2"
