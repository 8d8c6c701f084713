"""Rematches: the same people, seats and options once more, at most once for each finished game."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Game, Kind, Notification, Seat
from games.notifications import delivery
from games.queries.mail_links import invitation_url
from games.services import pruning, tables
from games.services.errors import Conflict, NotSeated
from tests.clients import HTMX, client_of, without_marks
from tests.play import cancel_game, fresh, game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(ines: User, tobias: User) -> Game:
    """A finished game of Ines, Tobias and a bot."""
    return cancel_game(game_of(ines, tobias, bots=("easy",), beginner=True, is_public=False))


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
    pages = [without_marks(client_of(tobias).get(path).text) for path in (finished.get_absolute_url(), "/")]
    assert all("Ines offers a rematch" in page for page in pages)
    assert "<title>Rematch offered ·" in pages[0]

    response = client_of(tobias).post(f"/g/{game.key}/join/")
    assert response["Location"] == game.get_absolute_url()
    assert fresh(game).is_running


def on_board(user: User, path: str) -> HttpResponse:
    """Press a button on the board of the finished game."""
    return client_of(user).post(path, headers=HTMX)


def test_players_stay_on_the_finished_board_until_the_rematch_starts(ines: User, tobias: User) -> None:
    mina = person("Mina")
    finished = cancel_game(game_of(ines, tobias, mina))
    versions = [fresh(finished).live_version]
    board = without_marks(on_board(ines, f"/g/{finished.key}/rematch/").text)
    assert "<b>Rematch offered.</b> Waiting for Tobias and Mina." in board
    assert 'data-starts="waits"' in board
    game = Game.objects.get(rematch_of=finished)
    versions.append(fresh(finished).live_version)
    assert "Waiting for Mina." in without_marks(on_board(tobias, f"/g/{game.key}/join/").text)
    versions.append(fresh(finished).live_version)
    assert "You have declined the rematch." in on_board(mina, f"/g/{game.key}/decline/").text
    assert "Mina declined the rematch." in without_marks(
        client_of(ines).get(finished.get_absolute_url()).text
    )
    versions.append(fresh(finished).live_version)
    # Whose answer starts the game goes there, and the boards of the others lead to it.
    assert on_board(mina, f"/g/{game.key}/join/")["HX-Redirect"] == game.get_absolute_url()
    assert 'data-starts="now"' in client_of(ines).get(finished.get_absolute_url()).text
    versions.append(fresh(finished).live_version)
    assert versions == sorted({*versions}), "each answer updates the open boards"


def test_who_offers_a_rematch_can_withdraw_it_on_the_board(ines: User, tobias: User) -> None:
    finished = cancel_game(game_of(ines, tobias))
    for mode, button in (("", {}), ("text/", {"text": ""})):
        response = client_of(ines).post(f"/g/{finished.key}/rematch/", button)
        assert response["Location"] == f"{finished.get_absolute_url()}{mode}"
        page = without_marks(client_of(ines).get(response["Location"]).text)
        assert "<b>Rematch offered.</b> Waiting for Tobias." in page
        table = Game.objects.get(rematch_of=finished)
        assert "Withdraw" not in client_of(tobias).get(finished.get_absolute_url()).text
        assert "Rematch offered" not in on_board(ines, f"/g/{table.key}/close/").text
    assert not Game.objects.filter(rematch_of=finished).exists()
    refused = on_board(tobias, f"/g/{press(ines, finished).key}/close/")
    assert refused.status_code == 403
    assert "Only the person who opened this table" in refused.text
    assert "offers a rematch" in refused.text


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


def test_bots_take_only_seats_that_are_kept_for_nobody(ines: User, tobias: User) -> None:
    game = press(tobias, cancel_game(game_of(ines, tobias, person("Olga"), person("Noor"))))
    for name in ("Olga", "Noor"):
        tables.decline(game.key, User.objects.get(username=name))
    add_one_bot(tobias, game)
    assert [seat.bot for seat in game.seats.order_by("number")] == ["", "", "easy", ""]
    client_of(tobias).post(f"/g/{game.key}/bots/", {"level": "easy"})
    seats = [(seat.user or seat.invited, seat.bot) for seat in game.seats.order_by("number")]
    assert seats == [(ines, ""), (tobias, ""), (None, "easy"), (None, "easy")]
    # A later press finds no such seat.
    client_of(tobias).post(f"/g/{game.key}/bots/", {"level": "easy"})
    assert fresh(game).is_open


def test_a_listed_table_says_that_anybody_can_join_only_while_a_seat_is_free(
    ines: User, tobias: User
) -> None:
    game = press(tobias, cancel_game(game_of(ines, tobias)))
    Game.objects.filter(pk=game.pk).update(is_public=True)
    client = client_of(tobias)
    assert "others can join it" not in client.get(game.get_absolute_url()).text
    client_of(ines).post(f"/g/{game.key}/decline/")
    Game.objects.filter(pk=game.pk).update(is_public=True)
    assert "others can join it" in client.get(game.get_absolute_url()).text


def test_the_opener_can_give_a_kept_seat_to_a_bot(ines: User, tobias: User) -> None:
    game = press(tobias, cancel_game(game_of(ines, tobias, person("Olga"))))
    page = client_of(tobias).get(game.get_absolute_url()).text
    assert "free seat with" not in page
    button = re.search(
        r'name="seat" value="(\d)">\s+<span>Give a bot the seat kept for <\w+ translate="no">Ines', page
    )
    assert button, page
    client_of(tobias).post(f"/g/{game.key}/bots/", {"level": "easy", "seat": button[1]})
    assert [seat.bot for seat in game.seats.order_by("number")] == ["easy", "", ""]
    assert not Seat.objects.kept_for(ines).exists()
    assert Seat.objects.kept_for(User.objects.get(username="Olga")).exists()


def test_the_opener_sees_who_has_declined_and_that_the_seat_is_free(
    ines: User, tobias: User, client: Client
) -> None:
    game = press(tobias, cancel_game(game_of(ines, tobias, person("Olga"))))
    waiting = client_of(tobias).get(game.get_absolute_url()).text
    lobby = client_of(tobias).get("/").text
    assert "The game starts when everybody has accepted." in waiting
    assert "declined" not in waiting + lobby
    assert "Invite" not in waiting
    assert ">Invite<" not in lobby.replace("\n", "")
    before = fresh(game).live_version
    client_of(ines).post(f"/g/{game.key}/decline/")
    assert fresh(game).live_version < before, "open pages of a table follow smaller numbers"
    page = without_marks(client_of(tobias).get(game.get_absolute_url(), headers=HTMX).text)
    assert re.search(r"<b>\s*Ines declined\.\s*</b>", page)
    assert "1 seat is free, and Olga can still accept." in page
    assert "Free seat, because Ines declined" in page
    assert "Invite your friends" in page
    card = without_marks(client_of(tobias).get("/").text)
    assert "Rematch: waiting for Olga" in card
    assert "Ines declined · 1 seat free" in " ".join(card.split())
    # For a visitor, the seat that is kept is not free.
    invitation = without_marks(client.get(game.get_absolute_url()).text)
    assert "Tobias · one free seat · one kept for Olga" in " ".join(invitation.split())
    assert "declined" not in invitation


@pytest.mark.parametrize("mode", ["", "text/", "review/"])
def test_the_finished_game_says_who_has_declined_the_rematch(
    finished: Game, ines: User, tobias: User, client: Client, mode: str
) -> None:
    address = f"/g/{finished.key}/{mode}"
    game = press(ines, finished)
    assert "declined" not in client_of(ines).get(address).text
    assert "No other game" not in client_of(tobias).get(address).text, "this one waits for an answer"
    tables.decline(game.key, tobias)
    assert "Tobias declined the rematch." in without_marks(client_of(ines).get(address).text)
    assert "You have declined the rematch." in client_of(tobias).get(address).text
    texts = [client_of(tobias).get(page).text for page in (address, "/")]
    assert all("See the table" in text and "Go to the rematch" not in text for text in texts)
    assert "declined" not in client.get(address).text, "that is for the players only"


def test_who_has_declined_may_take_the_seat_back_while_it_is_free(
    ines: User, tobias: User, finished: Game
) -> None:
    game = press(ines, finished)
    tables.decline(game.key, tobias)
    assert "your seat is still free" in client_of(tobias).get(game.get_absolute_url()).text
    client_of(tobias).post(f"/g/{game.key}/join/")
    assert game.seats.get(user=tobias).number == finished.seats.get(user=tobias).number
    assert not game.seats.filter(has_declined=True).exists()


def test_who_has_declined_gets_no_seat_that_is_kept_for_another(ines: User, tobias: User) -> None:
    game = press(tobias, cancel_game(game_of(ines, tobias, person("Olga"))))
    tables.decline(game.key, ines)
    tables.join(game.key, person("Noor"))
    response = client_of(ines).post(f"/g/{game.key}/join/")
    assert response.status_code == 409
    assert "kept for other people" in response.text


def test_a_late_answer_says_what_is_so(finished: Game, ines: User, tobias: User) -> None:
    game, noor = press(ines, finished), person("Noor")

    def decline(user: User) -> tuple[int, str]:
        response = client_of(user).post(f"/g/{game.key}/decline/")
        return response.status_code, response.text

    changes = fresh(game).changes
    status, page = decline(noor)
    assert (status, fresh(game).changes) == (403, changes)
    assert "No seat at this table is kept for you" in page

    assert decline(tobias)[0] == decline(tobias)[0] == 302
    assert fresh(game).changes == changes + 1

    tables.join(game.key, tobias)
    status, page = decline(tobias)
    assert status == 409
    assert "because the game has started. To leave it, resign." in page
    status, page = decline(noor)
    assert status == 409
    assert "The game has started without you" in page
    assert fresh(game).seats.filter(user=tobias).exists()


def test_a_person_who_leaves_the_rematch_frees_the_seat(finished: Game, ines: User, tobias: User) -> None:
    Seat.objects.filter(game=finished, bot="easy").update(bot="", user=person("Mina"))
    game = press(ines, finished)
    tables.join(game.key, tobias)
    tables.leave(game.key, tobias)
    assert game.seats.free_for(person("Noor")).count() == 1


def test_a_game_against_bots_starts_immediately(ines: User) -> None:
    assert press(ines, cancel_game(game_of(ines, bots=("easy", "medium")))).is_running


def test_a_free_seat_of_a_rematch_is_only_for_people_with_the_link(ines: User, tobias: User) -> None:
    """After a decline, after a week without an answer, and if an opponent's account is not active."""
    declined, late, inactive = (game_of(ines, tobias, is_public=True) for _game in range(3))
    Game.objects.update(pace="slow")
    games = [press(ines, cancel_game(game)) for game in (declined, late)]
    noor = client_of(person("Noor"))
    assert all(game.is_public for game in games)
    assert "Join the table" not in noor.get(games[0].get_absolute_url()).text
    tables.decline(games[0].key, tobias)
    Game.objects.filter(pk=games[1].pk).update(opened_at=timezone.now() - timedelta(days=8))
    pruning.prune()
    User.objects.filter(pk=tobias.pk).update(is_active=False)
    games.append(press(ines, cancel_game(inactive)))
    lobby = noor.get("/").text
    for game in games:
        assert game.get_absolute_url() not in lobby
        assert "Join the table" in noor.get(game.get_absolute_url()).text


