"""Projections equal the values that the logs give, and can be rebuilt from the logs."""

import uuid
from importlib import import_module
from io import StringIO
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import User
from games.models import Game, Seat
from games.novaluna.engine import Resign
from games.queries.overviews import overview
from games.services.errors import Conflict
from games.services.play import play
from games.services.projections.healing import heal
from tests.play import fresh, game_of, legal_action, mover, person, play_one, play_out, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def rebuild(*args: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("rebuild_games", *args, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def games() -> list[Game]:
    """One game of each kind: just started, running, ended by play or resignation, and solo."""
    ines, tobias, noor = person("Ines"), person("Tobias"), person("Noor")
    started, running, left = game_of(ines, tobias), game_of(ines, tobias, noor), game_of(ines, tobias, noor)
    for _turn in range(12):
        play_one(running)
    for user in (ines, tobias):
        play(left.key, user, Resign(0), fresh(left).version + 1, uuid.uuid4())
    resigned_solo = solo_of(ines)
    play(resigned_solo.key, ines, Resign(0), 1, uuid.uuid4())
    return [started, running, left, play_out(game_of(ines, tobias)), play_out(solo_of(tobias)), resigned_solo]


@pytest.mark.slow
def test_projections_equal_their_logs(games: list[Game]) -> None:
    by_play = game_of(*User.objects.filter(username__in=("Ines", "Tobias")))
    while not fresh(by_play).is_over:
        play_one(by_play)
    games.append(by_play)
    assert rebuild("--check") == (
        0,
        f"{len(games)} games: 0 differ from their logs, 0 cannot be replayed.\n",
    )


def test_a_wrong_projection_is_reported_and_then_rebuilt(games: list[Game]) -> None:
    running = fresh(games[1])
    right = (running.to_move, running.version)
    Game.objects.filter(pk=running.pk).update(to_move=None, version=99, status=Game.Status.OVER)
    Seat.objects.filter(game=running, number=2).update(discs=0, has_left=True, place=1, figures={"discs": 0})

    code, report = rebuild("--check")
    assert code == 1
    for wrong in (
        "version is 99",
        "seat 2: discs is 0",
        "has_left is True",
        "place is 1",
        "status is 'over'",
    ):
        assert wrong in report
    assert fresh(running).version == 99, "a check stores nothing"

    assert rebuild(running.key)[0] == 0
    rebuilt = fresh(running)
    assert (rebuilt.to_move, rebuilt.version) == right
    assert rebuild("--check")[0] == 0


def test_a_log_that_cannot_be_replayed_is_reported_with_and_without_check(games: list[Game]) -> None:
    broken = games[1].actions.order_by("number").first()
    assert broken is not None
    type(broken).objects.filter(pk=broken.pk).update(payload={"do": "dance"})
    for options in ((), ("--check",)):
        code, report = rebuild(*options)
        assert code == 1
        assert f"game {games[1].pk}: its log cannot be replayed" in report
        assert "1 cannot be replayed" in report


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(CommandError, match="nosuchgame22"):
        call_command("rebuild_games", "nosuchgame22")


def test_the_projections_of_a_finished_game_have_its_ending_and_ranking(games: list[Game]) -> None:
    finished = fresh(games[3])
    assert finished.is_over
    assert finished.ending in ("discs", "tiles")
    winner = finished.seats.get(number=finished.winner)
    assert winner.rank == 1
    assert sorted(seat.rank for seat in finished.seats.all()) == [1, 2]
    assert [seat.place for seat in finished.seats.order_by("rank")] == [1, 2]
    assert winner.figures == {"discs": winner.discs, "time": winner.time, "rank": 1}


def test_a_resigned_solo_game_has_no_score(games: list[Game]) -> None:
    resigned, played = fresh(games[5]), fresh(games[4])
    assert (resigned.is_over, resigned.score) == (True, None)
    assert played.score is not None


def test_the_seat_to_move_has_not_left(games: list[Game]) -> None:
    running = games[1]
    assert not running.seats.get(user=mover(running)).has_left


@pytest.mark.slow
def test_the_migration_stores_the_places_and_figures_of_the_logs(games: list[Game]) -> None:
    play_out(game_of(*User.objects.order_by("pk")[:3]))
    Game.objects.update(projected_version=None)
    Seat.objects.update(place=None, figures=None)
    migration = import_module("games.migrations.0060_fill_places_and_figures")
    for _run in range(2):  # An interrupted migration runs again.
        migration.fill(apps, None)
    assert rebuild("--check")[0] == 0


def test_the_sweep_rebuilds_what_a_process_of_the_release_before_has_stored(games: list[Game]) -> None:
    running, over = fresh(games[1]), fresh(games[3])
    before = [(seat.place, seat.figures) for seat in Seat.objects.order_by("pk")]
    Seat.objects.filter(game=running).update(figures={"discs": 20, "time": 0})
    Game.objects.filter(pk=running.pk).update(projected_version=running.version - 1)
    Seat.objects.filter(game=over).update(place=None, figures=None)
    Game.objects.filter(pk=over.pk).update(projected_version=None)
    heal()
    assert [(seat.place, seat.figures) for seat in Seat.objects.order_by("pk")] == before
    assert rebuild("--check")[0] == 0


def test_a_log_that_cannot_be_replayed_is_healed_once(
    games: list[Game], caplog: pytest.LogCaptureFixture
) -> None:
    broken = games[1]
    broken.actions.filter(number=1).update(payload={"do": "dance"})
    Game.objects.filter(pk=broken.pk).update(projected_version=None)
    for _run in range(2):
        heal()
    assert caplog.text.count(f"Cannot rebuild the projections of game {broken.pk}.") == 1


def test_the_migration_stores_the_turns_of_the_logs(games: list[Game]) -> None:
    Game.objects.filter(pk=games[1].pk).update(pace="day")
    rebuild()
    Seat.objects.update(awaited_since=None, deadline=None)
    migration = import_module("games.migrations.0065_fill_awaited_seats")
    for _run in range(2):
        migration.fill(apps, SimpleNamespace(connection=connection))
    assert Seat.objects.exclude(deadline=None).exists()
    assert rebuild("--check")[0] == 0


def test_the_awaited_seat_is_right_after_a_process_of_the_release_before_has_played() -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Noor"))
    former = mover(game)
    number = play_until_somebody_else(game)
    old = dict(game.seats.values_list("user", "awaited_since"))
    # What such a process stores is in the rows of the game only.
    game.seats.update(awaited_since=None)
    game.seats.filter(user=former).update(awaited_since=0)
    Game.objects.filter(pk=game.pk).update(projected_version=number - 1)
    user = mover(game)
    assert not Game.objects.waiting_for(former).exists()
    assert Game.objects.waiting_for(user).get() == game
    assert [seat.user for seat in game.seats.awaited()] == [user]
    assert [seat.user for seat in fresh(game).seats.all() if seat.is_awaited] == [user]
    assert overview(user.pk).turns == 1
    with pytest.raises(Conflict, match="moved on"):
        play(game.key, user, legal_action(game), number, uuid.uuid4())
    heal()
    assert dict(game.seats.values_list("user", "awaited_since")) == old
    Game.objects.filter(pk=game.pk).update(projected_version=number - 1)
    play_one(game)
    assert rebuild("--check")[0] == 0


def play_until_somebody_else(game: Game) -> int:
    """Play until it is the turn of another person; return the number of the last action."""
    first = mover(game)
    while mover(game) == first:
        play_one(game)
    return fresh(game).version
