"""Anybody can check after a game that its deal is the one that the site had committed to."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from docs.check_deal import problem_of
from games.models import Deal, Game
from games.novaluna.engine import read_record, replay
from tests.games.views.checked import NONCE, OTHER, record_of, shown_on
from tests.play import fresh, play_one, play_out, position_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("true_deals")]
CHECKER = Path(__file__).parents[3] / "docs/check_deal.py"


def test_anybody_can_check_the_commitment_after_the_end_with_standard_tools(game: Game) -> None:
    play_out(game)
    page = Client().get(f"/g/{game.key}/deal/").text
    [text] = re.findall(r"printf %s &#x27;(.*?)&#x27; \| sha256sum|printf %s '(.*?)' \| sha256sum", page)
    shown = "".join(text)
    deal = fresh(game).deal

    assert shown == deal.salt
    assert hashlib.sha256(shown.encode()).hexdigest() == deal.commitment
    assert set(deal.nonces) <= set(shown_on(page))


def test_the_record_can_be_downloaded_after_the_end_and_replayed(game: Game) -> None:
    play_one(game)
    refused = Client().get(f"/g/{game.key}/record.json")
    assert refused.status_code == 409
    assert "when the game is over" in refused.text
    play_out(game)
    response = Client().get(f"/g/{game.key}/record.json")

    record = read_record(response.content)
    last = list(replay(record.setup, record.actions))[-1]
    assert last.position.state() == position_of(game).state()
    assert json.loads(response.content)["players"] == ["Ines", "Tobias"]


def run_checker(record: dict[str, Any], folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run the script as a player would, without anything of the site."""
    path = folder / "record.json"
    path.write_text(json.dumps(record))
    return subprocess.run(
        [sys.executable, "-I", CHECKER, path], capture_output=True, text=True, check=False, cwd=folder
    )


def swapped(deck: list[str]) -> list[str]:
    return [*deck[:-2], deck[-1], deck[-2]]


TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "deck": lambda record: swapped(record["deck"]),
    "start_order": lambda record: record["start_order"][::-1],
    "secret": lambda record: "0" + record["secret"][:-1],
    "commitment": lambda record: "0" + record["commitment"][:-1],
    "nonces": lambda record: record["nonces"][::-1],
    "seats": lambda record: 3,
    "deal_rule": lambda record: 1,
}


def test_the_script_accepts_a_true_record_and_rejects_each_tampered_field(game: Game, tmp_path: Path) -> None:
    record = record_of(game)
    checked = run_checker(record, tmp_path)
    assert (checked.returncode, checked.stdout) == (0, "The deal is true.\n"), checked.stderr
    for field, change in TAMPERED.items():
        assert record[field] != change(record), field
    tampered = run_checker(record | {"nonces": record["nonces"][::-1]}, tmp_path)
    assert (tampered.returncode, tampered.stdout) == (1, "The secret and the nonces give another deal.\n")


@pytest.mark.parametrize("field", TAMPERED)
def test_the_check_finds_a_tampered_field(game: Game, field: str) -> None:
    record = record_of(game)
    assert problem_of(record) is None
    # Under the other rule, the secret would be a salt.
    salt = {"salt": record["secret"]} if field == "deal_rule" else {}
    assert problem_of(record | salt | {field: TAMPERED[field](record)})


def test_verify_deal_accepts_a_true_deal_and_rejects_a_changed_one(game: Game) -> None:
    out = StringIO()
    call_command("verify_deal", game.key, stdout=out)
    assert "matches its commitment" in out.getvalue()
    assert " ".join(game.deal.nonces) in out.getvalue()
    assert game.deal.salt not in out.getvalue(), "the game is running"

    dealt = {**game.deal.dealt, "deck": swapped(game.deal.dealt["deck"])}
    changes = {"dealt": dealt, "nonces": [NONCE, OTHER], "salt": "0" * 64}
    for column, value in changes.items():
        stored = getattr(game.deal, column)
        Deal.objects.filter(pk=game.deal.pk).update(**{column: value})
        with pytest.raises(CommandError, match="NOT"):
            call_command("verify_deal", game.key, stdout=StringIO())
        Deal.objects.filter(pk=game.deal.pk).update(**{column: stored})
    with pytest.raises(CommandError, match="no game"):
        call_command("verify_deal", "nosuchgame22")
