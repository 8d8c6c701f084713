"""Notifications about the end of a game: who won, what decided it, and what comes next."""

import re
import uuid

import pytest

from accounts.models import User
from games.models import Channel, Game, Kind, Notification, Vote
from games.notifications.delivery import write_message
from games.notifications.kind import Message
from games.notifications.mail import build_mail
from games.novaluna.board.decision import describe_turning_point
from games.novaluna.engine import Resign
from games.queries.viewing import view_game
from games.services import votes
from games.services.play import play
from tests.clients import client_of
from tests.play import fresh, game_of, person, play_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A finished game of Ines and Tobias."""
    return play_out(game_of(person("Ines"), person("Tobias")))


def loser_of(game: Game) -> User:
    user = game.seats.exclude(number=game.winner).get().user
    assert user is not None
    return user


def message_to(user: User, game: Game, channel: Channel) -> Message:
    row = Notification.objects.filter(user=user, game=game, kind=Kind.OVER).first()
    assert row is not None
    row.channel = channel
    return write_message([row])


@pytest.mark.parametrize("channel", Channel)
def test_each_channel_says_who_won_and_what_decided_the_game(game: Game, channel: Channel) -> None:
    user, winner = loser_of(game), game.seats.get(number=game.winner).name
    message = message_to(user, game, channel)
    result = f"{winner} won against you"
    assert message.subject == ("News of your games" if channel == Channel.DIGEST else result)
    words = " ".join(message.text.split())
    if channel in (Channel.MAIL, Channel.DIGEST):
        assert len(re.findall(r"\b(won|wins?)\b", words)) == words.count(result) == 1
    else:
        assert not re.search(r"\b(won|wins?)\b", words), "the subject says it"
    decision = describe_turning_point(view_game(game, user))
    assert decision
    assert decision in words
    if channel in (Channel.MAIL, Channel.DIGEST):
        html = build_mail(message, user, user.email).alternatives[0].content
        shown = " ".join(str(html).partition("<h1")[2].split())
        assert decision in shown
        assert len(re.findall(r"\b(won|wins?)\b", shown)) == 1
    else:
        assert "discs left" in words, "the score too"


def test_the_email_leads_to_a_page_where_one_press_offers_a_rematch(game: Game) -> None:
    user = loser_of(game)
    message = message_to(user, game, Channel.MAIL)
    found = re.search(r"Rematch, with the same players:\nhttp://[^/]+(/\S+)#what-next\n", message.text)
    assert found
    assert re.search(r'href="[^"]+#what-next"[^>]*>Rematch</a>', message.html)
    assert f"/g/{game.key}/review/" in message.text
    page = client_of(user).get(found[1], follow=True).text
    panel = page.partition('id="what-next"')[2].partition("</div>")[0]
    form = re.search(r'<form method="post" action="([^"]+)"', panel)
    assert form
    assert form[1] == f"/g/{game.key}/rematch/"
    client_of(user).post(form[1])
    assert Game.objects.filter(rematch_of=game).exists()


def test_the_email_says_who_won_what_decided_it_the_result_and_what_comes_next(game: Game) -> None:
    winner = game.seats.get(number=game.winner).user
    assert winner is not None
    loser = loser_of(game)
    message = message_to(winner, game, Channel.MAIL)
    assert message.subject == f"You won against {loser}"
    decision = describe_turning_point(view_game(game, winner))
    for text in (message.text, message.html.partition("<h1")[2]):
        parts = [f"You won against {loser}", decision, "disc", "See the result", "Rematch"]
        places = [text.index(part) for part in parts]
        assert places == sorted(places)
    rows = re.findall(r"^- (\w+): \d+ discs? left", message.text, re.MULTILINE)
    assert rows == ["You", str(loser)], "best first"


def test_the_email_to_one_of_three_names_the_winner_and_the_other(game: Game) -> None:
    users = [person(name) for name in ("Mina", "Noor", "Emil")]
    game = play_out(game_of(*users))
    winner = game.seats.get(number=game.winner).user
    user, other = (one.user for one in game.seats.exclude(number=game.winner).order_by("number"))
    assert user is not None
    assert message_to(user, game, Channel.MAIL).subject == f"{winner} won against you and {other}"


def test_the_email_about_a_cancelled_game_says_so_once() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    votes.start(game.key, ines, Vote.Purpose.CANCEL)
    votes.answer(game.key, tobias, game.votes.get().pk, agrees=True)
    message = message_to(ines, game, Channel.MAIL)
    assert message.subject == "Your game against Tobias was cancelled"
    assert message.text.count("cancel") == 2, "and that the players agreed to it"


def test_the_email_about_a_game_without_a_move_offers_no_review() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    play(game.key, ines, Resign(0), fresh(game).version + 1, uuid.uuid4())
    message = message_to(tobias, game, Channel.MAIL)
    for text in (message.text, message.html):
        assert "Rematch" in text
        assert "/review/" not in text
        assert "expert" not in text
