"""Fills the results and standings from the games that are over.

Not atomic: each batch is stored on its own and locks nothing for long. Rows that exist are skipped, so an
interrupted migration can run again.
"""

from collections import defaultdict
from datetime import UTC, date, timedelta
from statistics import fmean

from django.db import migrations
from django.db.models import Count

BATCH = 500
STARTS = {
    "day": lambda day: day,
    "week": lambda day: day - timedelta(days=day.weekday()),
    "month": lambda day: day.replace(day=1),
    "all": lambda day: date(2000, 1, 1),
}


def fill(apps, schema_editor):
    results, counts = apps.get_model("games", "SoloResult"), apps.get_model("games", "ScoreCount")
    games = apps.get_model("games", "Game").objects.filter(mode="solo", status="over", score__isnull=False)
    for pks in batches(games):
        fill_results(apps, games.filter(pk__in=pks), pks)
    counted = results.objects.filter(is_rated=True)
    players = apps.get_model("accounts", "User").objects.filter(pk__in=counted.values("user"))
    for pks in batches(players):
        fill_standings(apps, counted.filter(user__in=pks).select_related("user"))
    rows = counted.values_list("kind", "score").annotate(number=Count("pk")).order_by()
    counts.objects.bulk_create(
        (counts(kind=kind, score=score, number=number) for kind, score, number in rows), ignore_conflicts=True
    )


def batches(rows):
    """Yield the ids of the rows, each time the next ones."""
    pks, ids = [0], rows.order_by("pk").values_list("pk", flat=True)
    while pks := list(ids.filter(pk__gt=pks[-1])[:BATCH]):
        yield pks


def fill_results(apps, games, pks):
    result = apps.get_model("games", "SoloResult")
    actions = apps.get_model("games", "Action").objects.filter(game__in=pks, payload__do="place")
    tiles = dict(actions.values_list("game").annotate(Count("pk")).order_by())
    users = dict(apps.get_model("games", "Seat").objects.filter(game__in=pks).values_list("game", "user"))
    result.objects.bulk_create(
        (
            result(
                game=game,
                user_id=users[game.pk],
                kind="free",
                score=game.score,
                tiles=tiles.get(game.pk, 0),
                ended_at=game.moved_at,
                is_rated=game.is_rated,
            )
            for game in games
        ),
        ignore_conflicts=True,
    )


def fill_standings(apps, results):
    standing = apps.get_model("games", "Standing")
    by_period = defaultdict(list)
    for result in results:
        for period, start in STARTS.items():
            day = start(result.ended_at.astimezone(UTC).date())
            by_period[result.user, period, day].append(result)
    rows = []
    for (user, period, day), own in by_period.items():
        board = {"user": user, "kind": "free", "period": period, "starts_on": day}
        board |= {"played": len(own), "is_listed": user.is_active and not user.is_guest}
        best = min(own, key=lambda result: (result.score, result.tiles, result.ended_at, result.game_id))
        rows.append(
            standing(
                measure="best",
                score=best.score,
                tiles=best.tiles,
                reached_at=best.ended_at,
                game_id=best.game_id,
                **board,
            )
        )
        if len(own) >= 10:
            rows.append(
                standing(
                    measure="average",
                    score=round(fmean(result.score for result in own), 2),
                    tiles=round(fmean(result.tiles for result in own), 2),
                    reached_at=max(result.ended_at for result in own),
                    **board,
                )
            )
    standing.objects.bulk_create(rows, batch_size=BATCH, ignore_conflicts=True)


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("accounts", "0005_guests"),
        ("games", "0024_standings"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
