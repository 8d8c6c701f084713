"""Statements that Django writes once for each process, because that takes it longer than to run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

# In the place of the ids that a statement gets.
PLACES = (2_000_000_011, 2_000_000_033)


class Statement:
    """A query with `values_list` for ids, which differ from call to call, and nothing else that does."""

    def __init__(self, query: Callable[..., QuerySet[Any, Any]]) -> None:
        self._query = query
        self._written: dict[str, tuple[str, tuple[Any, ...]]] = {}

    def rows(self, *ids: int | None) -> list[tuple[Any, ...]]:
        """Run the statement with these ids; None is the id of nothing."""
        places = PLACES[: len(ids)]
        if connection.vendor not in self._written:
            self._written[connection.vendor] = self._query(*places).query.sql_with_params()
        text, params = self._written[connection.vendor]
        values = dict(zip(places, ids, strict=True))
        with connection.cursor() as cursor:
            cursor.execute(text, [values.get(param, param) for param in params])
            return cursor.fetchall()
