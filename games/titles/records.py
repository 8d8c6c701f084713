"""Records: a whole game as one JSON object, for downloads, bot authors and tests.

A record names its title: its `format` is the key of the title and "-record". The rest is up to the title.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from games.titles.rules import AnyPosition, AnyRules, Record

# A game has some hundred actions. Records in tests, which also have its states, are ten times longer.
LONGEST_RECORD = 4_000_000  # bytes


class BadRecord(ValueError):
    """The data is not a readable record, or no game starts like that. Its text is for developers."""

    code = "bad_record"


def read_json(data: bytes | str) -> dict[str, Any]:
    """Return the JSON object of a record, which may be wrapped in `{"record": …}`. Raises BadRecord."""
    value = _read_json(data)
    if isinstance(value, dict) and "record" in value and "format" not in value:
        value = value["record"]
    if not isinstance(value, dict):
        raise BadRecord("A record must be a JSON object.")
    return value


def title_of(record: Mapping[str, object]) -> str:
    """Return the key of the title that a record names; empty if it names none."""
    named = record.get("format")
    return named.removesuffix("-record") if isinstance(named, str) and named.endswith("-record") else ""


def positions(rules: AnyRules, record: Mapping[str, object]) -> Iterator[AnyPosition]:
    """Yield the position at the start of a recorded game, and after each action.

    Raises BadRecord, UnknownRules, and IllegalAction at the first action that is not legal.
    """
    return replay(rules, rules.read_record(record), record)


def replay(rules: AnyRules, read: Record, record: Mapping[str, object]) -> Iterator[AnyPosition]:
    """Yield the position at the start of a game that was read from a record, and after each action.

    Raises what `positions` does.
    """
    setup, actions = read
    version = record.get("rules_version", min(rules.versions))
    if type(version) is not int:
        raise BadRecord("The version of the rules must be a whole number.")
    position = rules.start(setup, version)
    yield position
    for value in actions:
        position = position.apply(rules.action_from_json(value)).position
        yield position


def plain_state(position: AnyPosition) -> dict[str, object]:
    """Return what the contract says of a position as plain JSON, for titles that have nothing better."""
    return {
        "awaited": sorted(position.awaited),
        "in_play": sorted(position.in_play),
        "figures": [dict(position.figures(seat)) for seat in range(position.seats)],
        "places": list(position.places),
        "ending": position.ending,
    }


def _read_json(data: bytes | str) -> object:
    try:
        encoded = data.encode("utf-8") if isinstance(data, str) else data
        if len(encoded) > LONGEST_RECORD:
            raise BadRecord("This is too long for a record.")
        return json.loads(encoded.decode("utf-8"), parse_constant=_refuse_constant)
    except BadRecord:
        raise
    except UnicodeError:
        raise BadRecord("This is not UTF-8 text.") from None
    except RecursionError:
        raise BadRecord("This is nested too deeply for a record.") from None
    except json.JSONDecodeError as error:
        raise BadRecord(f"This is not JSON: {error}") from None
    except ValueError:
        # Python refuses integers of more than about 4300 digits.
        raise BadRecord("A number is too long for a record.") from None


def _refuse_constant(name: str) -> NoReturn:
    """Raise BadRecord for NaN and the infinities, which Python accepts but JSON does not have."""
    raise BadRecord(f"This is not JSON: {name} is not a JSON number.")
