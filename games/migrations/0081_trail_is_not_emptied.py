"""PostgreSQL refuses to empty the trail too: TRUNCATE fires no trigger that is for each row."""

from django.db import migrations

POSTGRESQL = """
CREATE TRIGGER trail_is_not_emptied BEFORE TRUNCATE ON games_trailentry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_trail();
"""
NO_POSTGRESQL = "DROP TRIGGER trail_is_not_emptied ON games_trailentry"


def refuse(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)


def allow(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(NO_POSTGRESQL)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0080_trail_is_append_only'),
    ]

    operations = [migrations.RunPython(refuse, allow)]
