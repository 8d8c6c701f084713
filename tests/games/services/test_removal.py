"""Guests who do not visit any more and deleted accounts are removed, and nobody waits for them."""

import re
import uuid
from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.utils import timezone

from accounts import deletion, outbox
from accounts.guests import KEPT
from accounts.models import AccountMail, PastMail, User
from games.models import Channel, Game, Kind, Notification, Seat
from games.notifications.delivery import write_message
from games.services import invitations, tables
from games.services.talk import chat
from games.tasks import prune, remove_account
from tests.clients import client_of, confirm_password
from tests.play import fresh, game_of, mover, person, play_out, play_some, solo_of, turn_mail

pytestmark = pytest.mark.django_db


def guest(name: str, age: timedelta) -> User:
    """Return a guest whose last visit was so long ago."""
    return User.objects.create_user(name, is_guest=True, last_login=timezone.now() - age)


@pytest.fixture
def amber() -> User:
    """A guest whom the next run removes."""
    return guest("Amber-Comet", KEPT + timedelta(days=2))


@pytest.mark.databases
def test_only_guests_who_do_not_visit_any_more_are_removed(amber: User) -> None:
    misty = guest("Misty-Moon", KEPT - timedelta(days=1))
    ines = person("Ines")
    User.objects.filter(pk=ines.pk).update(last_login=timezone.now() - timedelta(days=400))
    prune()
    assert set(User.objects.all()) == {misty, ines}


def test_a_removed_guest_resigns_running_games(amber: User) -> None:
    ines, noor = person("Ines"), person("Noor")
    games = [game_of(amber, ines), game_of(ines, amber, noor), solo_of(amber)]
    prune()
    duel, three, solo = map(fresh, games)
    assert (duel.status, duel.winner) == (Game.Status.OVER, 1)
    assert three.is_running
    assert three.seats.get(number=1).has_left
    assert (solo.status, solo.score) == (Game.Status.OVER, None)
    assert not User.objects.filter(is_guest=True).exists()


def test_a_removed_guest_leaves_open_tables(amber: User) -> None:
    tables.open_table(amber, tables.TableOptions(2))
    ines = person("Ines")
    other = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    tables.join(other.key, amber)
    prune()
    assert list(Game.objects.all()) == [other]
    assert [seat.user for seat in other.seats.all()] == [ines, None, None]
    assert [seat.is_free for seat in other.seats.all()] == [False, True, True]


def test_a_finished_game_of_a_removed_guest_still_shows(amber: User) -> None:
    ines = person("Ines")
    game = play_out(game_of(ines, amber))
    assert 'href="/people/Amber-Comet/"' in client_of(ines).get(game.get_absolute_url()).text
    prune()
    for path in (game.get_absolute_url(), "/", f"{game.get_absolute_url()}text/", "/people/Ines/"):
        page = client_of(ines).get(path)
        assert page.status_code == 200
        assert "Amber-Comet" not in page.text
        assert "/people/former" not in page.text
    assert "former player" in client_of(ines).get(game.get_absolute_url()).text


PAGE = "/account/settings/delete/"


def delete(user: User) -> None:
    """Delete an account on its page, and remove it a week later, as a worker does."""
    client = client_of(user)
    confirm_password(client)
    assert client.post(PAGE, {"username": user.username}).url == "/"
    User.objects.filter(pk=user.pk).update(removal_due_at=timezone.now())
    remove_account(user.pk)


def test_an_account_without_a_confirmed_address_is_deleted_immediately() -> None:
    ines = person("Ines", confirmed=False)
    client = client_of(ines)
    assert PAGE in client.get("/account/settings/").text
    asked = client.post(PAGE, {"username": "Ines"})
    assert asked.url.startswith("/account/reauthenticate/"), "nobody deletes it at a browser left open"
    remove_account(ines.pk)
    assert User.objects.get(pk=ines.pk).is_active

    confirm_password(client)
    assert "former player" in client.get(PAGE).text
    for wrong in ({}, {"username": ""}, {"username": "Tobias"}):
        refused = client.post(PAGE, wrong)
        assert refused.status_code == 400
        assert "errorlist" in refused.text
    other = client_of(ines)
    deleted = client.post(PAGE, {"username": "Ines"}, follow=True)
    assert "Your account is deleted." in deleted.text
    assert other.get("/account/settings/").status_code == 302, "every browser is logged out"
    assert client.post(PAGE, {"username": "Ines"}).url.startswith("/account/login/")
    assert deletion.due_ids() == [ines.pk], "the sweep finds it if the task is lost"
    for _twice in range(2):
        remove_account(ines.pk)
    assert not User.objects.filter(pk=ines.pk).exists()
    assert person("Ines").pk != ines.pk, "others can have the name and the address"


@pytest.mark.parametrize("wrong", [{}, {"username": ""}, {"username": "Ines"}])
def test_no_press_deletes_an_account_without_a_password_by_accident(
    amber: User, wrong: dict[str, str]
) -> None:
    client = client_of(amber)
    assert 'name="password"' not in client.get(PAGE).text
    refused = client.post(PAGE, wrong)
    assert refused.status_code == 400
    assert "errorlist" in refused.text
    assert User.objects.get(pk=amber.pk).is_active


def test_a_guest_deletes_their_name_and_games_by_entering_the_name(amber: User) -> None:
    game = game_of(amber, person("Ines"))
    assert client_of(amber).post(PAGE, {"username": "amber-comet "}).url == "/"
    remove_account(amber.pk)
    assert fresh(game).winner == 1
    assert not User.objects.filter(pk=amber.pk).exists()


