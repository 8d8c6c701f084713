"""Records: a whole game as one JSON object, for downloads, bot authors and tests."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.novaluna.engine.actions import Action, action_to_json
from games.novaluna.engine.errors import BadRecord
from games.novaluna.engine.setup import Setup
from games.titles import records
from games.titles.records import LONGEST_RECORD as LONGEST_RECORD
from games.titles.records import read_json

FORMAT = "novaluna-record"
VERSION = 1


class Record(NamedTuple):
    """A setup and the actions after it, as JSON values. `replay` reads and checks the actions."""

    setup: Setup
    actions: list[object]


def read_record(data: bytes | str, *, whole: bool = True) -> Record:
    """Return the record in `data`, which may be wrapped in `{"record": …}`.

    With `whole=False`, also accepts a position record, which has a cut deck. Raises BadRecord if `data` is
    not a record.
    """
    try:
        return record_from_json(read_json(data), whole=whole)
    except records.BadRecord as error:
        raise BadRecord(str(error)) from None


def record_from_json(value: Mapping[str, object], *, whole: bool = True) -> Record:
    """Return the record that a JSON object describes, as `read_record` does."""
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
