"""Fills since when the seats of running games are awaited, all of the first title: one seat in each.

Not atomic: each batch is stored on its own and locks its games only. An interrupted migration can run again.
If a process of the release before stores an action meanwhile, the sweep of this release rebuilds the game
(`services/projections/healing.py`); until then, all pages take `Game.to_move` for the awaited seat.

The turn began with the last action of another seat, or with the start. It may have begun earlier if another
player has left during the turn; the next action, or `manage.py rebuild_games`, stores that.
"""

from django.db import migrations, transaction
from django.db.models import F, Max, Q

BATCH = 200


def fill(apps, schema_editor):
    running = apps.get_model("games", "Game").objects.filter(status="running")
    pk = 0
    while batch := list(running.filter(pk__gt=pk).order_by("pk").values_list("pk", flat=True)[:BATCH]):
        pk = batch[-1]
        with transaction.atomic(using=schema_editor.connection.alias):
            locked = running.filter(pk__in=batch, to_move__isnull=False).order_by("pk").select_for_update()
            fill_seats(apps, {game.pk: game for game in locked})


def fill_seats(apps, games):
    others = Q(game__actions__seat=None) | ~Q(game__actions__seat=F("number"))
    seats = apps.get_model("games", "Seat").objects.filter(
        game__in=games, number=F("game__to_move"), awaited_since=None
    )
    seats = list(seats.annotate(since=Max("game__actions__number", filter=others)))
    for seat in seats:
        seat.awaited_since = seat.since or 0
        if seat.clock_started_at is not None:
            seat.deadline = games[seat.game_id].deadline
    apps.get_model("games", "Seat").objects.bulk_update(seats, ["awaited_since", "deadline"])


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("games", "0064_awaited_seats"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
