"""Presence of many players, stored together."""

import threading

import pytest
from django.db import connection, transaction

from games.models import Game, Seat
from games.services import presence
from tests.play import game_of, person


@pytest.fixture
def games() -> tuple[Game, Game]:
    """Two games of the same players, none of whom is present."""
    ines, tobias = person("Ines"), person("Tobias")
    games = game_of(ines, tobias), game_of(ines, tobias)
    Seat.objects.update(seen_at=None)
    return games


def players_here() -> list[tuple[int, int]]:
    """Return the game and the seat number of all players who are present."""
    here = Seat.objects.filter(seen_at__isnull=False).order_by("game", "number")
    return list(here.values_list("game", "number"))


@pytest.mark.django_db
def test_only_those_players_are_marked_in_only_those_games(games: tuple[Game, Game]) -> None:
    one, other = games
    ines, tobias = (seat.user_id for seat in one.seats.order_by("number"))
    presence.mark_all({(one.key, ines), (other.key, tobias), (one.key, 0), ("nosuchgame22", ines)})
    assert players_here() == [(one.pk, 0), (other.pk, 1)]
    presence.mark_all(set())


@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite locks the whole database")
@pytest.mark.django_db(transaction=True)
def test_marking_does_not_wait_for_a_seat_that_an_action_has_locked(games: tuple[Game, Game]) -> None:
    one, other = games
    ines = one.seats.get(number=0).user_id

    def mark() -> None:
        presence.mark_all({(one.key, ines), (other.key, ines)})
        connection.close()

    marking = threading.Thread(target=mark, daemon=True)
    with transaction.atomic():
        Seat.objects.select_for_update().get(game=one, number=0)
        marking.start()
        marking.join(20)
        assert not marking.is_alive()
    assert players_here() == [(other.pk, 0)]
