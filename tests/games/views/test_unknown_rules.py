"""Games under rules that this site does not have, for example because the site is older than the game."""

import logging
from io import StringIO

import pytest
from celery import current_app
from django.core.management import call_command

from games.models import Game, Hint, Review
from games.novaluna.engine.versions import RULES
from games.services import bots, reviews
from tests.clients import HTMX, client_of
from tests.play import (
    form_of,
    fresh,
    game_of,
    legal_fields,
    let_wait,
    mover,
    person,
    play_one,
    play_out,
    solo_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def body() -> dict[str, object]:
    """The body of a legal action, which the fixture `game` fills in."""
    return {}


NEWER = {"rules_version": max(RULES) + 1}, f"needs version {max(RULES) + 1} of the rules"
REMOVED = {"title": "gone"}, "The title 'gone' is not installed. Add the app of its wing to INSTALLED_APPS."


@pytest.fixture(params=[NEWER, REMOVED], ids=["newer rules", "removed title"])
def missing(request: pytest.FixtureRequest) -> tuple[dict[str, object], str]:
    """Columns of a game whose log the site cannot replay, and the reason that it logs."""
    return request.param


@pytest.fixture
def game(body: dict[str, object], missing: tuple[dict[str, object], str]) -> Game:
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    body |= form_of(game, legal_fields(game))
    Game.objects.filter(pk=game.pk).update(**missing[0])
    return fresh(game)


def test_rebuild_games_says_which_rules_are_missing(game: Game, missing: tuple[object, str]) -> None:
    out = StringIO()
    with pytest.raises(SystemExit) as end:
        call_command("rebuild_games", "--check", stdout=out)
    assert end.value.code == 1
    assert missing[1] in out.getvalue()
    assert "1 cannot be replayed" in out.getvalue()


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("address", ["", "text/", "displays/0/", "preview.jpg"])
def test_pages_of_the_game_say_that_the_site_needs_an_update(
    game: Game,
    missing: tuple[object, str],
    address: str,
    headers: dict[str, str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    response = client_of(mover(game)).get(f"/g/{game.key}/{address}", headers=headers)
    assert response.status_code == 503
    assert "rules that the site doesn't know yet" in response.text
    assert missing[1] in caplog.text
    assert caplog.records[0].levelno == logging.ERROR
    assert set(response.headers["Cache-Control"].split(", ")) == {"private", "no-store"}


def test_the_game_accepts_no_action(game: Game, body: dict[str, object]) -> None:
    response = client_of(mover(game)).post(f"/g/{game.key}/play/", body)
    assert response.status_code == 503
    assert fresh(game).version == game.version


def test_the_home_page_still_lists_the_game(game: Game) -> None:
    response = client_of(mover(game)).get("/")
    assert response.status_code == 200
    assert game.key in response.text


def test_a_hint_is_refused_and_the_game_still_counts() -> None:
    ines = person("Ines")
    game = solo_of(ines)
    Game.objects.filter(pk=game.pk).update(rules_version=max(RULES) + 1)
    response = client_of(ines).post(f"/g/{game.key}/hint/", {"number": 1})
    assert response.status_code == 503
    assert fresh(game).is_without_hints
    assert not Hint.objects.exists()


def test_a_review_is_refused_and_not_stored() -> None:
    ines = person("Ines")
    game = play_out(game_of(ines, person("Tobias")))
    Game.objects.filter(pk=game.pk).update(rules_version=max(RULES) + 1)
    response = client_of(ines).post(f"/g/{game.key}/review/")
    assert response.status_code == 503
    assert not Review.objects.exists()


def test_an_unfinished_review_does_not_delay_the_others() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    first, second = play_out(game_of(ines, tobias), seed=1), play_out(game_of(ines, tobias), seed=2)
    waiting, readable = reviews.ask(first, ines), reviews.ask(second, tobias)
    assert reviews.overdue_turns() == [(waiting.pk, 1)]
    Game.objects.filter(pk=first.pk).update(rules_version=max(RULES) + 1)
    assert reviews.overdue_turns() == [(readable.pk, 1)]


def test_the_sweep_leaves_bots_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(person("Ines"), bots=("easy",))
    queued: list[object] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, args, **_options: queued.append(args))
    let_wait(game, game.seats.get(bot="easy").number)
    Game.objects.filter(pk=game.pk).update(rules_version=max(RULES) + 1)
    bots.queue_waiting_turns()
    assert queued == []
    Game.objects.filter(pk=game.pk).update(rules_version=max(RULES))
    bots.queue_waiting_turns()
    assert queued == [(game.pk, 1)]
