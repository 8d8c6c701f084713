from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_first_game_tips")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="digest_hour",
            field=models.PositiveSmallIntegerField(
                db_default=18,
                default=18,
                help_text="In the person's time zone.",
                verbose_name="hour of the daily email",
            ),
        ),
        migrations.AddField(
            model_name="user",
            name="time_zone",
            field=models.CharField(
                blank=True,
                db_default="",
                help_text="Such as Europe/Berlin; empty for the site's.",
                max_length=40,
                verbose_name="time zone",
            ),
        ),
    ]