def test_an_account_made_by_email_is_deleted_by_entering_its_name() -> None:
    tobias = person("Tobias")
    tobias.set_unusable_password()
    tobias.save()
    client = client_of(tobias)
    assert client.post(PAGE, {}).status_code == 400
    assert client.post(PAGE, {"username": "Tobias"}).url == "/"
    assert User.objects.get(pk=tobias.pk).removal_due_at is not None


@pytest.mark.databases
def test_a_deleted_account_leaves_its_games_and_keeps_nothing_private() -> None:
    ines, tobias, noor = map(person, ("Ines", "Tobias", "Noor"))
    over = play_out(game_of(ines, tobias))
    duel, three, solo = game_of(ines, tobias), game_of(tobias, ines, noor), solo_of(ines)
    own = tables.open_table(ines, tables.TableOptions(3))
    joined = tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow"))
    tables.join(joined.key, ines)
    invited = tables.open_table(tobias, tables.TableOptions(2))
    invitations.invite(invited.key, tobias, ines)
    for _mail in range(2):
        outbox.owe("ines@example.org", "Confirm", "a secret link")
    outbox.deliver(outbox.due_ids()[0])
    chat.write(over.key, tobias, "Well played, and see you soon!", uuid.uuid4())
    chat.write(over.key, ines, "Thanks, bye!", uuid.uuid4())
    assert PastMail.objects.get().is_sent
    number = fresh(three).version + 1
    Notification.objects.all().delete()
    delete(ines)

    assert (fresh(duel).winner, fresh(three).is_running, fresh(solo).is_over) == (1, True, True)
    assert three.seats.get(number=1).has_left
    assert not Game.objects.filter(pk=own.pk).exists()
    assert [seat.user for seat in joined.seats.order_by("number")] == [tobias, None, None]
    assert invited.seats.get(number=1).has_declined
    assert not AccountMail.objects.filter(address="ines@example.org").exists()
    assert not PastMail.objects.filter(address="ines@example.org").exists()
    assert not EmailAddress.objects.filter(email="ines@example.org").exists()
    assert not Notification.objects.filter(user=None).exists()
    kinds = {(one.user, one.game, one.kind) for one in Notification.objects.all()}
    assert (tobias, duel, Kind.OVER) in kinds
    assert {tobias, noor} == {user for user, game, kind in kinds if game == three}
    assert {kind for _user, game, kind in kinds if game == three} <= {Kind.LEFT, Kind.TURN}
    for game in (over, duel, three, joined, invited):
        page = client_of(tobias).get(game.get_absolute_url())
        assert page.status_code == 200
        assert "Ines" not in page.text
    assert "former player" in client_of(tobias).get(over.get_absolute_url()).text
    assert three.actions.get(number=number).made_by is None
    assert client_of(tobias).get("/people/Ines/").status_code == 404
    for command in ("rebuild_games", "rebuild_standings", "rebuild_ratings"):
        call_command(command, "--check", stdout=StringIO())


def test_those_who_play_on_read_who_left() -> None:
    ines, tobias, noor = map(person, ("Ines", "Tobias", "Noor"))
    game = game_of(tobias, ines, noor)
    Notification.objects.all().delete()
    delete(ines)
    Seat.objects.update(seen_at=None)
    mails = [write_message([one]) for one in Notification.objects.filter(game=game)]
    left = [one for one in mails if "left" in one.subject]
    assert left
    for one in mails:
        assert "Ines" not in one.text + one.html
    for one in left:
        assert one.subject.startswith("A player has left the site and your game with ")
        assert "former player" not in one.text + one.html


@pytest.mark.databases
def test_an_account_stays_until_all_its_games_can_be_left(monkeypatch: pytest.MonkeyPatch) -> None:
    ines = person("Ines")
    game = game_of(ines, person("Tobias"))
    Game.objects.filter(pk=game.pk).update(rules_version=99)
    delete(ines)
    assert not User.objects.get(pk=ines.pk).is_active
    assert deletion.due_ids() == [], "the next try is an hour later"
    Game.objects.filter(pk=game.pk).update(rules_version=game.rules_version)
    User.objects.update(removal_due_at=timezone.now())
    remove_account(ines.pk)
    assert fresh(game).is_over
    assert not User.objects.filter(pk=ines.pk).exists()


def test_mails_about_a_game_with_a_deleted_account_name_a_former_player() -> None:
    ines, tobias, noor = map(person, ("Ines", "Tobias", "Noor"))
    game = play_some(game_of(ines, tobias, noor), 6)
    delete(tobias)
    assert "a former player" in client_of(ines).get("/").text
    others = [one for one in ("Ines", "Noor") if one != mover(game).username]
    message = turn_mail(fresh(game), mover(game))
    names = {"Your turn against a former player and %s", "Your turn against %s and a former player"}
    assert message.subject in {words % others[0] for words in names}
    assert re.search("^- A former player (took|resigned)", message.body, re.MULTILINE)
    assert re.search("^- a former player: ", message.body, re.MULTILINE)


def test_the_mail_about_the_end_says_that_a_former_player_won() -> None:
    ines, tobias = map(person, ("Ines", "Tobias"))
    game = play_out(game_of(ines, tobias))
    loser, winner = (game.seats.filter(**by).get().user for by in ({"rank": 2}, {"rank": 1}))
    Seat.objects.update(seen_at=None)
    delete(winner)
    owed = Notification.objects.get(game=game, user=loser, kind=Kind.OVER, channel=Channel.MAIL)
    assert write_message([owed]).subject == "A former player won against you"
