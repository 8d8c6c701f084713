"""Which addresses suspended people and moderators without a second factor reach, by links and by forms."""

from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import resolve
from django.utils import timezone

from accounts.models import User
from games.models import Game, Measure, Report
from games.views.moderation.suspension import OPEN
from tests.clients import client_of
from tests.games.moderation.cases import line_of, moderate
from tests.play import game_of, person
from tests.site.addresses import ADDRESSES

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A game with a reported line of Tobias, beside a muted and a suspended person."""
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    line_of(game, tobias)
    moderate(game, ines, muted="Mina", suspended="Noor", moderator_name="Vera")
    return game


def addresses_of(game: Game) -> list[str]:
    """Return an address of each pattern that a view answers for this game."""
    words = {
        "KEY": game.key,
        "LINE": game.chat_lines.latest("pk").pk,
        "REPORT": Report.objects.latest("pk").pk,
        "MEASURE": Measure.objects.latest("pk").pk,
        "TOKEN": "nonsense",
        "OFFER": "AAAAAAAAAAAA",
        "MATCH": "AAAAAAAAAAAA",
        "TILE": "12345",
    }
    found = []
    for address, *_others in ADDRESSES.values():
        for word, value in words.items():
            address = address.replace(word, str(value))
        found.append(address)
    return found


@pytest.mark.slow
def test_a_suspended_player_reaches_only_why_and_the_ways_out(game: Game) -> None:
    User.objects.filter(username="Ines").update(suspended_until=timezone.now() + timedelta(days=7))
    client = client_of(User.objects.get(username="Ines"))
    reached = {
        resolve(address.partition("?")[0]).view_name
        for address in addresses_of(game)
        for answer in (client.get(address), client.post(address))
        if answer.status_code != 403
    }
    assert reached - OPEN == set(), "suspended people reach these: refuse it, or add it to OPEN"
    assert {"games:reports", "games:help"} <= reached


def test_moderators_without_a_second_factor_reach_no_page_of_theirs(game: Game) -> None:
    vera = User.objects.get(username="Vera")
    Authenticator.objects.filter(user=vera).delete()
    without = Client()
    without.force_login(vera)
    own = [address for address in addresses_of(game) if address.startswith("/moderation/")]
    assert len(own) == 4
    for address in own:
        assert without.get(address)["Location"].startswith("/account/security/?next="), address
        assert without.post(address).status_code in (302, 405), address
    for address in own:
        assert client_of(vera).get(address).status_code == 200, address
        for name in ("Ines", "Mina"):
            other = client_of(User.objects.get(username=name))
            assert other.get(address).status_code == 404, address
            assert other.post(address).status_code in (404, 405), address
