"""A refill is confirmed as a move is."""

import pytest
from django_webtest import DjangoTestApp
from webtest import Form, TestResponse

from accounts.models import User
from games.models import Game
from games.novaluna.engine import Place, RefillRule
from tests.play import fresh, game_of, mover, person, play_all, position_of, solo_with_refill

pytestmark = pytest.mark.django_db

ADDRESSES = ("", "text/")


def refill_game(rule: RefillRule) -> Game:
    """Return a game of two in which the wheel may or must be refilled."""
    game = game_of(person("Ines"), person("Tobias"))
    position, actions = position_of(game), []
    while position.refill is not rule:
        actions.append(next(action for action in position.legal_actions if isinstance(action, Place)))
        position = position.apply(actions[-1]).position
    return play_all(game, actions)


def refill_forms(page: TestResponse) -> list[Form]:
    return [form for form in page.forms.values() if "do" in form.fields and form["do"].value == "refill"]


@pytest.mark.parametrize("mode", ADDRESSES)
def test_a_refill_asks_first(django_app: DjangoTestApp, mode: str) -> None:
    game = refill_game(RefillRule.ALLOWED)
    page = django_app.get(f"/g/{game.key}/{mode}", user=mover(game))
    assert refill_forms(page) == []
    question = page.click("Refill", href="refill=1")
    assert "Refill the wheel?" in question
    assert fresh(game).version == game.version
    viewer = mover(game)
    [form] = refill_forms(question)
    form.submit()
    assert fresh(game).version == game.version + 1
    assert "Refill the wheel?" not in django_app.get(f"/g/{game.key}/{mode}?refill=1", user=viewer)


@pytest.mark.parametrize("mode", ADDRESSES)
def test_the_question_in_a_solo_game_says_once_that_phase_1_ends(
    django_app: DjangoTestApp, mode: str
) -> None:
    game = solo_with_refill(person("Ines"))
    question = django_app.get(f"/g/{game.key}/{mode}?refill=1", user=mover(game))
    asked = str(question).partition("Refill the wheel?")[2].partition("<form")[0]
    score = position_of(game).current_phase_score
    assert asked.lower().count("phase 1") == 1
    assert f"It ends phase 1 with a score of {score}." in asked


@pytest.mark.parametrize("mode", ADDRESSES)
def test_it_does_not_ask_people_who_do_not_confirm_moves(django_app: DjangoTestApp, mode: str) -> None:
    game = refill_game(RefillRule.ALLOWED)
    User.objects.update(confirm_moves=False)
    [form] = refill_forms(django_app.get(f"/g/{game.key}/{mode}", user=mover(game)))
    form.submit()
    assert fresh(game).version == game.version + 1


@pytest.mark.parametrize("mode", ADDRESSES)
def test_it_does_not_ask_when_nothing_else_is_possible(django_app: DjangoTestApp, mode: str) -> None:
    game = refill_game(RefillRule.FORCED)
    assert len(refill_forms(django_app.get(f"/g/{game.key}/{mode}", user=mover(game)))) == 1
