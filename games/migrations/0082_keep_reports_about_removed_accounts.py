"""Keep reports about removed accounts with their names, and note each right in the trail."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0081_trail_is_not_emptied'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='report',
            name='subject_name',
            field=models.CharField(blank=True, db_default='', default='', help_text='As it was when the account was removed; empty before.', max_length=150, verbose_name='name of the person'),
        ),
        migrations.AlterField(
            model_name='report',
            name='outcome',
            field=models.CharField(blank=True, choices=[('acted', 'Moderators have acted'), ('dismissed', 'No rule was broken'), ('removed', 'The account was removed')], max_length=9, verbose_name='outcome'),
        ),
        migrations.AlterField(
            model_name='report',
            name='subject',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='person'),
        ),
        migrations.AlterField(
            model_name='trailentry',
            name='action',
            field=models.CharField(choices=[('dismiss', 'dismissed a report'), ('take', 'took a measure'), ('lift', 'lifted a measure'), ('keep', 'kept a measure after an objection'), ('object', 'objected to a measure'), ('appoint', 'made somebody a moderator'), ('relieve', "ended somebody's role as a moderator"), ('staff', 'made somebody staff, who reach the admin'), ('no_staff', "ended somebody's access to the admin"), ('super', 'made somebody a superuser, who may do everything'), ('no_super', "ended somebody's role as a superuser")], max_length=8, verbose_name='action'),
        ),
    ]
