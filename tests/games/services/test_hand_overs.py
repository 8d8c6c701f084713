"""What goes with a seat that changes hands, and what the other players learn of it."""

import uuid
from datetime import time, timedelta
from email.message import EmailMessage
from io import StringIO
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Attendance, Game, Kind, Notification, Plan, Seat
from games.notifications import delivery
from games.notifications.replies import receive
from games.novaluna.engine import Resign
from games.queries.mail_links import MailTurn, move_url, reply_address_for
from games.services import hand_overs, plans, seat_changes, tables
from games.services.calendars import choose_hours
from games.services.errors import Conflict, NotSeated
from games.services.play import play
from games.services.talk import nudges
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import fresh, hand_over, legal_action, mover, person, play_one

pytestmark = pytest.mark.django_db


def game_of_people(*names: str, pace: str = "") -> Game:
    opener, *others = [person(name) for name in names]
    game = tables.open_table(opener, tables.TableOptions(len(names), is_public=bool(pace), pace=pace))
    for user in others:
        tables.join(game.key, user)
    Notification.objects.all().delete()
    return fresh(game)


def offer(game: Game, user: User) -> str:
    """Offer the seat of `user`, and return the key of the offer."""
    hand_overs.offer(game.key, user, is_public=False)
    return game.seat_offers.latest("pk").key


def assert_projections_are_right() -> None:
    out = StringIO()
    call_command("rebuild_games", "--check", stdout=out)
    assert " 0 differ " in out.getvalue()


def deliver() -> dict[str, list[str]]:
    """Deliver what is owed about seats twice, as if nobody had a page open; return subjects by name."""
    Seat.objects.update(seen_at=None)
    for one in [*Notification.objects.filter(kind=Kind.SEAT)] * 2:
        delivery.deliver(one.pk)
    subjects: dict[str, list[str]] = {}
    for sent in mail.outbox:
        subjects.setdefault(sent.to[0].split()[0], []).append(sent.subject)
    mail.outbox.clear()
    return subjects


