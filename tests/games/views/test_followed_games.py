"""Games that a person follows without a seat: which ones, where they show, and when they no longer do."""

import re
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.models import Channel, FollowedGame, Game, Kind, Notification, Watch, wanted_channels
from games.notifications.registry import KINDS
from games.queries.mail_links import stop_url
from games.services.notifications import choose_channels
from games.tasks import prune
from tests.clients import client_of, without_marks
from tests.games.notifications.chosen import deliver_all
from tests.play import fresh, game_of, hand_over, match_of, person, play_one, play_out, solo_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A public game of Ines and Tobias."""
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    return fresh(game)


@pytest.fixture
def mina() -> User:
    return person("Mina")


def follow(client: Client, game: Game, *, is_following: bool = True) -> str:
    """Press the button, and return the page to which it leads."""
    sent = {"is_following": str(is_following)}
    return without_marks(client.post(f"/g/{game.key}/follow/", sent, follow=True).text)


def section(client: Client) -> str:
    """Return what the home page shows of games that the person follows."""
    return without_marks(client.get("/").text).partition('id="h-followed"')[2].partition("</section>")[0]


def test_a_newcomer_sees_a_followed_game_once(game: Game, mina: User) -> None:
    client, picture = client_of(mina), f"watched-{game.key}"
    assert picture in client.get("/").text
    follow(client, game)
    assert "to move" in section(client)
    assert picture not in client.get("/").text
    play_out(game)
    assert f'href="{game.get_absolute_url()}"' not in client.get("/").text.partition('id="h-followed"')[0]


def test_a_spectator_follows_a_game_until_some_days_after_its_end(game: Game, mina: User) -> None:
    client = client_of(mina)
    assert "Follow this game" in client.get(game.get_absolute_url()).text
    assert "You follow this game." in follow(client, game)
    assert "Stop following this game" in client.get(game.get_absolute_url()).text
    assert "to move" in section(client)
    follow(client, game)
    assert FollowedGame.objects.count() == 1
    play_out(game)
    assert "won" in section(client) or "A tie" in section(client)
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=31))
    assert section(client) == ""
    assert "You no longer follow this game." in follow(client, game, is_following=False)
    assert not FollowedGame.objects.exists()


def test_followed_games_are_forgotten_a_month_after_the_end(game: Game, mina: User) -> None:
    follow(client_of(mina), game)
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=32))
    prune()
    assert FollowedGame.objects.exists(), "the game runs"
    play_out(game)
    prune()
    assert FollowedGame.objects.exists(), "the home page shows its result"
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=32))
    prune()
    assert not FollowedGame.objects.exists()


def test_players_get_no_button_and_visitors_log_in_and_come_back(game: Game) -> None:
    log_in = f'bar__follow" href="/account/login/?next={game.get_absolute_url()}&amp;why=follow"'
    seen_by_player = client_of(User.objects.get(username="Ines")).get(game.get_absolute_url()).text
    assert "Follow this game" not in seen_by_player
    assert log_in not in seen_by_player
    assert log_in in Client().get(game.get_absolute_url()).text
    why = Client().get(f"/account/login/?next={game.get_absolute_url()}&why=follow").text
    assert "Log in or sign up to follow this game" in why
    assert re.search(
        rf'href="/account/signup/\?next={quote(game.get_absolute_url(), safe="")}[^"]*">Sign up', why
    )
    assert Client().post(f"/g/{game.key}/follow/").headers["Location"].startswith("/account/login/")
    assert "only follow running public games" in follow(client_of(User.objects.get(username="Ines")), game)


def test_whether_one_follows_a_game_is_asked_only_where_it_shows(game: Game, mina: User) -> None:
    def asks(client: Client, query: str) -> bool:
        with CaptureQueriesContext(connection) as asked:
            client.get(game.get_absolute_url() + query, headers={"HX-Request": "true"})
        return any(FollowedGame._meta.db_table in one["sql"] for one in asked)

    member = client_of(mina)
    assert asks(member, "")
    assert not asks(member, "?at=0")
    assert not asks(Client(), "")


def test_private_finished_solo_and_shared_deals_cannot_be_followed(game: Game, mina: User) -> None:
    ines, tobias = User.objects.get(username="Ines"), User.objects.get(username="Tobias")
    games = [game_of(ines, tobias, is_public=False), play_out(game_of(ines, tobias)), solo_of(ines)]
    games.append(game_of(ines, tobias))
    Game.objects.filter(pk=games[-1].pk).update(is_unlisted=True)
    for other in (*games, *match_of(ines, tobias)):
        follow(client_of(mina), other)
        assert "Follow this game" not in client_of(mina).get(other.get_absolute_url()).text
        assert "bar__follow" not in Client().get(other.get_absolute_url()).text
    assert not FollowedGame.objects.exists()


def test_a_game_that_becomes_private_or_ones_own_is_followed_no_more(game: Game, mina: User) -> None:
    client = client_of(mina)
    follow(client, game)
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert section(client) == ""
    Game.objects.filter(pk=game.pk).update(is_public=True)
    assert section(client) != ""
    hand_over(fresh(game), User.objects.get(username="Ines"), mina)
    assert section(client) == ""
    assert "following this game" not in client.get(game.get_absolute_url()).text


def test_who_has_handed_over_a_seat_cannot_follow_the_game(game: Game, mina: User) -> None:
    ines = User.objects.get(username="Ines")
    hand_over(game, ines, mina)
    assert "only follow running public games" in follow(client_of(ines), game)


def test_a_game_is_followed_from_the_list_of_those_to_watch(game: Game, mina: User) -> None:
    client = client_of(mina)
    assert 'aria-label="Follow the game of Ines and Tobias"' in without_marks(client.get("/watch/").text)
    sent = {"is_following": "True", "watched_by": "watched"}
    answer = client.post(f"/g/{game.key}/follow/", sent)
    assert answer.headers["Location"] == f"/watch/?by=watched#watched-{game.key}"
    page = without_marks(client.get("/watch/?by=watched").text)
    assert "Stop following the game of Ines and Tobias" in page
    for other in (Client(), client_of(person("Noor"))):
        assert "Stop following" not in other.get("/watch/").text
    assert "/follow/" not in Client().get("/watch/").text


@pytest.fixture
def told(mina: User) -> User:
    """Mina, who has chosen to get a mail when a game that she follows ends."""
    choose_channels(mina, {Kind.FOLLOWED: {Channel.MAIL}})
    return mina


def mails_about_ends(game: Game) -> list[EmailMultiAlternatives]:
    """Finish the game and deliver what its followers are owed."""
    play_out(game)
    deliver_all(Kind.FOLLOWED)
    return list(mail.outbox)


def test_who_has_chosen_it_gets_one_mail_when_a_followed_game_ends(game: Game, told: User) -> None:
    follow(client_of(told), game)
    for other in (person("Noor"), person("Omar")):
        if other.username == "Noor":
            follow(client_of(other), game)
    Watch.objects.all().delete()
    [sent] = mails_about_ends(game)
    assert sent.to == ["Mina <mina@example.org>"]
    assert re.search(r"The game of Ines and Tobias is over: .*(won|tie)$", sent.subject)
    assert f"/g/{game.key}/" in sent.body
    assert "your" not in sent.body.partition("-- ")[0].lower(), "she has no seat"
    [row] = Notification.objects.filter(kind=Kind.FOLLOWED)
    link = stop_url(told, row.kind, row.channel)
    assert link in sent.body
    Client().post(link.partition("testserver")[2] or f"/{link.split('/', 3)[3]}")
    assert wanted_channels(told)[Kind.FOLLOWED] == set()


def test_no_mail_about_an_end_that_one_saw_or_a_game_that_is_followed_no_more(game: Game, told: User) -> None:
    client = client_of(told)
    follow(client, game)
    play_out(game)
    Watch.objects.update(seen_at=fresh(game).moved_at)
    assert KINDS[Kind.FOLLOWED].why_unwanted(Notification.objects.get(kind=Kind.FOLLOWED)) == "seen"
    Watch.objects.all().delete()
    row = Notification.objects.get(kind=Kind.FOLLOWED)
    assert KINDS[Kind.FOLLOWED].why_unwanted(row) == ""
    Game.objects.filter(pk=game.pk).update(is_public=False)
    assert KINDS[Kind.FOLLOWED].why_unwanted(row) == "not followed"
    Game.objects.filter(pk=game.pk).update(is_public=True)
    follow(client, game, is_following=False)
    assert KINDS[Kind.FOLLOWED].why_unwanted(row) == "not followed"
