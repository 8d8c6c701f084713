"""The documents name only files, folders, tests and pages that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
# Paths that are made by running the site or by following a recipe.
MADE_LATER = re.compile(r"[/_](joined|pager|recent|german)(_subject|_page)?\.|locale/|/de/|rules-2|var/")


@pytest.fixture(params=DOCUMENTS, ids=lambda path: path.name)
def document(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_named_files_and_folders_exist(document: Path) -> None:
    named = re.findall(r"`((?:\.?[\w-]+/)+[\w.-]*|[\w-]+\.(?:md|toml))[^`\s]*`", document.read_text())
    missing = [path for path in named if not (ROOT / path).exists()]
    assert [path for path in missing if not MADE_LATER.search(path)] == []


def test_named_tests_exist(document: Path) -> None:
    named = set(re.findall(r"`(?:(tests/[\w/]+(?:\.py)?)(?:`: `|::|`, `))?(test_\w+)`", document.read_text()))
    for place, name in named:
        path = ROOT / (place or "tests")
        files = [path] if path.is_file() else path.rglob("test_*.py")
        assert any(f"def {name}(" in file.read_text() for file in files), f"{place} {name}"


def test_links_lead_to_documents_and_headings(document: Path) -> None:
    for target, heading in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", document.read_text()):
        path = (document.parent / target) if target else document
        assert path.exists(), target
        if heading:
            headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", text).lower().replace(" ", "-") for text in headings}
