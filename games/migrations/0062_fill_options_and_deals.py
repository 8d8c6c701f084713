"""Fills the options of games and what is dealt, all of the first title.

Not atomic: each batch is stored on its own and locks nothing for long. Rows that are filled are skipped, so an
interrupted migration can run again. Processes of the release before may still open tables and deal: the
program reads such rows by their old columns (`Game.all_options`, `Deal.contents`).
"""

from django.db import migrations
from django.db.models import F
from django.db.models.functions import JSONObject

BATCH = 500


def fill(apps, schema_editor):
    games = apps.get_model("games", "Game").objects.filter(options__isnull=True)
    for pks in batches(games):
        games.filter(pk__in=pks).update(options=JSONObject(discs=F("goal_discs")))
    deals = apps.get_model("games", "Deal").objects
    for pks in batches(deals.filter(dealt__isnull=True)):
        # A deal that is fixed never changes. The others follow at the start of their games.
        fixed = [deal for deal in deals.filter(pk__in=pks) if deal.deck]
        for deal in fixed:
            deal.dealt = {"deck": deal.deck, "start_order": deal.start_order}
        deals.bulk_update(fixed, ["dealt"])


def batches(rows):
    """Yield the ids of the rows, each time the next ones."""
    pks, ids = [0], rows.order_by("pk").values_list("pk", flat=True)
    while pks := list(ids.filter(pk__gt=pks[-1])[:BATCH]):
        yield pks


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ("games", "0061_options_and_deals"),
    ]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
