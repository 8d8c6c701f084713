"""Guests who do not visit any more are removed, and nobody waits for them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.guests import KEPT
from accounts.models import User
from games.models import Game
from games.services import tables
from games.tasks import prune
from tests.clients import client_of
from tests.play import fresh, game_of, person, play_out, solo_of

pytestmark = pytest.mark.django_db


def guest(name: str, age: timedelta) -> User:
    """Return a guest whose last visit was so long ago."""
    return User.objects.create_user(name, is_guest=True, last_login=timezone.now() - age)


@pytest.fixture
def amber() -> User:
    """A guest whom the next run removes."""
    return guest("Amber-Comet", KEPT + timedelta(days=2))


def test_only_guests_who_do_not_visit_any_more_are_removed(amber: User) -> None:
    misty = guest("Misty-Moon", KEPT - timedelta(days=1))
    ines = person("Ines")
    User.objects.filter(pk=ines.pk).update(last_login=timezone.now() - timedelta(days=400))
    prune()
    assert set(User.objects.all()) == {misty, ines}


def test_a_removed_guest_resigns_running_games(amber: User) -> None:
    ines, noor = person("Ines"), person("Noor")
    games = [game_of(amber, ines), game_of(ines, amber, noor), solo_of(amber)]
    prune()
    duel, three, solo = map(fresh, games)
    assert (duel.status, duel.winner) == (Game.Status.OVER, 1)
    assert three.is_running
    assert three.seats.get(number=1).has_left
    assert (solo.status, solo.score) == (Game.Status.OVER, None)
    assert not User.objects.filter(is_guest=True).exists()


def test_a_removed_guest_leaves_open_tables(amber: User) -> None:
    tables.open_table(amber, 2, (), beginner=False, is_public=False)
    ines = person("Ines")
    other = tables.open_table(ines, 3, (), beginner=False, is_public=True, pace="slow")
    tables.join(other.key, amber)
    prune()
    assert list(Game.objects.all()) == [other]
    assert [seat.user for seat in other.seats.all()] == [ines, None, None]
    assert [seat.is_free for seat in other.seats.all()] == [False, True, True]


def test_a_finished_game_of_a_removed_guest_still_shows(amber: User) -> None:
    ines = person("Ines")
    game = play_out(game_of(ines, amber))
    assert 'href="/people/Amber-Comet/"' in client_of(ines).get(game.get_absolute_url()).text
    prune()
    for path in (game.get_absolute_url(), "/", f"{game.get_absolute_url()}text/", "/people/Ines/"):
        page = client_of(ines).get(path)
        assert page.status_code == 200
        assert "Amber-Comet" not in page.text
        assert "/people/former" not in page.text
    assert "former player" in client_of(ines).get(game.get_absolute_url()).text
