"""Statements that Django writes once for each process, because that takes it longer than to run them."""

from collections.abc import Callable, Collection
from copy import copy
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Generic, TypeVar, cast

from django.db import connection, transaction
from django.db.models import QuerySet
from django.db.models.sql import Query

Row = TypeVar("Row")
Value = int | str | datetime | None
Values = Value | Collection[Value]

FIRST_ID = 2_000_000_011
FIRST_TIME = datetime(2000, 1, 1, 0, 0, 0, 11, UTC)


class Statement(Generic[Row]):
    """A query for a few values, which differ from call to call, and nothing else that does.

    Each value stands in the query as it is: an id, a whole text or a time. For a collection of them, which
    follows `__in`, the statement is written for some of its sizes. Its last value fills it up.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Row]]) -> None:
        self._query = query
        self._written: dict[tuple[object, ...], _Written] = {}

    def rows(self, *values: Values) -> list[Row]:
        """Run the statement with these values, of which None is the id of nothing; return what it yields."""
        full = [_filled(value) for value in values]
        form = (connection.vendor, *(len(value) if isinstance(value, list) else 0 for value in full))
        if form not in self._written:
            self._written[form] = _Written(self._query, full)
        return self._written[form].rows(full)


class _Written:
    """A statement whose text is known, for collections of these sizes."""

    def __init__(self, query: Callable[..., QuerySet[Any, Any]], values: list[Any]) -> None:
        numbers = count()
        places = [
            [_place(one, next(numbers)) for one in value]
            if isinstance(value, list)
            else _place(value, next(numbers))
            for value in values
        ]
        self._places = _params(places)
        self._queryset = query(*places)
        self._locks = self._queryset.query.select_for_update
        self._compiler = self._queryset.query.get_compiler(connection=connection)
        self._text, self._params = self._compiler.as_sql()
        if not set(self._places) <= set(self._params):
            raise ValueError("A value is not in the statement as it is.")
        columns = [column for column, *_sql in self._compiler.select[: self._compiler.col_count]]
        self._converters = self._compiler.get_converters(columns)

    def rows(self, values: list[Any]) -> list[Any]:
        """Return what the queryset yields with these values."""
        if self._locks and not connection.in_atomic_block:
            raise transaction.TransactionManagementError("A lock ends with its transaction.")
        given = dict(zip(self._places, _params(values), strict=True))
        params = [given.get(param, param) for param in self._params]
        queryset = self._queryset
        found = type(queryset)(queryset.model, query=cast(Query, _Query(self._compiler_of(params))))
        found._iterable_class = queryset._iterable_class
        return list(found)

    def _compiler_of(self, params: list[Any]) -> Any:
        """Return a compiler that has written this text, which Django runs and reads as its own."""
        compiler = copy(self._compiler)
        compiler.connection = connection
        compiler.as_sql = lambda: (self._text, params)
        compiler.get_converters = lambda _columns: self._converters
        return compiler


class _Query:
    """What Django asks the query of a queryset for, if its compiler is known."""

    values_select = ()

    def __init__(self, compiler: Any) -> None:
        self._compiler = compiler

    def get_compiler(self, using: str) -> Any:
        return self._compiler


def _filled(values: Values) -> list[Value] | Value:
    """Return a collection as a list, with its last value repeated up to the next power of two."""
    if isinstance(values, str) or not isinstance(values, Collection):
        return values
    known = list(values) or [None]
    return known + known[-1:] * ((1 << (len(known) - 1).bit_length()) - len(known))


def _place(value: Value, number: int) -> Value:
    """Return what stands in the written query in the place of such a value."""
    if isinstance(value, str):
        return f"place {number}"
    return FIRST_TIME + timedelta(microseconds=number) if isinstance(value, datetime) else FIRST_ID + number


def _params(values: list[Any]) -> list[Any]:
    """Return all single values as the database gets them; in SQLite, times are texts."""
    singles = [one for value in values for one in (value if isinstance(value, list) else [value])]
    return [
        connection.ops.adapt_datetimefield_value(one) if isinstance(one, datetime) else one for one in singles
    ]
