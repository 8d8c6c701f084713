"""Each version of the rules replays its recorded games to their stored states and their stored end."""

import json
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest

from games.novaluna.engine import RULES_VERSION, Ending, Mode, UnknownRules, read_record, rules
from games.novaluna.engine.versions import RULES
from tests.novaluna.engine.test_records import LEGAL

# The recorded games of each version of the rules. A new version needs recorded games of its own.
RECORDS: Mapping[int, list[Path]] = {1: LEGAL}


def stored_ending(path: Path) -> tuple[Mode, Ending]:
    """Return the mode of a recorded game and why it ended, read from its last action and its last state."""
    value = json.loads(path.read_bytes())
    mode = Mode(value["record"]["mode"])
    last_action, last_state = value["record"]["actions"][-1], value["states"][-1]
    assert last_state["over"]
    match last_action["do"]:
        case "cancel":
            return mode, Ending.CANCELLED
        case "resign":
            return mode, Ending.LEFT
    return mode, Ending.DISCS if 0 in last_state["discs"] else Ending.TILES


def test_every_version_has_recorded_games() -> None:
    assert RECORDS.keys() == RULES.keys()
    assert RULES_VERSION in RULES


@pytest.mark.parametrize(("version", "mode", "ending"), list(product(RULES, Mode, Ending)), ids=str)
def test_recorded_games_of_every_ending_replay_to_their_stored_end(
    version: int, mode: Mode, ending: Ending
) -> None:
    paths = [path for path in RECORDS[version] if stored_ending(path) == (mode, ending)]
    assert paths, f"rules version {version} has no recorded {mode} game that ended by {ending}"
    for path in paths:
        record = read_record(path.read_bytes())
        steps = list(rules(version).replay(*record))
        assert [step.position.state() for step in steps] == json.loads(path.read_bytes())["states"], path.stem
        assert [step.game_over is not None for step in steps] == [False] * (len(steps) - 1) + [True], (
            path.stem
        )
        last = steps[-1]
        assert last.game_over is not None
        assert last.game_over.reason is last.position.ending is ending, path.stem


@pytest.mark.parametrize("version", [None, 0, -1, max(RULES) + 1])
def test_an_unknown_version_is_refused_with_a_message(version: int | None) -> None:
    with pytest.raises(UnknownRules) as error_info:
        rules(version)
    message = str(error_info.value)
    assert message.endswith(".")
    assert "None" not in message
    assert str(RULES_VERSION) in message
    assert version is None or str(version) in message
