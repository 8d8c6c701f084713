"""Statements that are written once."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.database.statements import Statement, Update
from accounts.models import User
from tests import play

pytestmark = pytest.mark.django_db


def test_a_statement_finds_the_values_of_each_call() -> None:
    people = [play.person(name) for name in ("Ines", "Tobias", "Noor")]
    by_id = Statement(lambda user: User.objects.filter(pk=user))
    names = Statement(
        lambda ids, name: (
            User.objects.filter(pk__in=ids).exclude(username=name).values_list("username", flat=True)
        )
    )

    assert [by_id.rows(person.pk) for person in people] == [[person] for person in people]
    assert by_id.rows(None) == []
    ids = [person.pk for person in people]
    for count in (0, 3, 0, 2, 1, 3):
        others = {person.username for person in people[:count]} - {"Tobias"}
        assert {*names.rows(ids[:count], "Tobias")} == others


def test_nothing_is_among_no_values_of_any_kind(django_assert_num_queries: Callable[[int], Any]) -> None:
    by_name = Statement(lambda names: User.objects.filter(username__in=names))

    with django_assert_num_queries(0):
        assert by_name.rows(set()) == []


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL plans by the size of a number")
def test_numbers_of_all_sizes_are_sent_as_one_type() -> None:
    sent = list[type]()

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        sent.extend(type(param) for param in params)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        Statement(lambda user: User.objects.filter(pk=user)).rows(1)
    assert [kind.__name__ for kind in sent] == ["Int8"]


def test_an_update_changes_the_rows_of_each_call() -> None:
    zones = {play.person("Ines").pk: "Europe/Berlin", play.person("Tobias").pk: "Asia/Tokyo"}
    move = Update("time_zone", lambda user: User.objects.filter(pk=user))

    assert [move.run(zone, user) for user, zone in zones.items()] == [1, 1]
    assert move.run("Asia/Tokyo", None) == 0
    assert dict(User.objects.filter(pk__in=zones).values_list("pk", "time_zone")) == zones


def test_a_statement_refuses_a_value_that_its_query_changes() -> None:
    by_beginning = Statement(lambda name: User.objects.filter(username__startswith=name))

    with pytest.raises(ValueError, match="as it is"):
        by_beginning.rows("In")
