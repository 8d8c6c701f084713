"""Reading and replaying any data either succeeds or raises an EngineError."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.novaluna.engine import EngineError, read_record, replay
from tests.novaluna.engine.test_records import LEGAL

KEYS = ["format", "version", "mode", "seats", "goal_discs", "start_order", "deck", "actions"]
ACTION_KEYS = ["do", "seat", "tile", "x", "y", "reason"]

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(10**4000)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
records = st.sampled_from(LEGAL).map(lambda path: json.loads(path.read_bytes())["record"])


def check_reads_or_is_refused(data: bytes | str) -> None:
    """Read and replay `data`; every state and every error message must convert to JSON."""
    try:
        for step in replay(*read_record(data)):
            json.dumps(step.position.state())
    except EngineError as error:
        json.dumps({"error": error.code, "message": str(error)}).encode()


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(records, st.sampled_from(KEYS), values)
def test_a_record_with_any_value_for_a_key(record: dict[str, Any], key: str, value: object) -> None:
    check_reads_or_is_refused(json.dumps(record | {key: value}))


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(records, st.sampled_from(ACTION_KEYS), values, st.data())
def test_an_action_with_any_value_for_a_key(
    record: dict[str, Any], key: str, value: object, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(record["actions"]) - 1))
    record["actions"][index] |= {key: value}
    check_reads_or_is_refused(json.dumps(record))


@settings(max_examples=100, deadline=None)
@given(records, values)
def test_any_value_for_an_action(record: dict[str, Any], value: object) -> None:
    check_reads_or_is_refused(json.dumps(record | {"actions": [value]}))


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(LEGAL), st.binary(max_size=8), st.data())
def test_random_bytes_inside_a_file(path: Path, inserted: bytes, data: st.DataObject) -> None:
    text = path.read_bytes()
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    check_reads_or_is_refused(text[:start] + inserted + text[end:])
