from django.db import migrations, models


class Migration(migrations.Migration):
    """Changes words of the settings only."""

    dependencies = [("games", "0066_names_for_all_titles")]

    operations = [
        migrations.AlterField(
            "hiddenpart",
            "part",
            models.CharField(
                "part",
                max_length=12,
                choices=[
                    ("rating", "Rating over time"),
                    ("results", "Results by number of players"),
                    ("solo", "Solo scores"),
                    ("reliability", "Reliability and how fast you usually answer"),
                    ("best", "Best games"),
                    ("running", "Games in progress"),
                    ("finished", "Finished games"),
                    ("against", "Results between you and the visitor"),
                ],
            ),
        ),
    ]
