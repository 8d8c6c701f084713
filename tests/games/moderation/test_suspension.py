"""A suspended person plays nothing on: not by plans, not by another account, not by what is offered."""

from contextlib import nullcontext
from datetime import timedelta
from unittest.mock import Mock

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.utils import timezone

from accounts import deletion
from accounts.models import AccountMail, BarredAddress, User
from games.models import DuplicateEntry, DuplicateMatch, Game, Measure, Plan, Report, Seat, SeatOffer
from games.queries.mail_links import reply_address_for
from games.queries.people.reports import case_of
from games.services import hand_overs, invitations, pruning, tables
from games.services.errors import Conflict, Suspended
from games.services.pruning.people import remove_account
from games.services.tables import duplicates
from games.services.tables.rematches import rematch
from games.services.talk.moderation import decisions, reports
from tests.clients import client_of
from tests.games.moderation.cases import moderator
from tests.games.notifications.received import answered, game_by_mail, waiting
from tests.games.services.test_plans import place, plan, spaces_ahead, take_first
from tests.games.services.test_plans import waiting as planner_of
from tests.play import fresh, game_of, mover, person, play_out

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


def test_nobody_invites_a_suspended_person() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    act(tobias)
    AccountMail.objects.all().delete()
    table = tables.open_table(ines, tables.TableOptions(3, pace=Game.Pace.SLOW))
    with pytest.raises(Conflict, match="You can't invite Tobias"):
        invitations.invite(table.key, ines, tobias)
    mails: list[Game] = []
    invitations.invite_address(table.key, ines, tobias.email, mails.append)
    seat = table.seats.get(invited_address=tobias.email)
    assert (seat.invited, mails) == (None, []), "the opener sees what they see for every address"
    match = duplicates.open_match(ines, 2, 2, pace=Game.Pace.SLOW, is_public=False)
    with pytest.raises(Conflict, match="You can't invite Tobias"):
        duplicates.invite(match.key, ines, tobias, lambda _match: None)


def test_a_rematch_keeps_no_seat_for_a_suspended_person(game: Game) -> None:
    ines, tobias = User.objects.get(username="Ines"), User.objects.get(username="Tobias")
    play_out(game)
    act(tobias)
    again = rematch(game.key, ines)
    assert not Seat.objects.kept_for(tobias).exists()
    assert again.seats.free_for_anybody().count() == 1


def open_match(opener: User, *, is_public: bool = True) -> DuplicateMatch:
    return duplicates.open_match(opener, 2, 2, pace=Game.Pace.SLOW, is_public=is_public)


def test_who_may_not_play_in_public_leaves_public_matches() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    mine, own = open_match(tobias), open_match(tobias, is_public=False)
    joined, private, invited = open_match(ines), open_match(ines, is_public=False), open_match(ines)
    duplicates.invite(invited.key, ines, tobias, lambda _match: None)
    for match in (joined, private, invited):
        duplicates.enter(match.key, tobias)
    act(tobias, Measure.Kind.NO_PUBLIC_TABLES)
    assert not DuplicateMatch.objects.filter(pk=mine.pk).exists()
    left = DuplicateEntry.objects.filter(user=tobias).values_list("match", flat=True)
    assert set(left) == {own.pk, private.pk, invited.pk}


def test_who_may_not_play_in_public_offers_and_takes_no_public_seat(game: Game) -> None:
    Game.objects.update(is_public=True)
    tobias, noor, halley = mover(game), person("Noor"), person("Halley")
    other = game_of(noor, halley)
    Game.objects.filter(pk=other.pk).update(is_public=True)
    hand_overs.offer(game.key, tobias, is_public=True)
    hand_overs.offer(other.key, noor, is_public=True)
    hand_overs.take(SeatOffer.objects.get(offered_by=noor).key, tobias)
    act(tobias, Measure.Kind.NO_PUBLIC_TABLES)
    [left] = SeatOffer.objects.running()
    assert (left.offered_by, left.taker) == (noor, None), "others can take it"
    for is_listed, is_taken in ((True, False), (False, True)):
        Game.objects.filter(pk=other.pk).update(is_public=is_listed)
        SeatOffer.objects.all().delete()
        hand_overs.offer(other.key, noor, is_public=False)
        by_link = SeatOffer.objects.get()
        with nullcontext() if is_taken else pytest.raises(Conflict, match="can't play at public tables"):
            hand_overs.take(by_link.key, tobias)
        assert SeatOffer.objects.filter(taker=tobias).exists() == is_taken


