# Offers of paces become votes. They have never been in a release, so no running process uses the old names.

from django.conf import settings
from django.db import migrations, models
from django.db.models import Q

OLD_OUTCOMES = """
UPDATE games_vote SET outcome = CASE WHEN is_accepted THEN 'agreed' ELSE 'declined' END WHERE settled_at IS NOT NULL
"""


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0027_reliability'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(model_name='paceoffer', name='pace_offer_one_open'),
        migrations.RenameModel('PaceOffer', 'Vote'),
        migrations.AlterModelOptions(
            name='vote',
            options={'ordering': ['game', 'pk'], 'verbose_name': 'vote', 'verbose_name_plural': 'votes'},
        ),
        migrations.RenameField('vote', 'offered_by', 'started_by'),
        migrations.RenameField('vote', 'offered_at', 'started_at'),
        migrations.AlterField(
            model_name='vote',
            name='game',
            field=models.ForeignKey(on_delete=models.deletion.CASCADE, related_name='votes', to='games.game', verbose_name='game'),
        ),
        migrations.AlterField(
            model_name='vote',
            name='started_by',
            field=models.ForeignKey(null=True, on_delete=models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='started by'),
        ),
        migrations.AlterField(
            model_name='vote',
            name='started_at',
            field=models.DateTimeField(auto_now_add=True, verbose_name='started'),
        ),
        migrations.AddField(
            model_name='vote',
            name='purpose',
            field=models.CharField(choices=[('pace', 'change the pace'), ('bot', 'a bot plays for an absent player'), ('out', 'an absent player is out'), ('cancel', 'cancel the game')], default='pace', max_length=8, verbose_name='purpose'),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name='vote',
            name='seat',
            field=models.PositiveSmallIntegerField(null=True, verbose_name='seat of the absent player'),
        ),
        migrations.AddField(
            model_name='vote',
            name='outcome',
            field=models.CharField(blank=True, choices=[('agreed', 'all agreed'), ('declined', 'declined or withdrawn'), ('back', 'the absent player is back'), ('lapsed', 'lapsed')], default='', max_length=8, verbose_name='outcome'),
            preserve_default=False,
        ),
        migrations.RunSQL(OLD_OUTCOMES, migrations.RunSQL.noop, elidable=True),
        migrations.RemoveField(model_name='vote', name='is_accepted'),
        migrations.AddConstraint(
            model_name='vote',
            constraint=models.UniqueConstraint(condition=Q(('settled_at__isnull', True)), fields=('game',), name='vote_one_running'),
        ),
        migrations.AddIndex(
            model_name='vote',
            index=models.Index(condition=Q(('settled_at__isnull', True)), fields=['started_at'], name='vote_running'),
        ),
        migrations.AlterField(
            model_name='notification',
            name='kind',
            field=models.CharField(choices=[('turn', 'your turn'), ('started', 'game started'), ('over', 'game over'), ('table', 'table closes soon'), ('invite', 'invitation'), ('left', 'a player leaves'), ('reminder', 'your time is running out'), ('bot', 'a bot plays for you'), ('nudge', 'nudge'), ('vote', 'vote'), ('chat', 'chat')], max_length=8, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='notificationchoice',
            name='kind',
            field=models.CharField(choices=[('turn', 'your turn'), ('started', 'game started'), ('over', 'game over'), ('table', 'table closes soon'), ('invite', 'invitation'), ('left', 'a player leaves'), ('reminder', 'your time is running out'), ('bot', 'a bot plays for you'), ('nudge', 'nudge'), ('vote', 'vote'), ('chat', 'chat')], max_length=8, verbose_name='kind'),
        ),
        migrations.AlterField(
            model_name='seatchange',
            name='reason',
            field=models.CharField(choices=[('time', 'time was up'), ('call', 'others agreed'), ('back', 'player is back')], max_length=8, verbose_name='reason'),
        ),
    ]
