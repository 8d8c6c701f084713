"""Records: a whole game as one JSON object, for downloads, bot authors and tests."""

import json
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from games.novaluna.engine.actions import Action, action_to_json
from games.novaluna.engine.errors import BadRecord
from games.novaluna.engine.setup import Setup

FORMAT = "novaluna-record"
VERSION = 1
# A game has fewer than 200 actions. The tests' records are the longest: their states make them
# about ten times longer.
LONGEST_RECORD = 4_000_000  # bytes


class Record(NamedTuple):
    """A setup and the actions after it, as JSON values. `replay` reads and checks the actions."""

    setup: Setup
    actions: list[object]


def read_record(data: bytes | str, *, whole: bool = True) -> Record:
    """Return the record in `data`, which may be wrapped in `{"record": …}`.

    With `whole=False`, also accepts a position record, which has a cut deck. Raises BadRecord if `data` is
    not a record.
    """
    value = _read_json(data)
    if isinstance(value, dict) and "record" in value and "format" not in value:
        value = value["record"]
    if not isinstance(value, dict):
        raise BadRecord("A record must be a JSON object.")
    if value.get("format") != FORMAT or type(value.get("version")) is not int or value["version"] != VERSION:
        raise BadRecord(f"This is not a {FORMAT} of version {VERSION}.")
    setup = Setup.from_values(
        *(value.get(key) for key in ("mode", "seats", "goal_discs", "start_order", "deck")), whole=whole
    )
    actions = value.get("actions")
    if not isinstance(actions, list):
        raise BadRecord("The actions must be a list.")
    return Record(setup, actions)


def write_record(setup: Setup, actions: Iterable[Action]) -> dict[str, object]:
    """Return a game as a JSON value of the record format."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "mode": str(setup.mode),
        "seats": setup.seats,
        "goal_discs": setup.goal_discs,
        "start_order": list(setup.start_order),
        "deck": list(setup.deck),
        "actions": [action_to_json(action) for action in actions],
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
