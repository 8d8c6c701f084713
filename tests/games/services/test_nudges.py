"""Nudges: once a day, a player asks another who has not moved for a day to move."""

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.models import Game, Kind, Notification, Seat, Vacation
from games.notifications import delivery
from games.services.play import play_for_bot
from games.shown.clocks import format_deadline
from tests.clients import client_of, without_marks
from tests.frozen import FrozenClock
from tests.play import fresh, game_of, legal_action, move_deadline, mover, person, play_one

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(clock: FrozenClock) -> Game:
    """A game of three that has waited for a day and an hour."""
    game = game_of(person("Ines"), person("Tobias"), person("Mina"))
    play_one(game)
    clock.move_on(hours=25)
    Notification.objects.update(sent_at=clock.now)  # the email about the turn
    return fresh(game)


def others(game: Game) -> list[User]:
    return [seat.user for seat in game.seats.select_related("user") if seat.user and seat.user != mover(game)]


def press(game: Game, user: User) -> str:
    """Press the button of the page as `user`, and return the page that follows."""
    client = client_of(user)
    assert f'action="/g/{game.key}/nudge/"' in client.get(game.get_absolute_url()).text
    return client.post(f"/g/{game.key}/nudge/", follow=True).text


def post(game: Game, user: User) -> str:
    return client_of(user).post(f"/g/{game.key}/nudge/", follow=True).text


def deliver_all() -> None:
    Seat.objects.update(seen_at=None)
    for pk in Notification.objects.pending().filter(kind=Kind.NUDGE).values_list("pk", flat=True):
        delivery.deliver(pk)


def test_one_press_sends_one_email(game: Game) -> None:
    slow, sender = mover(game), others(game)[0]
    page = press(game, sender)
    assert f"{slow.username} gets a notification from you." in page
    assert f"{slow.username} was nudged" in without_marks(page)
    assert "The next nudge is possible from " in page
    deliver_all()
    deliver_all()
    [sent] = mail.outbox
    assert sent.to == [f"{slow.username} <{slow.email}>"]
    assert sent.subject == f"{sender.username} asks you to move"
    assert "has waited for you since" in sent.body


def test_the_next_nudge_is_possible_a_day_later_by_anybody(game: Game, clock: FrozenClock) -> None:
    slow, (one, other) = mover(game), others(game)
    press(game, one)
    clock.move_on(hours=23)
    assert "once a day" in post(game, other)
    clock.move_on(hours=2)
    press(game, other)
    deliver_all()
    # Both are pending, and one message has both.
    assert Notification.objects.filter(user=slow, kind=Kind.NUDGE).exclude(sent_at=None).count() == 2
    assert len(mail.outbox) == 1


def test_nobody_nudges_within_a_day(clock: FrozenClock) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    [other] = others(game)
    clock.move_on(hours=23)
    assert "/nudge/" not in client_of(other).get(game.get_absolute_url()).text
    assert "once a day, after a day of waiting" in post(game, other)
    assert not game.nudges.exists()


@pytest.mark.parametrize("page", ["", "text/"])
def test_the_page_says_when_a_nudge_becomes_possible(clock: FrozenClock, page: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    [other] = others(game)
    start = format_deadline(clock.now + timedelta(days=1), ZoneInfo("UTC"))
    sentence = f"You can nudge {mover(game).username} from {start} (UTC)."

    def shown_to(user: User) -> str:
        return without_marks(client_of(user).get(f"{game.get_absolute_url()}{page}").text)

    clock.move_on(hours=1)
    assert "nudge" not in shown_to(other), "the game has just begun to wait"
    clock.move_on(hours=22)
    assert sentence in shown_to(other)
    assert sentence not in shown_to(mover(game))
    game.seats.filter(number=fresh(game).to_move).update(clock_started_at=clock.now)
    move_deadline(game, clock.now + timedelta(minutes=10))
    assert sentence not in shown_to(other), "the player is out of time before"


def test_a_visitor_has_no_button_even_if_a_bot_plays(clock: FrozenClock, client: Client) -> None:
    game = game_of(person("Ines"), person("Tobias"), bots=("easy",))
    while fresh(game).seats.get(number=fresh(game).to_move).bot:
        play_for_bot(game.pk, legal_action(game), fresh(game).version + 1)
    clock.move_on(hours=25)
    assert "/nudge/" in client_of(others(game)[0]).get(game.get_absolute_url()).text
    assert "/nudge/" not in client.get(game.get_absolute_url()).text


def test_only_other_players_nudge(game: Game, client: Client) -> None:
    for user in (mover(game), person("Noor")):
        assert "/nudge/" not in client_of(user).get(game.get_absolute_url()).text
        post(game, user)
    assert client.post(f"/g/{game.key}/nudge/").url.startswith("/account/login/")
    assert not game.nudges.exists()


def test_nobody_nudges_a_player_on_vacation(game: Game, clock: FrozenClock) -> None:
    end = clock.now + timedelta(days=2)
    away = Vacation(user=mover(game), starts_at=clock.now, ends_at=end, time_zone="UTC")
    away.save()
    post(game, others(game)[0])
    assert not game.nudges.exists()
    clock.move_on(days=2)
    press(game, others(game)[0])


def test_a_nudge_whose_turn_is_over_is_not_sent(game: Game, clock: FrozenClock) -> None:
    press(game, others(game)[0])
    clock.move_on(minutes=1)
    play_one(game)
    deliver_all()
    assert not mail.outbox
    assert Notification.objects.get(kind=Kind.NUDGE).why_dropped == "turn over"


def test_a_player_turns_nudges_off(game: Game) -> None:
    client_of(mover(game)).post("/account/notifications/", {"digest_hour": "7", "turn": "mail"})
    press(game, others(game)[0])
    deliver_all()
    assert not mail.outbox


def test_the_text_mode_has_the_button_too(game: Game) -> None:
    client = client_of(others(game)[0])
    assert "/nudge/" in client.get(f"/g/{game.key}/text/").text
    response = client.post(f"/g/{game.key}/nudge/", {"text": ""})
    assert response.url == f"/g/{game.key}/text/"


def test_a_nudge_after_one_that_was_deleted_with_an_account_is_sent(game: Game, clock: FrozenClock) -> None:
    slow, (one, other) = mover(game), others(game)
    press(game, one)
    game.nudges.all().delete()  # as with the account of a player who was nudged
    press(game, other)
    assert Notification.objects.filter(user=slow, kind=Kind.NUDGE).count() == 2