def test_the_others_learn_of_an_offer_and_again_of_its_taker(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", "Mina", pace="day")
    key = offer(game, User.objects.get(username="Ines"))
    assert deliver() == {name: ["Ines offers their seat"] for name in ("Tobias", "Mina")}
    hand_overs.take(key, person("Noor"))
    assert deliver() == {name: ["Noor wants to take over the seat of Ines"] for name in ("Tobias", "Mina")}
    clock.move_on(days=1)
    hand_overs.finish(game.seat_offers.get().pk)
    assert "Noor" in {seat.name for seat in game.seats.select_related("user")}
    assert deliver().keys() <= {"Noor"}


def test_the_email_about_a_taken_seat_names_the_game(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="day")
    key = offer(game, User.objects.get(username="Ines"))
    hand_overs.take(key, person("Noor"))
    Seat.objects.update(seen_at=None)
    delivery.deliver(Notification.objects.filter(kind=Kind.SEAT).latest("pk").pk)
    assert "You play against Ines. The seat changes hands on" in mail.outbox[-1].body


def test_an_offer_that_is_taken_immediately_makes_one_email_each(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="day")
    hand_overs.take(offer(game, User.objects.get(username="Ines")), person("Noor"))
    assert deliver() == {"Tobias": ["Noor wants to take over the seat of Ines"]}


def test_a_withdrawn_offer_makes_no_email() -> None:
    game = game_of_people("Ines", "Tobias")
    offer(game, User.objects.get(username="Ines"))
    hand_overs.withdraw(game.key, User.objects.get(username="Ines"))
    assert deliver() == {}
    assert {*Notification.objects.values_list("why_dropped", flat=True)} == {"offer over"}


def test_emails_name_the_end_of_the_time_to_object_in_the_zone_of_the_reader(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias")
    User.objects.filter(username="Tobias").update(time_zone="Asia/Tokyo")
    hand_overs.take(offer(game, User.objects.get(username="Ines")), person("Noor"))
    Seat.objects.update(seen_at=None)
    delivery.deliver(Notification.objects.get(kind=Kind.SEAT).pk)
    assert "The seat changes hands on Tue 2 Jun, 21:00 (Asia/Tokyo)." in mail.outbox[0].body, (
        "at noon in London"
    )


def test_a_seat_changes_hands_twice_within_a_turn(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="live")
    first, noor = mover(game), person("Noor")
    hand_over(game, first, noor)
    clock.move_on(minutes=1)
    hand_over(game, noor, first)
    clock.move_on(minutes=1)
    hand_over(game, first, noor)
    assert mover(game) == noor
    turns = Notification.objects.pending().filter(kind=Kind.TURN)
    assert [one.user for one in turns] == [noor]


def test_who_was_notified_of_an_offer_can_leave_and_take_that_seat(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", "Mina", pace="day")
    first = mover(game)
    ines, tobias = game.seats.exclude(user=first).select_related("user")
    assert ines.user
    assert tobias.user
    key = offer(game, ines.user)
    assert tobias.user.username in deliver()
    hand_overs.take(offer(game, tobias.user), person("Noor"))
    clock.move_on(days=1)
    hand_overs.finish(game.seat_offers.get(seat=tobias.number).pk)
    hand_overs.take(key, tobias.user)
    deliver()
    clock.move_on(days=1)
    hand_overs.finish(game.seat_offers.get(key=key).pk)
    assert fresh(game).seats.get(number=ines.number).user == tobias.user
    assert tobias.user.username in deliver()
    offered = game.seat_offers.get(key=key)
    about = Notification.objects.filter(user=tobias.user, kind=Kind.SEAT, version=offered.pk)
    assert about.exclude(sent_at=None).count() == 2, "what was sent stays in the list"


def test_the_clock_of_the_new_player_follows_their_hours(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="day")
    noor = person("Noor")
    choose_hours(noor, Hours(ZoneInfo("UTC"), Sleep(time(22), time(7))))
    hand_over(game, mover(game), noor)
    assert_projections_are_right()


def test_the_answer_of_the_new_player_counts_from_when_they_got_the_seat(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="live")
    first, noor = mover(game), person("Noor")
    clock.move_on(minutes=9)
    hand_over(game, first, noor)
    clock.move_on(minutes=2)
    while mover(game) == noor:
        play_one(game)
    play(game.key, noor, Resign(0), fresh(game).version + 1, uuid.uuid4())
    assert Attendance.objects.get(user=noor).answers == [120]
    assert Attendance.objects.get(user=first).answers == []
    assert_projections_are_right()


def test_nobody_nudges_the_new_player_within_a_day(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias")
    first, noor = mover(game), person("Noor")
    other = User.objects.get(username="Tobias" if first.username == "Ines" else "Ines")
    hand_overs.take(offer(game, first), noor)
    clock.move_on(days=3)
    hand_overs.finish(game.seat_offers.get().pk)
    assert mover(game) == noor
    clock.move_on(hours=23)
    with pytest.raises(Conflict, match="after a day of waiting"):
        nudges.nudge(game.key, other)
    assert "/nudge/" not in client_of(other).get(game.get_absolute_url()).text
    clock.move_on(hours=1)
    assert [nudge.user for nudge in nudges.nudge(game.key, other)] == [noor]


def test_old_links_and_reply_addresses_of_the_former_player_do_nothing(
    clock: FrozenClock, settings: Settings
) -> None:
    game = game_of_people("Ines", "Tobias", pace="live")
    first = mover(game)
    turn = MailTurn(game, first, game.seats.get(user=first).number, 1)
    path = move_url(turn, "take 1").removeprefix(settings.SITE_URL)
    assert "Confirm" in Client().get(path).text
    hand_over(game, first, person("Noor"))
    assert "Confirm" not in Client().get(path).text
    for client in (Client(), client_of(first)):
        assert client.post(path).status_code >= 400
    reply = EmailMessage()
    reply["From"], reply["Message-ID"] = first.email, "<1@example.org>"
    for text in ("take 1", "plan: take 1", "resign"):
        reply.set_content(text)
        receive(bytes(reply), reply_address_for(turn), first.email)
    assert (fresh(game).version, Plan.objects.count()) == (0, 0)
    assert not game.seats.filter(has_left=True).exists()


def test_a_plan_does_not_go_with_the_seat(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="live")
    waiting = game.seats.exclude(user=mover(game)).get().user
    assert waiting is not None
    plans.change(game.key, waiting, [legal_action(game)], 1, False)
    assert Plan.objects.exists()
    Seat.objects.filter(user=waiting).update(planned_number=1)
    hand_over(game, waiting, person("Noor"))
    assert not Plan.objects.exists()
    assert game.seats.get(user__username="Noor").planned_number is None, "nor what an earlier one has made"


def test_a_live_game_goes_on_with_the_time_that_is_left(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="live")
    first, noor = mover(game), person("Noor")
    key = offer(game, first)
    words = "You start with what is left of the clock."
    assert words in client_of(noor).get(f"/seats/{key}/").text
    clock.move_on(minutes=9)
    hand_overs.take(key, noor)
    assert fresh(game).deadline == clock.now + timedelta(minutes=1)
    clock.move_on(seconds=20)
    hand_over(game, noor, first)
    assert fresh(game).deadline == clock.now + timedelta(seconds=40)
    assert_projections_are_right()
    play_one(fresh(game))
    assert_projections_are_right()


def test_a_slow_game_goes_on_with_a_full_bank(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="day")
    first, noor = mover(game), person("Noor")
    key = offer(game, first)
    assert "You start with a full clock." in client_of(noor).get(f"/seats/{key}/").text
    hand_overs.take(key, noor)
    game.seat_offers.update(taken_at=clock.now)
    User.objects.filter(pk=first.pk).update(automatic_vacation=True)
    clock.move_on(days=1)
    seat_changes.time_out(game.pk)
    hand_overs.finish(game.seat_offers.get().pk)
    assert fresh(game).deadline == clock.now + timedelta(days=1)
    assert_projections_are_right()


def test_a_rematch_is_between_those_who_finished_the_game(clock: FrozenClock) -> None:
    game = game_of_people("Ines", "Tobias", pace="live")
    first, noor = mover(game), person("Noor")
    other = game.seats.exclude(user=first).get().user
    hand_over(game, first, noor)
    play(game.key, noor, Resign(0), 1, uuid.uuid4())
    assert "Rematch" not in client_of(first).get(game.get_absolute_url()).text
    with pytest.raises(NotSeated):
        tables.rematch(game.key, first)
    rematch = tables.rematch(game.key, noor)
    assert {seat.invited for seat in rematch.seats.all()} - {None} == {other}


@pytest.mark.parametrize("is_public", [True, False])
def test_a_seat_that_is_given_up_is_offered_to_the_same_people_again(is_public: bool) -> None:
    game = game_of_people("Ines", "Tobias", "Mina", pace="day")
    hand_overs.offer(game.key, mover(game), is_public=is_public)
    first, noor = game.seat_offers.get(), person("Noor")
    hand_overs.take(first.key, noor)
    hand_overs.give_up(first.key, noor)
    assert game.seat_offers.exclude(pk=first.pk).get().is_public is is_public
