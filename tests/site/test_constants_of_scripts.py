"""Numbers that the scripts share with the server are the same."""

import re
from datetime import timedelta
from pathlib import Path

import pytest

from games.live import MOST_BETWEEN
from games.models.seeks import SEEK_TIME
from games.views.live import AWAY_AFTER, RETRY_AFTER

SCRIPTS = Path("games/static/games/js")
MS = timedelta(milliseconds=1)


@pytest.mark.parametrize(
    ("script", "name", "number"),
    [
        ("stream.js", "LEAVES_AFTER", AWAY_AFTER / MS),
        ("stream.js", "STREAM_RETRY", RETRY_AFTER * 1000),
        ("boards.js", "MOST", MOST_BETWEEN + 1),
        ("seek.js", "LONGEST", SEEK_TIME.total_seconds()),
    ],
)
def test_a_script_has_the_number_of_the_server(script: str, name: str, number: float) -> None:
    [found] = re.findall(rf"const {name} = ([\d_]+);", (SCRIPTS / script).read_text())
    assert int(found) == number
