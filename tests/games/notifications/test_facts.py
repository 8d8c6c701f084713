"""The facts of a notification: looked up once for a message, and not at all where it does not need them."""

import uuid
from collections.abc import Callable

import pytest
from django.utils import timezone

from games.models import Channel, Game, Kind, Notification, Nudge
from games.notifications import facts
from games.notifications.delivery import write_message
from games.novaluna.engine import Resign
from games.queries.viewing import view_game
from games.services.play import play
from tests.play import fresh, game_of, mover, person, play_out, play_some

pytestmark = pytest.mark.django_db


@pytest.fixture
def count_views(monkeypatch: pytest.MonkeyPatch) -> Callable[[Game, str], int]:
    """A function that returns how many views a message to the player to move, or to the first one, builds."""
    views: list[object] = []

    def view_and_count(*arguments: object) -> object:
        views.append(arguments)
        return view_game(*arguments)

    monkeypatch.setattr(facts, "view_game", view_and_count)

    def count(game: Game, kind: str) -> int:
        user = game.seats.get(number=0).user if game.is_over else mover(game)
        counts = set()
        for channel in Channel:
            views.clear()
            row = Notification(game=fresh(game), user=user, kind=kind, channel=channel, version=game.version)
            row.pk, row.created_at = 1, timezone.now()
            write_message([row])
            counts.add(len(views))
        return max(counts)

    return count


def test_an_email_about_a_turn_or_an_end_builds_one_view(count_views: Callable[[Game, str], int]) -> None:
    game = play_some(game_of(person("Ines"), person("Tobias")), 5)
    assert count_views(game, Kind.TURN) == 1
    assert count_views(play_out(game), Kind.OVER) == 1


def test_an_email_about_a_player_who_left_builds_one_view(count_views: Callable[[Game, str], int]) -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"))
    user = mover(game)
    seat = game.seats.get(user=user).number
    play(game.key, user, Resign(seat), game.version + 1, uuid.uuid4())
    assert count_views(fresh(game), Kind.LEFT) == 1


def test_names_of_opponents_need_no_view(count_views: Callable[[Game, str], int]) -> None:
    game = play_some(game_of(person("Ines"), person("Tobias")), 5)
    Nudge.objects.create(game=game, user=mover(game), sender=None, at=timezone.now())
    assert count_views(game, Kind.NUDGE) == 0
