"""A game of three whose player vanishes ends in four ways, each on pages and by the sweep alone."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from accounts.models import User
from games import tasks
from games.models import Attendance, Game
from games.services import after_commit
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import form_of, fresh, legal_fields, mover, person

pytestmark = pytest.mark.django_db

TABLE = {
    "opponents": "people",
    "seat_count": "3",
    "level": "easy",
    "request_id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
}
WORK: Mapping[str, Callable[..., None]] = {
    after_commit.TIME_OUT: tasks.time_out,
    after_commit.END_CALL: tasks.end_call,
    after_commit.FINISH_HAND_OVER: tasks.finish_hand_over,
    after_commit.QUICK_TURN: tasks.take_quick_turn,
    after_commit.BOT_TURN: partial(tasks.take_bot_turn, without_search=True),
}


@pytest.fixture
def run_sweep(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Callable[[], None]:
    """A function that runs the sweep, and twice each task that it queues."""
    queued: list[tuple[str, tuple[int, ...]]] = []

    def queue(name: str, *args: int, **_options: object) -> bool:
        queued.append((name, args))
        return True

    for module in ("games.tasks", "games.services.bot_queue"):
        monkeypatch.setattr(f"{module}.queue", queue)
    settings.BOT_PAUSE = 0

    def run() -> None:
        queued.clear()
        tasks.sweep()
        for name, args in [*queued] * 2:
            if name in WORK:
                WORK[name](*args)
        # In the middle of the game too, where the fields of the clocks are compared.
        assert_projections_are_right()

    return run


def started_game(**fields: str) -> tuple[Game, User, list[User]]:
    """Return a game that three people have started on pages, the one who vanishes, and the others."""
    people = [person(name) for name in ("Ines", "Tobias", "Mina")]
    assert client_of(people[0]).post("/new/", TABLE | fields).status_code == 302
    game = Game.objects.get()
    # So that the game is short.
    Game.objects.filter(pk=game.pk).update(options={"discs": 1})
    for user in people[1:]:
        assert client_of(user).post(f"/g/{game.key}/join/").status_code == 302
    gone = mover(game)
    return fresh(game), gone, [user for user in people if user != gone]


def play_on(game: Game, clock: FrozenClock, run_sweep: Callable[[], None]) -> None:
    """Let people play on pages, and bots by the sweep, until the game is over."""
    while (now := fresh(game)).is_running:
        clock.move_on(minutes=2)
        if game.seats.get(number=now.to_move).level:
            run_sweep()
        else:
            fields = form_of(game, legal_fields(game))
            assert client_of(mover(game)).post(f"/g/{game.key}/play/", fields).status_code == 302


def assert_projections_are_right() -> None:
    out = StringIO()
    call_command("rebuild_games", "--check", stdout=out)
    assert " 0 differ " in out.getvalue()


def result_of(game: Game, user: User) -> str:
    """Return the page of a game that is over, whose projections are right and whose players have a rank."""
    assert_projections_are_right()
    assert fresh(game).is_over
    assert fresh(game).winner is not None
    return re.sub(r"<[^>]+>", "", client_of(user).get(f"{game.get_absolute_url()}?older=1").text)


def has_finished(game: Game, user: User) -> bool:
    return Attendance.objects.get(game=game, user=user).has_finished


def test_a_caretaker_plays_on(clock: FrozenClock, run_sweep: Callable[[], None]) -> None:
    game, gone, (other, _third) = started_game(pace="day", caretaker="easy")
    clock.move_on(days=1, seconds=30)
    run_sweep()
    play_on(game, clock, run_sweep)
    assert f"{gone}&#x27;s clock ran out, so a bot (easy) plays for them" in result_of(game, other)
    assert game.seats.get(user=gone).rank, "the result is theirs"
    assert (has_finished(game, gone), has_finished(game, other)) == (False, True)


def test_the_seat_is_out(clock: FrozenClock, run_sweep: Callable[[], None]) -> None:
    game, gone, (other, _third) = started_game(pace="slow", caretaker="out")
    clock.move_on(days=7, seconds=30)
    run_sweep()
    assert fresh(game).is_running
    play_on(game, clock, run_sweep)
    assert f"{gone}&#x27;s clock ran out" in result_of(game, other)
    assert (has_finished(game, gone), has_finished(game, other)) == (False, True)


def test_the_others_call_the_player(clock: FrozenClock, run_sweep: Callable[[], None]) -> None:
    game, gone, (other, third) = started_game(pace="none")
    vote = f"/g/{game.key}/vote/"
    assert client_of(other).post(vote, {"do": "start", "purpose": "out"}).status_code == 409
    clock.move_on(days=14)
    assert client_of(other).post(vote, {"do": "start", "purpose": "out"}).status_code == 302
    asked = game.votes.get().pk
    assert client_of(third).post(vote, {"do": "agree", "vote": asked}).status_code == 302
    play_on(game, clock, run_sweep)
    assert f"{gone} was absent, and the others agreed" in result_of(game, other)
    assert (has_finished(game, gone), has_finished(game, other)) == (False, True)


def test_the_player_hands_the_seat_over_and_is_gone(
    clock: FrozenClock, run_sweep: Callable[[], None]
) -> None:
    game, gone, (other, _third) = started_game(pace="slow", is_public="on")
    assert client_of(gone).post(f"/g/{game.key}/hand-over/", {"do": "everybody"}).status_code == 302
    noor = person("Noor")
    seat = f"/seats/{game.seat_offers.get().key}/"
    assert seat in client_of(noor).get("/").text
    assert client_of(noor).post(seat).status_code == 302
    clock.move_on(days=1, seconds=30)
    run_sweep()
    assert mover(game) == noor
    play_on(game, clock, run_sweep)
    assert f"{gone} handed the seat over to Noor" in result_of(game, other)
    assert game.seats.get(user=noor).rank, "the result is of the person who finishes the game"
    assert has_finished(game, gone)
    assert has_finished(game, noor)
