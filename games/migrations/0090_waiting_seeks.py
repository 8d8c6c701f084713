"""Adds an index of the searches for a person that still wait. On PostgreSQL, games go on meanwhile."""

from importlib import import_module

from django.db import migrations, models

AddIndexBesideGames = import_module('games.migrations.0087_latest_actions_of_a_person').AddIndexBesideGames


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('games', '0089_paces_of_seeks'),
    ]

    operations = [
        AddIndexBesideGames(
            model_name='seek',
            index=models.Index(condition=models.Q(('game', None)), fields=['at'], name='seek_waiting'),
        ),
    ]
