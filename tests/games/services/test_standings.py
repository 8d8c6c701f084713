"""Results and standings are stored with the end of a solo game, and equal what the logs give."""

from datetime import timedelta
from importlib import import_module
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import StateApps
from django.db.models import F

from accounts.guests import KEPT
from accounts.models import User
from games.models import Game, LeaderboardKey, ScoreCount, SoloResult, Standing
from games.services import hints
from games.tasks import prune
from tests.play import game_of, person, play_out, score_of, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def rebuild(*args: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("rebuild_standings", *args, stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def scores_of(user: User, measure: str = "best") -> dict[str, float]:
    """Return the scores of a player by period."""
    return dict(Standing.objects.filter(user=user, measure=measure).values_list("period", "score"))


def test_the_end_of_a_solo_game_stores_a_result_and_standings_in_every_period(ines: User) -> None:
    games = [play_out(solo_of(ines), seed) for seed in (1, 2)]
    best = min(games, key=lambda game: game.score)
    result = SoloResult.objects.get(game=best)
    assert (result.user, result.score, result.ended_at) == (ines, best.score, best.moved_at)
    assert result.tie_break == best.actions.filter(payload__do="place").count()
    standings = Standing.objects.filter(user=ines, measure="best")
    assert {standing.period for standing in standings} == set(Standing.Period)
    assert {(row.score, row.game, row.played, row.is_listed) for row in standings} == {
        (best.score, best, 2, True)
    }
    assert sum(ScoreCount.objects.values_list("number", flat=True)) == 2
    assert rebuild("--check") == (
        0,
        "2 solo games, 1 players: 0 values differ from the logs, 0 logs cannot be replayed.\n",
    )


def test_a_game_with_a_hint_has_a_result_that_counts_for_nothing(ines: User) -> None:
    game = solo_of(ines)
    hints.ask(game.key, ines, 1)
    play_out(game)
    assert not SoloResult.objects.get(game=game).is_without_hints
    assert not Standing.objects.exists()
    assert not ScoreCount.objects.exists()
    play_out(game_of(ines, person("Tobias")))
    assert SoloResult.objects.count() == 1, "games with others have no result"
    assert rebuild("--check")[0] == 0


@pytest.mark.parametrize(
    ("change", "report"),
    [
        (lambda: SoloResult.objects.update(score=F("score") - 1), "score is"),
        (lambda: SoloResult.objects.update(user=None), "user_id is None"),
        (lambda: SoloResult.objects.all().delete(), "score is None"),
        (lambda: Game.objects.update(is_without_hints=False), "is_without_hints is True"),
        (lambda: Standing.objects.filter(period="week").update(score=12), "score is 12.0"),
        (lambda: Standing.objects.filter(period="all").update(is_listed=False), "is_listed is False"),
        (lambda: Standing.objects.filter(period="day").delete(), "played is None"),
        (lambda: Standing.objects.update(starts_on="2020-01-01"), "Ines on free/best/week of 2020-01-01"),
        (lambda: ScoreCount.objects.update(number=7), "number is 7"),
        (lambda: ScoreCount.objects.all().delete(), "number is 0"),
    ],
)
def test_every_changed_row_is_found_and_rebuilt(ines: User, change, report: str) -> None:
    play_out(solo_of(ines))
    change()
    code, output = rebuild("--check")
    assert code == 1
    assert report in output
    assert rebuild("--check")[0] == 1, "a check stores nothing"
    assert rebuild()[0] == 0
    assert rebuild("--check")[0] == 0


def test_a_log_that_cannot_be_replayed_is_reported(ines: User) -> None:
    game = play_out(solo_of(ines))
    game.actions.filter(number=1).update(payload={"do": "dance"})
    code, output = rebuild("--check")
    assert code == 1
    assert f"game {game.pk}: its log cannot be replayed" in output


def test_an_average_counts_from_ten_results_on(ines: User) -> None:
    for nth in range(9):
        score_of(ines, 100 + nth)
    assert scores_of(ines, "average") == {}
    score_of(ines, 130)
    assert scores_of(ines, "average") == dict.fromkeys(Standing.Period, 106.6)
    assert scores_of(ines) == dict.fromkeys(Standing.Period, 100)


def test_each_period_has_the_best_of_its_own_results(ines: User) -> None:
    now = score_of(ines, 120).ended_at
    for days, score in ((400, 90), (800, 95)):
        score_of(ines, score, ended_at=now - timedelta(days=days))
    assert Standing.objects.filter(user=ines).count() == 10
    today = Standing.Period.MONTH.start(now)
    month = Standing.objects.on(LeaderboardKey("free", "best", "month", today)).get()
    assert (month.score, month.played) == (120, 1)
    assert (scores_of(ines)["all"], Standing.objects.get(period="all").played) == (90, 3)


def test_the_standings_of_a_deactivated_account_are_not_listed(ines: User) -> None:
    score_of(ines, 90)
    ines.is_active = False
    ines.save()
    assert not Standing.objects.listed().exists()
    ines.is_active = True
    ines.save()
    assert Standing.objects.listed().count() == len(Standing.Period)


def test_a_result_outlives_the_account_of_its_player(ines: User) -> None:
    guest = User.objects.create_user("Amber-Comet", is_guest=True)
    game = play_out(solo_of(guest))
    assert not Standing.objects.listed().exists()
    User.objects.filter(pk=guest.pk).update(last_login=game.moved_at - KEPT * 2)
    prune()
    assert not User.objects.filter(pk=guest.pk).exists()
    assert SoloResult.objects.get(game=game).user is None
    assert not Standing.objects.exists()
    assert ScoreCount.objects.get().number == 1, "the score is still one of all scores"
    assert rebuild("--check")[0] == 0


def apps_before_renaming() -> StateApps:
    """Return the models with the names of fields that the migration knows."""
    loader = MigrationLoader(connection, replace_migrations=False)
    return loader.project_state(
        [("games", "0065_fill_awaited_seats"), ("accounts", "0013_refused_address")]
    ).apps


def test_the_migration_stores_what_the_logs_give(ines: User) -> None:
    for seed in (1, 2, 3):
        play_out(solo_of(ines), seed)
    hinted = solo_of(ines)
    hints.ask(hinted.key, ines, 1)
    play_out(hinted)
    play_out(solo_of(User.objects.create_user("Amber-Comet", is_guest=True)))
    gone = play_out(solo_of(ines), 4)
    gone.seats.update(user=None)
    for rows in (SoloResult, Standing, ScoreCount):
        rows.objects.all().delete()
    migration = import_module("games.migrations.0025_fill_standings")
    for _run in range(2):  # An interrupted migration runs again.
        migration.fill(apps_before_renaming(), None)
    assert rebuild("--check")[0] == 0
    assert SoloResult.objects.count() == 6


def test_the_migration_stores_averages(ines: User) -> None:
    for nth in range(12):
        score_of(ines, 100 + nth, tiles=20 + nth)
    fields = ("measure", "period", "starts_on", "score", "tie_break", "reached_at", "played", "game")
    before = set(Standing.objects.values_list(*fields))
    Standing.objects.all().delete()
    import_module("games.migrations.0025_fill_standings").fill(apps_before_renaming(), None)
    assert set(Standing.objects.values_list(*fields)) == before
