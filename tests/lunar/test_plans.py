"""Plans on the page of a game and in text mode."""

import re
from html import unescape
from random import Random

import pytest
from django.test import Client

from games.lunar.notation.plan_lines import plannable
from games.models import Game, Plan
from games.services import plans
from games.services import play as playing
from tests.clients import client_of
from tests.lunar.games import lunar_game, position_of, reply, user_of
from tests.play import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt")]

PARTS = ("", "text/")


@pytest.fixture
def game() -> Game:
    """A game for two in which seat 0 turns the first tile."""
    return lunar_game(2)


def plan(client: Client, game: Game, part: str, label: str) -> str:
    """Add the action with this label to the plan of a page; return the page after that."""
    page = client.get(f"{game.get_absolute_url()}{part}?plan=1").text
    forms = re.findall(r'<form[^>]*action="([^"]*/plan/[^"]*)"(.*?)</form>', page, re.DOTALL)
    for action, form in forms:
        buttons = {
            re.sub(r"<[^>]*>", "", text).strip(): value
            for value, text in re.findall(r'name="action" value="([^"]*)">(.*?)</button>', form, re.DOTALL)
        }
        if label in buttons:
            fields = dict(re.findall(r'name="(number|wishes)" value="([^"]*)"', form))
            fields["action"] = buttons[label]
            return client.post(action, {k: unescape(v) for k, v in fields.items()}, follow=True).text
    raise AssertionError(f"nothing is called {label}")


@pytest.mark.parametrize("part", PARTS)
def test_a_plan_on_a_page_is_played_when_the_turn_begins(game: Game, part: str) -> None:
    client = client_of(user_of(game, 1))
    assert "Plan my turn" in client.get(f"{game.get_absolute_url()}{part}").text
    page = plan(client, game, part, "Turn the owl tile face down")
    page = plan(client, game, part, "Turn the lynx tile face down")
    assert page.index("Turn the owl tile face down") < page.index("Turn the lynx tile face down")
    reply(game, 0, "flip owl")
    assert [suit.name for suit in position_of(game).flips] == ["OWL", "LYNX"]
    assert "Your plan was played." in client.get(f"{game.get_absolute_url()}{part}").text


@pytest.mark.parametrize("part", PARTS)
def test_nobody_else_sees_a_plan(game: Game, part: str) -> None:
    plan(client_of(user_of(game, 1)), game, part, "Turn the owl tile face down")
    assert "Your plan" not in client_of(user_of(game, 0)).get(f"{game.get_absolute_url()}{part}").text


def test_a_plan_that_gives_way_to_the_only_card_says_so() -> None:
    game, rng = lunar_game(4), Random(3)
    while True:
        position = position_of(game)
        seat = min(position.awaited)
        action = rng.choice(list(position.legal(seat)))
        after = position.apply(action).position
        waiting = [one for one in after.awaited - {seat} if after.forced(one)]
        gone = [wish for one in waiting for wish in plannable(position, one) if wish not in after.legal(one)]
        if gone:
            break
        playing.play_for_bot(game.pk, action, fresh(game).version + 1)
    user = user_of(game, gone[0].seat)
    plans.change(game.key, user, gone[:1], fresh(game).version + 1, outlasts_reveals=True)
    playing.play_for_bot(game.pk, action, fresh(game).version + 1)
    assert not Plan.objects.exists()
    for part in PARTS:
        page = " ".join(client_of(user).get(f"{game.get_absolute_url()}{part}").text.split())
        assert "Your plan was not played, because none of its moves was possible. Played for you: " in page
        others = client_of(user_of(game, (gone[0].seat + 1) % 4)).get(f"{game.get_absolute_url()}{part}").text
        assert "Your plan" not in others
