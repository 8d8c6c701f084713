"""Recorded games of LUNAR: whole ones with their states, some with all views, and refused ones."""

import json
import lzma
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

RECORDS = Path(__file__).parent / "records"


class Recorded(NamedTuple):
    """A record with a state for each action, and perhaps the views of all viewers, or with an error."""

    name: str
    record: dict[str, Any]
    states: list[dict[str, Any]] = []
    views: list[dict[str, Any]] = []
    error: dict[str, Any] | None = None

    def __str__(self) -> str:
        return self.name


@cache
def recorded(kind: str) -> list[Recorded]:
    """Return the recorded "games", or those that are "refused"."""
    with lzma.open(RECORDS / f"{kind}.jsonl.xz", "rt") as lines:
        return [Recorded(**json.loads(line)) for line in lines]
