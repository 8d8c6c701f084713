from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    """Changes names in Python only: the columns keep theirs, which processes of the release before use."""

    dependencies = [
        ("games", "0065_fill_awaited_seats"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("game", "is_rated", "is_without_hints"),
                migrations.RenameField("soloresult", "is_rated", "is_without_hints"),
                migrations.RenameField("soloresult", "tiles", "tie_break"),
                migrations.RenameField("standing", "tiles", "tie_break"),
                migrations.RenameField("plan", "revealed_count", "known"),
                migrations.RenameField("plan", "outlasts_refill", "outlasts_reveals"),
                migrations.RemoveIndex("standing", "standing_rank"),
                migrations.AlterField(
                    "plan",
                    "known",
                    models.PositiveSmallIntegerField(
                        "known",
                        db_column="revealed_count",
                        help_text="what was revealed when the player made it, as the title counts",
                    ),
                ),
                migrations.AlterField(
                    "plan",
                    "outlasts_reveals",
                    models.BooleanField(
                        "also if something is revealed", db_column="outlasts_refill", default=False
                    ),
                ),
                migrations.AlterField(
                    "game",
                    "is_without_hints",
                    models.BooleanField(
                        "without hints",
                        db_column="is_rated",
                        default=True,
                        db_default=True,
                        help_text="until a player asks for one",
                    ),
                ),
                migrations.AlterField(
                    "soloresult",
                    "is_without_hints",
                    models.BooleanField("rated", db_column="is_rated", help_text="finished without hints"),
                ),
                migrations.AlterField(
                    "soloresult",
                    "tie_break",
                    models.PositiveSmallIntegerField("tie-break", db_column="tiles"),
                ),
                migrations.AlterField(
                    "standing", "tie_break", models.FloatField("tie-break", db_column="tiles")
                ),
                migrations.AddIndex(
                    "standing",
                    models.Index(
                        fields=[
                            "kind",
                            "measure",
                            "period",
                            "starts_on",
                            "score",
                            "tie_break",
                            "reached_at",
                            "id",
                        ],
                        name="standing_rank",
                        condition=Q(is_listed=True),
                    ),
                ),
            ]
        ),
    ]
