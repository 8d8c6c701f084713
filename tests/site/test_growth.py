"""Each table has a bound, a rule by which its rows are removed, or a reason for having neither."""

import re
from pathlib import Path

from django.apps import apps

DOCUMENT = (Path(__file__).parents[2] / "docs/scale.md").read_text()
ROW = re.compile(r"^\| (`\w+`(?:, `\w+`)*) \| (.+) \|$", re.MULTILINE)


def listed() -> dict[str, str]:
    """Return what the document says about each table."""
    return {name: words for names, words in ROW.findall(DOCUMENT) for name in re.findall(r"\w+", names)}


def test_each_table_is_in_the_list_of_bounds() -> None:
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    assert sorted(tables - {*listed()}) == [], "add them to docs/scale.md, with what bounds them"
    assert sorted({*listed()} - tables) == [], "these tables do not exist"
