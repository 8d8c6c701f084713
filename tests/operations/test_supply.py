"""The bill of materials, and the checks of licences and of known vulnerabilities."""

import json
import re
import subprocess
import sys
import zipfile
from importlib import util
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def supply() -> ModuleType:
    spec = util.spec_from_file_location("supply", ROOT / ".ci/supply.py")
    assert spec
    assert spec.loader
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bill_has_every_pin_with_its_hashes_and_every_script_of_others(supply: ModuleType) -> None:
    bill = supply.sbom()
    parts = {part["name"]: part for part in bill["components"]}
    locks = [(ROOT / f"requirements/{name}.txt").read_text() for name in ("reports", "social")]
    hashes = {one for lock in locks for one in re.findall(r"--hash=sha256:(\w+)", lock)}
    assert sum(len(part.get("hashes", ())) for part in bill["components"]) == len(hashes)
    assert {"sentry-sdk", "pyjwt"} <= parts.keys()
    assert parts["django"]["purl"] == f"pkg:pypi/django@{parts['django']['version']}"
    assert all(f"django=={parts['django']['version']} " in lock for lock in locks)
    assert parts["django"]["licenses"] == [{"license": {"name": "BSD-3-Clause"}}]
    assert (
        parts["idiomorph"]["version"] in (ROOT / "games/static/games/vendor/idiomorph.js").read_text()[:100]
    )


def test_every_licence_was_read(supply: ModuleType) -> None:
    assert list(supply.bad_licences()) == []


@pytest.mark.parametrize(
    ("licence", "is_bad"),
    [
        ("MIT", False),
        ("Proprietary", True),
        ("Proprietary OR MIT", False),
        ("MIT AND Proprietary", True),
        ("MIT License; Other/Proprietary License", True),
        ("", True),
    ],
)
def test_a_licence_that_nobody_has_read_is_reported(
    supply: ModuleType, monkeypatch: pytest.MonkeyPatch, licence: str, is_bad: bool
) -> None:
    monkeypatch.setattr(supply, "licence_of", lambda name: licence if name == "celery" else "MIT")
    assert [line.partition(" ")[0] for line in supply.bad_licences()] == ["celery"] * is_bad


def entry(**affected: object) -> dict[str, object]:
    return {"id": "PYSEC-1", "affected": [{"package": {"name": "Some_Package"}, **affected}]}


def in_range(*events: dict[str, str]) -> dict[str, object]:
    return entry(ranges=[{"type": "ECOSYSTEM", "events": list(events)}])


@pytest.mark.parametrize(
    ("found", "is_affected"),
    [
        (entry(versions=["1.9", "2.0"]), True),
        (entry(versions=["2.0.1"]), False),
        (in_range({"introduced": "0"}), True),
        (in_range({"introduced": "0"}, {"fixed": "2.0"}), False),
        (in_range({"introduced": "0"}, {"fixed": "2.0.1"}), True),
        (in_range({"introduced": "0"}, {"last_affected": "2.0"}), True),
        (in_range({"introduced": "0"}, {"last_affected": "1.9"}), False),
        (in_range({"introduced": "0"}, {"fixed": "1.5"}, {"introduced": "1.9"}), True),
        (in_range({"introduced": "2.1"}), False),
        (in_range({"introduced": "0"}) | {"withdrawn": "2026-01-01T00:00:00Z"}, False),
        (in_range({"introduced": "not-a-version"}), False),
    ],
)
def test_known_vulnerabilities_of_pins_are_found(
    supply: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    found: dict[str, object],
    is_affected: bool,
) -> None:
    monkeypatch.setattr(supply, "pins", lambda: iter([("some-package", "2.0", [])]))
    (tmp_path / "PYSEC-1.json").write_text(json.dumps(found))
    assert list(supply.vulnerabilities(tmp_path)) == ["some-package 2.0: PYSEC-1"] * is_affected


def test_the_program_reads_the_file_that_is_published_and_fails_if_it_finds_anything(tmp_path: Path) -> None:
    found = {"id": "PYSEC-2", "summary": "Planted", "affected": [{"package": {"name": "django"}}]}
    found["affected"][0]["ranges"] = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]  # type: ignore[index]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as file:
        file.writestr("PYSEC-2.json", json.dumps(found))
    run = [sys.executable, ROOT / ".ci/supply.py", "vulnerabilities", tmp_path / "all.zip"]
    done = subprocess.run(run, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "PYSEC-2 Planted" in done.stderr
