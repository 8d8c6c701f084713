"""Adds what spectators write to the lines of chats. On PostgreSQL, no row is rewritten."""

import django.db.models.deletion
from django.db import migrations, models


class AllowNull(migrations.AlterField):
    """Allows a foreign key to be empty, without dropping and adding the key under locks on both tables."""

    def database_forwards(self, app_label, schema_editor, from_state, to_state):
        self._alter(super().database_forwards, "DROP", app_label, schema_editor, from_state, to_state)

    def database_backwards(self, app_label, schema_editor, from_state, to_state):
        self._alter(super().database_backwards, "SET", app_label, schema_editor, from_state, to_state)

    def _alter(self, otherwise, verb, app_label, schema_editor, from_state, to_state):
        if schema_editor.connection.vendor != "postgresql":
            otherwise(app_label, schema_editor, from_state, to_state)
            return
        table = to_state.apps.get_model(app_label, self.model_name)._meta.db_table
        schema_editor.execute(f"ALTER TABLE {table} ALTER COLUMN {self.name}_id {verb} NOT NULL")


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0092_live_games_lost_on_time_are_finished"),
    ]

    operations = [
        migrations.AddField(
            model_name="chatline",
            name="watched",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="spectators_lines",
                to="games.game",
                verbose_name="watched game",
            ),
        ),
        AllowNull(
            model_name="chatline",
            name="game",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="chat_lines",
                to="games.game",
                verbose_name="game",
            ),
        ),
        migrations.AddConstraint(
            model_name="chatline",
            constraint=models.CheckConstraint(
                condition=models.Q(("game__isnull", True), ("watched__isnull", False))
                | models.Q(("game__isnull", False), ("watched__isnull", True)),
                name="chat_line_in_one_chat",
            ),
        ),
    ]
