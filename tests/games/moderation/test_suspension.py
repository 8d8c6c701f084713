"""A suspended person plays nothing on: not by plans, not by another account, not by what is offered."""

import pytest

from accounts.models import AccountMail, User
from games.models import Game, Measure, Plan, Report
from games.queries.mail_links import reply_address_for
from games.services.errors import Suspended
from games.services.talk.moderation import decisions, reports
from tests.games.moderation.cases import moderator
from tests.games.notifications.received import answered, game_by_mail, waiting
from tests.games.services.test_plans import place, plan, spaces_ahead, take_first
from tests.games.services.test_plans import waiting as planner_of
from tests.play import fresh, game_of, person

pytestmark = pytest.mark.django_db


def act(subject: User, kind: str = Measure.Kind.SUSPEND) -> Measure:
    """Take a measure about a person, and read their row anew."""
    vera = User.objects.filter(username="Vera").first() or moderator()
    mina = User.objects.filter(username="Mina").first() or person("Mina")
    report = reports.report(mina, subject, Report.About.PLAYER)
    measure = decisions.take(report.pk, vera, kind, Measure.Rule.FAIR_PLAY, "Play fair.", days=7)
    subject.refresh_from_db()
    return measure


@pytest.fixture
def game() -> Game:
    return game_of(person("Ines"), person("Tobias"))


def test_a_suspended_person_plans_nothing(game: Game) -> None:
    planner = planner_of(game)
    act(planner)
    with pytest.raises(Suspended):
        plan(game, place(spaces_ahead(game)[1]), user=planner)
    assert not Plan.objects.exists()


def test_a_suspended_person_plans_nothing_by_reply() -> None:
    game = game_by_mail()
    turn = waiting(game)
    act(turn.user)
    AccountMail.objects.all().delete()
    assert "Your plan is saved" not in answered("plan refill", reply_address_for(turn)).text
    assert not Plan.objects.exists()


def test_plans_from_before_the_suspension_are_gone(game: Game) -> None:
    planner = plan(game, place(spaces_ahead(game)[1]))
    act(planner)
    assert not Plan.objects.exists()


def test_a_plan_of_a_suspended_person_is_not_played(game: Game) -> None:
    planner = plan(game, place(spaces_ahead(game)[1]))
    kept = Plan.objects.get()
    act(planner)
    kept.pk = None
    kept.save()
    take_first(game)
    assert fresh(game).version == 1
