"""Records: a whole game as one JSON object, for downloads, bot authors and tests."""

import json
from collections.abc import Iterable
from typing import NamedTuple, NoReturn

from games.engine.actions import Action, action_to_json
from games.engine.errors import BadRecord
from games.engine.setup import Setup

FORMAT = "novaluna-record"
VERSION = 1
# A game has fewer than 200 actions; the states that test records carry make them some ten times longer.
LONGEST = 4_000_000  # bytes


class Record(NamedTuple):
    """A setup and the actions that followed, still unread: what is wrong with one shows in the replay."""

    setup: Setup
    actions: list[object]


def read_record(data: bytes | str, *, whole: bool = True) -> Record:
    """Read a record, bare or wrapped in `{"record": …}`; with `whole` unset also a position record.

    Raises BadRecord for whatever is none.
    """
    value = _read_json(data)
    if isinstance(value, dict) and "record" in value and "format" not in value:
        value = value["record"]
    if not isinstance(value, dict):
        raise BadRecord("A record is a JSON object.")
    if value.get("format") != FORMAT or type(value.get("version")) is not int or value["version"] != VERSION:
        raise BadRecord(f"Not a {FORMAT} of version {VERSION}.")
    setup = Setup.checked(
        *(value.get(key) for key in ("mode", "seats", "goal_discs", "start_order", "deck")), whole=whole
    )
    actions = value.get("actions")
    if not isinstance(actions, list):
        raise BadRecord("The actions are a list.")
    return Record(setup, actions)


def write_record(setup: Setup, actions: Iterable[Action]) -> dict[str, object]:
    """Return a game as a record, ready for JSON."""
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
        if len(encoded) > LONGEST:
            raise BadRecord("Too long for a record.")
        return json.loads(encoded.decode("utf-8"), parse_constant=_refuse_constant)
    except BadRecord:
        raise
    except UnicodeError:
        raise BadRecord("Not text in UTF-8.") from None
    except RecursionError:
        raise BadRecord("Nested too deeply for a record.") from None
    except json.JSONDecodeError as error:
        raise BadRecord(f"Not JSON: {error}") from None
    except ValueError:
        # Python reads no integer of more than some thousand digits.
        raise BadRecord("A number in it is too long for a record.") from None


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and the infinities, which Python reads but JSON does not know."""
    raise BadRecord(f"Not JSON: {name} is no number there.")
