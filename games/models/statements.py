"""Statements that Django writes once for each process, because that takes it longer than to run them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql import Query

# In the place of the ids that a statement gets, and of its time.
PLACES = (2_000_000_011, 2_000_000_033)
TIME = datetime(2000, 1, 1, 0, 0, 0, 11, UTC)


class Statement:
    """A query with `values_list` for ids, which differ from call to call, and nothing else that does.

    With `has_time`, a time follows the ids.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Any]], *, has_time: bool = False) -> None:
        self._query, self._has_time = query, has_time
        self._written: dict[str, tuple[Any, ...]] = {}

    def rows(self, *ids: int | datetime | None) -> list[tuple[Any, ...]]:
        """Run the statement with these ids; None is the id of nothing."""
        places = (*PLACES[: len(ids) - 1], TIME) if self._has_time else PLACES[: len(ids)]
        if connection.vendor not in self._written:
            self._written[connection.vendor] = _write(self._query(*places).query)
        query, text, params, converters = self._written[connection.vendor]
        values = dict(zip(map(_as_param, places), map(_as_param, ids), strict=True))
        with connection.cursor() as cursor:
            cursor.execute(text, [values.get(param, param) for param in params])
            found = cursor.fetchall()
        compiler = query.get_compiler(connection=connection)
        return [*map(tuple, compiler.apply_converters(found, converters))] if converters else found


def _write(query: Query) -> tuple[Any, ...]:
    """Return a query with its text and parameters, and what makes values of its columns, as in SQLite."""
    compiler = query.get_compiler(connection=connection)
    text, params = compiler.as_sql()
    return query, text, params, compiler.get_converters([column for column, *_sql in compiler.select])


def _as_param(value: object) -> Any:
    """Return a value as the database gets it; in SQLite, times are texts."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
