"""Counts stored live games that were lost on time as finished, unless the player was away.

It sets what `services/projections/attendances.py` derives. Not atomic: each batch is stored on its own, and
an interrupted migration can run again. What a process of the release before stores meanwhile as left,
`manage.py rebuild_games` corrects.
"""

from datetime import timedelta

from django.db import migrations
from django.db.models import F, OuterRef, Subquery

BATCH = 500
AWAY = timedelta(minutes=2)


def count_as_finished(apps, schema_editor):
    attendances = apps.get_model("games", "Attendance").objects
    actions = apps.get_model("games", "Action").objects
    outages = list(apps.get_model("games", "Outage").objects.order_by("started_at"))
    before = actions.filter(game=OuterRef("game"), number=OuterRef("number") - 1)
    left = attendances.filter(has_finished=False, game__pace__in=["live", "live5", "live3"])
    pk = 0
    while batch := list(left.filter(pk__gt=pk).order_by("pk").values_list("pk", "game", "user")[:BATCH]):
        pk = batch[-1][0]
        games = {game for _pk, game, _user in batch}
        lost = actions.filter(
            game__in=games,
            payload__do="resign",
            payload__reason="time",
            game__seats__number=F("seat"),
            game__seats__caretaker="",
        ).exclude(game__ending="cancelled")
        spans = lost.annotate(before=Subquery(before.values("at")[:1])).values_list(
            "game", "game__seats__user", "before", "game__started_at", "at"
        )
        stayed = {
            (game, user)
            for game, user, start, begin, end in spans
            if counted(outages, start or begin, end) < AWAY
        }
        attendances.filter(pk__in=[pk for pk, game, user in batch if (game, user) in stayed]).update(
            has_finished=True
        )


def counted(outages, start, end):
    """Return the time between two instants in which the site was up; outages may overlap."""
    up, seen = end - start, start
    for outage in outages:
        first, last = max(outage.started_at, seen), min(outage.ended_at, end)
        if last > first:
            up -= last - first
            seen = last
    return up


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("games", "0091_actions_instead_of_plans"),
    ]

    operations = [
        migrations.RunPython(count_as_finished, migrations.RunPython.noop, elidable=True),
    ]
