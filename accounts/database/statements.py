"""Statements that Django writes once for each process, because that takes it longer than to run them."""

from collections.abc import Callable, Collection, Sequence
from copy import copy
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, Generic, TypeVar, cast

from django.db import connection
from django.db.models import QuerySet
from django.db.models.sql import Query, UpdateQuery

Row = TypeVar("Row")
Value = int | str | datetime | None
Values = Value | Collection[Value]

FIRST_ID = 2_000_000_011
FIRST_TIME = datetime(2000, 1, 1, 0, 0, 0, 11, UTC)


class Statement(Generic[Row]):
    """A query for a few values, which differ from call to call, and nothing else that does.

    Each value is a whole parameter of the query: an id, a text or a time. It can also be a collection of them
    after `__in`. Then one statement is written for each power of two, and the last value is repeated.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Row]]) -> None:
        self._query = query
        self._written: dict[tuple[object, ...], _Written] = {}

    def rows(self, *values: Values) -> list[Row]:
        """Run the statement with these values, and return what it yields. None is the id of nothing.

        With an empty collection, no statement runs, because nothing is in it.
        """
        full = [_filled(value) for value in values]
        if [] in full:
            return []
        form = (connection.vendor, *(len(value) if isinstance(value, list) else 0 for value in full))
        if form not in self._written:
            self._written[form] = _Written(self._query, full)
        return self._written[form].rows(full)


class Update:
    """An update of one field. Its first value is the new one; the others are the values of the query."""

    def __init__(self, field: str, query: Callable[..., QuerySet[Any, Any]]) -> None:
        self._field, self._query = field, query
        self._written: dict[str, _Text] = {}

    def run(self, *values: Value) -> int:
        """Run the update; return how many rows there are."""
        if connection.vendor not in self._written:
            places = _places_for(values)
            query = cast(UpdateQuery, self._query(*places[1:]).query.chain(UpdateQuery))
            query.add_update_values({self._field: places[0]})
            self._written[connection.vendor] = _Text(query, places)
        text = self._written[connection.vendor]
        with connection.cursor() as cursor:
            cursor.execute(text.sql, text.params_of(values))
            return cursor.rowcount


class _Text:
    """The text of a query, and which of its parameters are in the places of values."""

    def __init__(self, query: Query, places: Sequence[Any]) -> None:
        self._places = _params(places)
        self.compiler = query.get_compiler(connection=connection)
        self.sql, self._params = self.compiler.as_sql()
        if not set(self._places) <= set(self._params):
            raise ValueError("A value is not in the statement as it is.")

    def params_of(self, values: Sequence[Any]) -> list[Any]:
        """Return the parameters with these values."""
        given = dict(zip(self._places, _params(values), strict=True))
        return [given.get(param, param) for param in self._params]


class _Written:
    """A statement whose text is known, for collections of these sizes."""

    def __init__(self, query: Callable[..., QuerySet[Any, Any]], values: Sequence[Any]) -> None:
        places = _places_for(values)
        self._queryset = query(*places)
        self._text = _Text(self._queryset.query, places)
        self._queryset.query.__class__ = _WrittenQuery  # as `Query.chain` does
        compiler = self._text.compiler
        columns = [column for column, *_sql in compiler.select[: compiler.col_count]]
        self._converters = compiler.get_converters(columns)

    def rows(self, values: Sequence[Any]) -> list[Any]:
        """Return what the queryset yields with these values."""
        found = self._queryset.all()
        cast(_WrittenQuery, found.query).written = self._compiler_of(self._text.params_of(values))
        return list(found)

    def _compiler_of(self, params: list[Any]) -> Any:
        """Return a compiler that has written this text, which Django runs and reads as its own."""
        compiler = copy(self._text.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda: (self._text.sql, params)
        compiler.get_converters = lambda _columns: self._converters
        return compiler


class _WrittenQuery(Query):
    """A query that Django does not compile again."""

    written: Any

    def get_compiler(self, *_args: Any, **_options: Any) -> Any:
        return self.written


def _filled(values: Values) -> list[Value] | Value:
    """Return a collection as a list, with its last value repeated up to the next power of two."""
    if isinstance(values, str) or not isinstance(values, Collection):
        return values
    known = list(values)
    return known + known[-1:] * ((1 << (len(known) - 1).bit_length()) - len(known))


def _places_for(values: Sequence[Any]) -> list[Any]:
    """Return the placeholders in the written query for such values."""
    numbers = count()
    return [
        [_place(one, next(numbers)) for one in value]
        if isinstance(value, list)
        else _place(value, next(numbers))
        for value in values
    ]


def _place(value: Value, number: int) -> Value:
    if isinstance(value, str):
        return f"place {number}"
    return FIRST_TIME + timedelta(microseconds=number) if isinstance(value, datetime) else FIRST_ID + number


def _params(values: Sequence[Any]) -> list[Any]:
    """Return all single values as the database gets them."""
    return [_adapted(one) for value in values for one in (value if isinstance(value, list) else [value])]


def _adapted(value: Value) -> Any:
    """Return a value as the database gets it.

    In SQLite, times are texts. PostgreSQL plans a statement for each size of its numbers, so they have one.
    """
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, int):
        return connection.ops.adapt_integerfield_value(value, "BigIntegerField")
    return value
