"""Notifications about the end of a game: who won, what decided it, and what comes next."""

import re

import pytest

from accounts.models import User
from games.board.decision import describe_decision
from games.models import Channel, Game, Kind, Notification
from games.notifications.delivery import write_message
from games.notifications.kind import Message
from games.notifications.mail import build_mail
from games.queries.viewing import view_game
from tests.clients import client_of
from tests.play import game_of, person, play_out

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
    assert message.subject == (
        "News of your games" if channel == Channel.DIGEST else f"Your game against {winner} is over"
    )
    words = " ".join(message.text.split())
    assert f"{winner} wins with the" in words
    decision = describe_decision(view_game(game, user))
    assert decision
    assert decision in words
    if channel in (Channel.MAIL, Channel.DIGEST):
        html = build_mail(message, user, user.email).alternatives[0].content
        assert decision in " ".join(str(html).split())
    else:
        assert "discs left" in words, "the score too"


def test_the_email_leads_to_a_page_where_one_press_offers_a_rematch(game: Game) -> None:
    user = loser_of(game)
    message = message_to(user, game, Channel.MAIL)
    found = re.search(r"Rematch, with the same players:\nhttp://[^/]+(/\S+)#next\n", message.text)
    assert found
    assert re.search(r'href="[^"]+#next"[^>]*>Rematch</a>', message.html)
    assert f"/g/{game.key}/review/" in message.text
    page = client_of(user).get(found[1], follow=True).text
    panel = page.partition('id="next"')[2].partition("</div>")[0]
    form = re.search(r'<form method="post" action="([^"]+)">', panel)
    assert form
    assert form[1] == f"/g/{game.key}/rematch/"
    client_of(user).post(form[1])
    assert Game.objects.filter(rematch_of=game).exists()
