"""Drops two indexes of actions that the others replace. On PostgreSQL, games go on meanwhile."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.migrations.operations.base import Operation


class DropIndexBesideGames(Operation):
    """Drops the index of a foreign key, without a lock where the database can.

    `AlterField` would also drop and add the foreign key, under a lock on both tables.
    """

    reversible = True

    def __init__(self, table, column, name):
        self.table, self.column, self.name = table, column, name

    def state_forwards(self, app_label, state):
        pass

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        schema_editor.execute(f"DROP INDEX {_beside_games(schema_editor)} IF EXISTS {self.name}")

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        # PostgreSQL keeps an index that it could not complete, and never uses it.
        self.database_forwards(app_label, schema_editor, from_state, to_state)
        place = f"{self.name} ON {self.table} ({self.column})"
        schema_editor.execute(f"CREATE INDEX {_beside_games(schema_editor)} {place}")


def _beside_games(schema_editor):
    return "CONCURRENTLY" if schema_editor.connection.vendor == "postgresql" else ""


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('games', '0087_latest_actions_of_a_person'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                DropIndexBesideGames('games_action', 'game_id', 'games_action_game_id_84e59f39'),
                DropIndexBesideGames('games_action', 'made_by_id', 'games_action_made_by_id_5336a225'),
            ],
            state_operations=[
                migrations.AlterField(
                    model_name='action',
                    name='game',
                    field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='actions', to='games.game', verbose_name='game'),
                ),
                migrations.AlterField(
                    model_name='action',
                    name='made_by',
                    field=models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='made by'),
                ),
            ],
        ),
    ]
