"""The database refuses to change or delete rows of the trail."""

from django.db import migrations

POSTGRESQL = """
CREATE FUNCTION refuse_change_of_trail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the trail is append-only';
END $$;
CREATE TRIGGER trail_is_append_only BEFORE UPDATE OR DELETE ON games_trailentry
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_trail();
"""
NO_POSTGRESQL = """
DROP TRIGGER trail_is_append_only ON games_trailentry;
DROP FUNCTION refuse_change_of_trail();
"""
SQLITE = [
    f"CREATE TRIGGER trail_refuses_{event} BEFORE {event} ON games_trailentry "
    "BEGIN SELECT RAISE(ABORT, 'the trail is append-only'); END"
    for event in ("UPDATE", "DELETE")
]
NO_SQLITE = [f"DROP TRIGGER trail_refuses_{event}" for event in ("UPDATE", "DELETE")]


def refuse(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(POSTGRESQL)
    else:
        for statement in SQLITE:
            schema_editor.execute(statement)


def allow(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(NO_POSTGRESQL)
    else:
        for statement in NO_SQLITE:
            schema_editor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0079_moderation'),
    ]

    operations = [migrations.RunPython(refuse, allow)]
