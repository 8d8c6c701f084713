from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_daily_email"),
        ("games", "0009_notification_channels"),
    ]

    operations = [
        # The column stays in the database, because processes with the old code read it until they restart.
        # Its default lets the new code, which does not know it, store users.
        migrations.AlterField(
            model_name="user",
            name="turn_mails",
            field=models.BooleanField(
                default=True,
                db_default=True,
                help_text="Sent once a turn, to your confirmed address, and not while you have the game open.",
                verbose_name="mail me when it is my turn",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.RemoveField(model_name="user", name="turn_mails")]
        ),
    ]