def test_a_suspension_is_stored_with_all_that_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a crash leaves no suspended person at a table."""
    tobias = person("Tobias")
    monkeypatch.setattr(tables, "leave_what_waits", Mock(side_effect=ZeroDivisionError))
    with pytest.raises(ZeroDivisionError):
        act(tobias)
    assert not Measure.objects.exists()
    assert Report.objects.open().exists()


def sign_up(address: str) -> bool:
    """Sign up with an address; return whether there is an account with it then."""
    fields = {"username": "Moonlight", "email": address, "password1": "moon-and-stars-17"}
    Client().post("/account/signup/", fields)
    return EmailAddress.objects.filter(email=address).exists()


def remove(user: User) -> None:
    deletion.delete(user)
    remove_account(user.pk)


def test_a_deletion_does_not_end_a_suspension() -> None:
    tobias = person("Tobias")
    act(tobias)
    remove(tobias)
    assert not User.objects.filter(username="Tobias").exists()
    assert not sign_up("Tobias@Example.org")
    assert not sign_up("tobias+moon@example.org")
    for path in ("/account/password/reset/", "/account/login/code/"):
        asked = Client().post(path, {"email": "tobias@example.org"})
        assert asked.status_code == 302, "nobody learns there who was suspended"
    assert "tobias" not in "".join(BarredAddress.objects.values_list("mark", flat=True))
    BarredAddress.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert sign_up("tobias@example.org")
    pruning.prune()
    assert not BarredAddress.objects.exists()


def test_an_address_that_was_never_confirmed_is_not_barred() -> None:
    """It may be that of somebody else."""
    tobias = person("Tobias", confirmed=False)
    act(tobias)
    remove(tobias)
    assert sign_up("tobias@example.org")


def test_who_has_reported_a_removed_person_learns_that_there_is_nothing_to_decide() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    reports.report(ines, tobias, Report.About.PLAYER)
    AccountMail.objects.all().delete()
    remove(tobias)
    assert "The person has no account any more" in AccountMail.objects.get(address=ines.email).text
    assert "The person has no account any more" in client_of(ines).get("/account/reports/").text


def test_reports_about_a_removed_person_stay_with_the_name_for_a_year() -> None:
    ines, tobias, noor, vera = person("Ines"), person("Tobias"), person("Noor"), moderator()
    dismissed = reports.report(ines, tobias, Report.About.PLAYER)
    decisions.dismiss(dismissed.pk, vera)
    waiting, other = (reports.report(ines, user, Report.About.NAME) for user in (tobias, noor))
    remove(tobias)
    remove(noor)
    client = client_of(vera)
    assert "Tobias" not in client.get("/moderation/").text
    for report in (dismissed, waiting, other):
        page = client.get(f"/moderation/reports/{report.pk}/")
        assert ("Noor" if report == other else "Tobias") in page.text
        assert "The account was removed" in page.text
        assert "Reported by" in page.text
        assert client.post(page.wsgi_request.path, {"kind": "dismiss"}).status_code in (400, 409)
    assert len(case_of(Report.objects.get(pk=waiting.pk), vera).reports) == 1
    for ago, number in ((timedelta(days=364), 3), (timedelta(days=366), 0)):
        Report.objects.update(decided_at=timezone.now() - ago)
        pruning.prune()
        assert Report.objects.count() == number
