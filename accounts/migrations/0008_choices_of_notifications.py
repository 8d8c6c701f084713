from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0007_daily_email"),
        ("games", "0009_notification_channels"),
    ]

    operations = [migrations.RemoveField(model_name="user", name="turn_mails")]
