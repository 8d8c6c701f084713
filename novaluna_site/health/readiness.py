"""Whether the site can show pages, and whether all of it works."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache

from django.db import DatabaseError

from novaluna_site.health import services
from novaluna_site.health.finding import Finding

Check = Callable[[], Iterator[Finding]]

# Without these, a process can show no page.
NEEDED: Mapping[str, Check] = {
    "database": services.database,
    "migrations": lambda: iter(() if _has_tables() else services.missing_migrations()),
}
# Pages work without these. A proxy must not take them away, but somebody should look.
WATCHED: Mapping[str, Check] = {
    "redis": services.redis_server,
    "parts": services.parts,
    "games": services.comparison,
}


def findings() -> dict[str, list[str]]:
    """Return what each check has found, in words. If no page can be shown, only the checks that say why."""
    needed = {name: _words(check) for name, check in NEEDED.items()}
    return (
        needed if any(needed.values()) else needed | {name: _words(check) for name, check in WATCHED.items()}
    )


def _words(check: Check) -> list[str]:
    try:
        return [finding.what for finding in check()]
    except DatabaseError as error:
        return [f"The database does not answer: {error}"]


@lru_cache(maxsize=1)
def _found_tables() -> bool:
    return True


def _has_tables() -> bool:
    """Return whether all migrations were applied once. No later look is needed: they are never undone."""
    if _found_tables.cache_info().currsize:
        return True
    if any(services.missing_migrations()):
        return False
    return _found_tables()
