"""Rematches: the same people, seats and options once more, at most once for each finished game."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from accounts.models import User
from games.engine import Cancel
from games.models import Game, Kind, Notification, Seat
from games.notifications import delivery
from games.queries.mail_links import invitation_url
from games.services import pruning, tables
from games.services.errors import Conflict, NotSeated
from games.services.play import play_for_bot
from tests.clients import client_of
from tests.play import fresh, game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def ines() -> User:
    return person("Ines")


@pytest.fixture
def tobias() -> User:
    return person("Tobias")


@pytest.fixture
def finished(ines: User, tobias: User) -> Game:
    """A finished game of Ines, Tobias and a bot."""
    return end(game_of(ines, tobias, bots=("easy",), beginner=True, is_public=False))


def end(game: Game) -> Game:
    """End a game without playing it."""
    play_for_bot(game.pk, Cancel(), fresh(game).version + 1)
    return fresh(game)


def press(user: User, game: Game) -> Game:
    """Press the button on the page of a finished game, and return the rematch."""
    response = client_of(user).post(f"/g/{game.key}/rematch/")
    assert response.status_code == 302, response.text
    return Game.objects.get(rematch_of=game)


def test_a_rematch_has_the_same_people_seats_and_options(finished: Game, tobias: User) -> None:
    game = press(tobias, finished)
    assert (game.opened_by, game.seat_count, game.goal_discs, game.is_public) == (tobias, 3, 17, False)
    old, new = (list(one.seats.order_by("number")) for one in (finished, game))
    assert [(seat.bot, seat.bot_name) for seat in new] == [(seat.bot, seat.bot_name) for seat in old]
    assert [seat.user or seat.invited for seat in new] == [seat.user for seat in old]
    assert [seat.is_free for seat in new] == [seat.user not in (None, tobias) for seat in old]


def test_it_starts_when_everybody_has_accepted(finished: Game, ines: User, tobias: User) -> None:
    game = press(ines, finished)
    page = client_of(tobias).get(finished.get_absolute_url()).text
    assert "Ines offers a rematch" in page
    assert "Ines offers a rematch" in client_of(tobias).get("/").text

    response = client_of(tobias).post(f"/g/{game.key}/join/")
    assert response["Location"] == game.get_absolute_url()
    assert fresh(game).is_running


def test_the_button_of_another_player_accepts_the_same_rematch(
    finished: Game, ines: User, tobias: User
) -> None:
    assert press(ines, finished) == press(ines, finished)
    assert press(tobias, finished).is_running
    assert Game.objects.count() == 2


def test_a_declined_seat_is_free_for_anybody(finished: Game, ines: User, tobias: User) -> None:
    game, noor = press(ines, finished), person("Noor")
    with pytest.raises(Conflict):
        tables.join(game.key, noor)
    client_of(tobias).post(f"/g/{game.key}/decline/")
    assert "offers a rematch" not in client_of(tobias).get("/").text
    assert tables.join(game.key, noor).is_running


def add_one_bot(user: User, game: Game) -> None:
    """Press "Add one bot" on the page of a table."""
    page = client_of(user).get(game.get_absolute_url())
    button = re.search(r'name="seat" value="(\d+)"', page.text)
    assert button, page.text
    response = client_of(user).post(f"/g/{game.key}/bots/", {"level": "easy", "seat": button[1]})
    assert response.status_code == 302, response.text


def test_one_bot_takes_a_seat_that_is_kept_for_nobody_if_there_is_one(ines: User, tobias: User) -> None:
    olga = person("Olga")
    game = press(tobias, end(game_of(ines, tobias, olga)))
    tables.decline(game.key, olga)
    page = client_of(tobias).get(game.get_absolute_url())
    assert "also take the seats that are kept for Ines" in page.text
    add_one_bot(tobias, game)
    seats = game.seats.order_by("number")
    assert [(seat.user or seat.invited, seat.bot) for seat in seats] == [
        (ines, ""),
        (tobias, ""),
        (None, "easy"),
    ]


def test_one_bot_can_take_the_first_seat_of_a_rematch(ines: User, tobias: User) -> None:
    game = press(tobias, end(game_of(ines, tobias, person("Olga"))))
    add_one_bot(tobias, game)
    assert [seat.bot for seat in game.seats.order_by("number")] == ["easy", "", ""]
    assert not Game.objects.with_seat_kept_for(ines).exists()


def test_declining_without_an_invitation_changes_nothing(finished: Game, ines: User) -> None:
    game = press(ines, finished)
    changes = fresh(game).changes
    client_of(person("Noor")).post(f"/g/{game.key}/decline/")
    assert fresh(game).changes == changes
    assert fresh(game).seats.exclude(invited=None).count() == 1


def test_whoever_leaves_the_rematch_frees_the_seat(finished: Game, ines: User, tobias: User) -> None:
    Seat.objects.filter(game=finished, bot="easy").update(bot="", user=person("Mina"))
    game = press(ines, finished)
    tables.join(game.key, tobias)
    tables.leave(game.key, tobias)
    assert game.seats.free_for(person("Noor")).count() == 1


def test_a_game_against_bots_starts_immediately(ines: User) -> None:
    assert press(ines, end(game_of(ines, bots=("easy", "medium")))).is_running


def test_a_listed_rematch_is_shown_to_strangers_when_a_seat_is_free_for_them(
    ines: User, tobias: User
) -> None:
    game, noor = press(ines, end(game_of(ines, tobias))), client_of(person("Noor"))
    assert game.get_absolute_url() not in noor.get("/").text
    assert "Sit down and play" not in noor.get(game.get_absolute_url()).text
    tables.decline(game.key, tobias)
    assert game.get_absolute_url() in noor.get("/").text
    assert "Sit down and play" in noor.get(game.get_absolute_url()).text


def test_the_rematch_of_a_guest_is_not_listed(ines: User, tobias: User) -> None:
    finished = end(game_of(ines, tobias))
    User.objects.filter(pk=tobias.pk).update(is_guest=True)
    tobias.refresh_from_db()
    assert not press(tobias, finished).is_public


def test_nobody_is_invited_without_an_active_account(finished: Game, ines: User, tobias: User) -> None:
    User.objects.filter(pk=tobias.pk).update(is_active=False)
    game = press(ines, finished)
    assert [seat.invited for seat in game.seats.free()] == [None]


def test_only_players_of_finished_games_with_others_can_offer_one(
    finished: Game, ines: User, tobias: User
) -> None:
    for user, game, refusal in (
        (person("Noor"), finished, NotSeated),
        (ines, game_of(ines, tobias), Conflict),
        (ines, play_out(solo_of(ines)), Conflict),
    ):
        with pytest.raises(refusal):
            tables.rematch(game.key, user)
    assert not Game.objects.exclude(rematch_of=None).exists()


def test_a_closed_rematch_can_be_offered_again(finished: Game, ines: User, tobias: User) -> None:
    tables.close(press(ines, finished).key, ines)
    assert press(tobias, finished).opened_by == tobias


def test_open_pages_of_the_finished_game_update(finished: Game, ines: User, tobias: User) -> None:
    before = finished.live_version
    press(ines, finished)
    assert fresh(finished).live_version > before


def test_the_invited_person_gets_one_email(finished: Game, ines: User, tobias: User) -> None:
    press(ines, finished)
    [notification] = Notification.objects.filter(kind=Kind.INVITATION)
    for _attempt in range(2):
        delivery.deliver(notification.pk)
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == ([f"Tobias <{tobias.email}>"], "Ines offers you a rematch")
    assert invitation_url(Game.objects.get(rematch_of=finished), tobias) in sent.body


def test_an_answer_in_time_saves_the_email(finished: Game, ines: User, tobias: User) -> None:
    tables.join(press(ines, finished).key, tobias)
    notification = Notification.objects.get(kind=Kind.INVITATION)
    delivery.deliver(notification.pk)
    notification.refresh_from_db()
    assert (notification.sent_at, notification.why_dropped) == (None, "answered")


def test_a_seat_is_kept_for_a_week(finished: Game, ines: User) -> None:
    game = press(ines, finished)
    for age, kept in ((timedelta(days=6), 1), (timedelta(days=8), 0)):
        Game.objects.filter(pk=game.pk).update(opened_at=timezone.now() - age)
        pruning.prune()
        assert fresh(game).seats.exclude(invited=None).count() == kept


def test_an_unanswered_rematch_is_removed_as_every_unused_table(finished: Game, tobias: User) -> None:
    """Its owner has the seat of the finished game, which may not be the first."""
    game, long_ago = press(tobias, finished), timezone.now() - timedelta(days=60)
    Game.objects.filter(pk=game.pk).update(opened_at=long_ago)
    game.seats.filter(user=tobias).update(seen_at=long_ago)
    pruning.prune()
    Notification.objects.filter(kind=Kind.TABLE).update(created_at=long_ago + timedelta(days=30))
    pruning.prune()
    assert not Game.objects.filter(pk=game.pk).exists()
    assert fresh(finished).is_over
