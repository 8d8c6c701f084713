"""Adds an index to all actions. On PostgreSQL, games go on meanwhile."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class AddIndexBesideGames(AddIndexConcurrently):
    """Adds an index without a lock where the database can, and again after a run that was interrupted."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            migrations.AddIndex.database_forwards(self, app_label, schema_editor, from_state, to_state)
            return
        # PostgreSQL keeps an index that it could not complete, and never uses it.
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {self.index.name}")
        super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            migrations.AddIndex.database_backwards(self, app_label, schema_editor, from_state, to_state)
            return
        super().database_backwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('games', '0086_lines_deleted_in_the_admin'),
    ]

    operations = [
        AddIndexBesideGames(
            model_name='action',
            index=models.Index(fields=['made_by', '-at'], name='action_latest_of_a_person'),
        ),
    ]