def test_the_rematch_of_an_old_listed_game_without_a_clock_is_not_listed(ines: User, tobias: User) -> None:
    finished = cancel_game(game_of(ines, tobias, is_public=True))
    game = press(ines, finished)
    assert (finished.is_public, game.is_public, game.pace) == (True, False, "")


def test_the_rematch_of_a_guest_is_not_listed(ines: User, tobias: User) -> None:
    finished = cancel_game(game_of(ines, tobias))
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


def test_closing_a_rematch_updates_the_finished_game(finished: Game, ines: User, tobias: User) -> None:
    game = press(ines, finished)
    before = fresh(finished).live_version
    assert client_of(ines).post(f"/g/{game.key}/close/").status_code == 302
    assert fresh(finished).live_version > before
    page = client_of(tobias).get(finished.get_absolute_url(), headers=HTMX).text
    assert f"/g/{finished.key}/rematch/" in page
    for answer in ("join", "decline"):
        response = client_of(tobias).post(f"/g/{game.key}/{answer}/")
        assert response.status_code == 404
        assert "The table was probably closed" in response.text
        assert "The table does not exist any more" in response.text


def test_the_table_says_which_game_it_follows(finished: Game, ines: User, tobias: User) -> None:
    game = press(ines, finished)
    link = f'href="{finished.get_absolute_url()}">the game with'
    page = client_of(ines).get(game.get_absolute_url()).text
    assert "Your rematch" in page
    assert re.search(f"{re.escape(link)} .*Tobias", page)
    # The finished game is not public: strangers do not get its address.
    tables.decline(game.key, tobias)
    assert finished.key not in client_of(person("Noor")).get(game.get_absolute_url()).text
    assert finished.key not in Client().get(game.get_absolute_url()).text


def test_a_table_of_a_deleted_opener_still_invites(finished: Game, ines: User, tobias: User) -> None:
    game = press(ines, finished)
    Game.objects.filter(pk=game.pk).update(opened_by=None)
    assert "A former player offers a rematch" in client_of(tobias).get("/").text
    tables.decline(game.key, tobias)
    page = client_of(person("Noor")).get(game.get_absolute_url()).text
    assert "You are invited to a game of Nova Luna" in page


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
    game.seats.exclude(joined_at=None).update(joined_at=long_ago)
    pruning.prune()
    Game.objects.filter(pk=game.pk).update(closes_at=timezone.now())
    pruning.prune()
    assert not Game.objects.filter(pk=game.pk).exists()
    assert fresh(finished).is_over
