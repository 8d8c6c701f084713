import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

TURN_MAILS = ["turn", "started", "over", "table", "invite"]
BATCH = 1000


def copy_turn_mails(apps, schema_editor):
    """People who wanted no emails about turns get none of any kind."""
    choice = apps.get_model("games", "NotificationChoice")
    users = apps.get_model("accounts", "User").objects.filter(turn_mails=False).values_list("pk", flat=True)
    choice.objects.bulk_create(
        (
            choice(user_id=pk, kind=kind, channel="mail", is_wanted=False)
            for pk in users.iterator(chunk_size=BATCH)
            for kind in TURN_MAILS
        ),
        batch_size=BATCH,
    )


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_rematches'),
        ("accounts", "0007_daily_email"),
    ]

    operations = [
        migrations.CreateModel(
            name='NotificationChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('turn', 'your turn'), ('started', 'game started'), ('over', 'game over'), ('table', 'table closes soon'), ('invite', 'invitation')], max_length=8, verbose_name='kind')),
                ('channel', models.CharField(choices=[('mail', 'immediate email'), ('digest', 'daily email')], max_length=8, verbose_name='channel')),
                ('is_wanted', models.BooleanField(verbose_name='is wanted')),
            ],
            options={
                'verbose_name': 'choice of notifications',
                'verbose_name_plural': 'choices of notifications',
            },
        ),
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_once_a_turn',
        ),
        migrations.AddField(
            model_name='notification',
            name='channel',
            field=models.CharField(choices=[('mail', 'immediate email'), ('digest', 'daily email')], db_default="mail", default='mail', max_length=8, verbose_name='channel'),
        ),
        migrations.AddField(
            model_name='seat',
            name='is_silent',
            field=models.BooleanField(db_default=False, default=False, help_text='the player gets no notifications about it', verbose_name='silent'),
        ),
        migrations.AlterField(
            model_name='notification',
            name='kind',
            field=models.CharField(choices=[('turn', 'your turn'), ('started', 'game started'), ('over', 'game over'), ('table', 'table closes soon'), ('invite', 'invitation')], max_length=8, verbose_name='kind'),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.UniqueConstraint(fields=('game', 'user', 'kind', 'version', 'channel'), name='notification_once_a_channel'),
        ),
        migrations.AddField(
            model_name='notificationchoice',
            name='user',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notification_choices', to=settings.AUTH_USER_MODEL, verbose_name='player'),
        ),
        migrations.AddConstraint(
            model_name='notificationchoice',
            constraint=models.UniqueConstraint(fields=('user', 'kind', 'channel'), name='notification_choice_once'),
        ),
        migrations.RunPython(copy_turn_mails, migrations.RunPython.noop, elidable=True),
    ]
