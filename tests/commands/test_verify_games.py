"""Games are compared with their logs: all by a command, and each night those that have changed."""

from datetime import timedelta
from io import StringIO
from unittest import mock

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games.models import Action, Game, PlayerRating, Seat, SoloResult, Verification
from games.services.projections import verification
from tests.play import fresh, game_of, person, play_out, play_some, solo_of

pytestmark = pytest.mark.django_db


def verify(*arguments: str) -> tuple[int, str]:
    """Return the exit status of the command, and what it prints."""
    out = StringIO()
    try:
        call_command("verify_games", *arguments, "--jobs", "1", stdout=out, stderr=StringIO())
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


@pytest.fixture
def game() -> Game:
    return play_some(game_of(person("Ines"), person("Tobias")), 6)


def test_games_that_are_as_their_logs_say_are_counted(game: Game) -> None:
    play_out(solo_of(person("Mina")))
    status, words = verify()
    assert status == 0
    assert words.startswith("2 games in ")
    assert words.endswith("all are as their logs say.\n")
    row = Verification.objects.get()
    assert (row.games, row.wrong, row.first_problem) == (2, 0, "")
    assert row.finished_at


def test_projections_of_an_earlier_action_name_the_first_that_they_miss(game: Game) -> None:
    before = {seat.pk: seat for seat in game.seats.all()}
    earlier = fresh(game)
    play_some(game, 2)
    for seat in before.values():
        Seat.objects.filter(pk=seat.pk).update(
            figures=seat.figures, discs=seat.discs, time=seat.time, rank=seat.rank
        )
    Game.objects.filter(pk=game.pk).update(to_move=earlier.to_move)
    status, words = verify(game.key)
    assert status == 1
    assert "The first action that differs is 7" in words


def test_an_action_that_is_not_possible_is_named(game: Game) -> None:
    action = Action.objects.get(game=game, number=4)
    Action.objects.filter(pk=action.pk).update(payload={"do": "place", "tile": "none", "cell": [0, 0]})
    status, words = verify()
    assert status == 1
    assert words.startswith(f"{game.key}: its log cannot be replayed: Action 4 ")


def test_an_action_that_is_legal_but_another_one_is_found(game: Game) -> None:
    first, second = Action.objects.filter(game=game, number__in=(5, 6))
    Action.objects.filter(pk=second.pk).update(payload=first.payload)
    status, words = verify()
    assert status == 1
    assert game.key in words


@pytest.mark.parametrize(
    "change",
    [
        lambda: Game.objects.update(version=5),
        lambda: Game.objects.update(moved_at=timezone.now() - timedelta(days=9)),
        lambda: Seat.objects.filter(number=1).update(figures={"discs": 1}),
        lambda: Seat.objects.filter(number=0).update(has_left=True),
    ],
)
def test_each_projection_is_compared(game: Game, change: object) -> None:
    assert verify()[0] == 0
    change()  # type: ignore[operator]
    assert verify()[0] == 1
    assert Verification.objects.latest("pk").wrong == 1


def test_results_standings_and_ratings_are_compared() -> None:
    ines = person("Ines")
    solo = play_out(solo_of(ines))
    assert verify()[0] == 0
    SoloResult.objects.filter(game=solo).update(score=99)
    assert "score is 99" in verify(solo.key)[1]
    assert verify()[0] == 1
    SoloResult.objects.filter(game=solo).update(score=fresh(solo).score)
    PlayerRating.objects.create(user=ines, mean=2000, games=3)
    assert "rating of Ines" in verify()[1]


def test_a_game_that_does_not_exist_is_an_error(game: Game) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        call_command("verify_games", "nowhere")


@pytest.mark.django_db(transaction=True)
def test_several_processes_find_the_same() -> None:
    games = [play_some(game_of(person(f"A{n}"), person(f"B{n}")), 3) for n in range(4)]
    Game.objects.filter(pk=games[2].pk).update(version=2)
    out = StringIO()
    with mock.patch("games.management.commands.verify_games.BATCH", 1), pytest.raises(SystemExit):
        call_command("verify_games", "--jobs", "2", stdout=out)
    assert "4 games in" in out.getvalue()
    assert "1 values of 1 rows are wrong" in out.getvalue()


def test_each_night_games_that_have_changed_are_compared_in_parts(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = play_some(game_of(person("Mina"), person("Noor")), 2)
    queued: list[int] = []
    monkeypatch.setattr(verification, "queue", lambda task, pk: queued.append(pk))
    monkeypatch.setattr(verification, "BATCH", 1)
    monkeypatch.setattr(verification, "PART", 0.0001)

    def night() -> Verification:
        verification.verify_changed()
        while queued:
            verification.verify_changed(queued.pop())
        return Verification.objects.latest("pk")

    first = night()
    assert (first.games, first.wrong, first.changed_since) == (2, 0, None)
    assert first.finished_at
    Game.objects.filter(pk=other.pk).update(moved_at=timezone.now() - timedelta(days=2), version=1)
    Game.objects.filter(pk=game.pk).update(version=5)
    second = night()
    assert (second.games, second.wrong) == (1, 1), "the other has not changed"
    assert second.first_problem.startswith(game.key)
    verification.verify_changed(second.pk)
    assert not queued, "a task that comes twice does nothing"


def test_a_lost_night_is_made_up_for_and_few_rows_are_kept(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _night in range(verification.KEPT + 3):
        verification.finish(verification.begin(None))
    lost = verification.begin(timezone.now())
    assert Verification.objects.count() == verification.KEPT
    monkeypatch.setattr(verification, "PART", 60.0)
    verification.verify_changed()
    assert Verification.objects.get(pk=lost.pk).finished_at is None
    assert Verification.objects.latest("pk").games == 1
    assert verification.latest() == Verification.objects.latest("pk")
