"""Rates people by title: a rating has a key of its own, and is unique by player and title.

No operation changes a primary key in place on every database, so the table is replaced by a new one with the
same name and rows, in one transaction. It is small, with one row for each rated player. Processes of the
release before wait for that moment, then go on with the new table: they leave its `id` and `title` to the
database, and rate Nova Luna, the only title that they know. They find a rating by its player alone, so a
second title is installed only after all processes run the new release: they would overwrite its ratings.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

COLUMNS = ("user_id", "mean", "deviation", "games", "is_listed")


def copy(apps, schema_editor):
    old, new = (apps.get_model("games", name)._meta.db_table for name in ("OldRating", "PlayerRating"))
    columns = ", ".join(schema_editor.quote_name(column) for column in COLUMNS)
    schema_editor.execute(
        f"INSERT INTO {schema_editor.quote_name(new)} ({columns}) "
        f"SELECT {columns} FROM {schema_editor.quote_name(old)}"
    )


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0062_fill_options_and_deals"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveIndex(model_name="playerrating", name="rating_rank"),
        migrations.RenameModel(old_name="PlayerRating", new_name="OldRating"),
        migrations.CreateModel(
            name="PlayerRating",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("title", models.CharField(db_default="novaluna", default="novaluna", max_length=24, verbose_name="title")),
                ("mean", models.FloatField(default=1500.0, verbose_name="rating")),
                ("deviation", models.FloatField(default=250.0, verbose_name="standard deviation")),
                ("games", models.PositiveIntegerField(default=0, verbose_name="rated games")),
                ("is_listed", models.BooleanField(default=False, help_text="an active account with enough rated games", verbose_name="listed")),
                ("user", models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="ratings", to=settings.AUTH_USER_MODEL, verbose_name="player")),
            ],
            options={
                "verbose_name": "rating",
                "verbose_name_plural": "ratings",
                "indexes": [models.Index(condition=models.Q(("is_listed", True)), fields=["title", "-mean", "user"], name="rating_rank")],
                "constraints": [models.UniqueConstraint(fields=("user", "title"), name="rating_once_a_title")],
            },
        ),
        migrations.RunPython(copy, migrations.RunPython.noop, elidable=True),
        migrations.DeleteModel(name="OldRating"),
    ]
