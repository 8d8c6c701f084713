from django.db import migrations, models


class Migration(migrations.Migration):
    """Changes words of the admin only."""

    dependencies = [("accounts", "0018_sound")]

    operations = [
        migrations.AlterField(
            "user",
            "confirm_moves",
            models.BooleanField(
                "ask me to confirm each move",
                default=True,
                help_text="Without it, a move counts as soon as it is complete.",
            ),
        ),
        migrations.AlterField(
            "user",
            "shortcuts",
            models.BooleanField(
                "single keys as shortcuts", default=True, help_text="On the board, such as C to confirm."
            ),
        ),
    ]
