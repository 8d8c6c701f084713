"""Style sheets that browsers apply quickly."""

import re
from pathlib import Path

from django.apps import apps

# A rule in braces, without comments
RULE = re.compile(r"([^{};]+)\{")


def style_sheets() -> list[Path]:
    """Return the style sheets of pages that change while they are open."""
    folders = [Path(app.path) / "static" for app in apps.get_app_configs()]
    return [path for folder in folders for path in folder.rglob("*.css") if path.name != "site.css"]


def without_arguments(selector: str) -> str:
    """Return a selector without what is in parentheses.

    >>> without_arguments(".a:has(.b :is(i)) > .c:not([d])")
    '.a:has > .c:not'
    """
    while "(" in selector:
        selector = re.sub(r"\([^()]*\)", "", selector)
    return selector


def test_no_change_of_a_page_styles_all_of_it_again() -> None:
    """A rule with `:has()` for elements of any kind makes browsers look at all of them after each change."""
    sheets = style_sheets()
    assert len(sheets) > 10
    for path in sheets:
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        for rule in RULE.findall(text):
            for selector in without_arguments(rule).split(","):
                subject = re.split(r"[\s>+~]+", selector.strip())[-1]
                names_kind = re.search(r"[.#\w]", re.sub(r":(?!is\b|where\b|root\b)[\w-]+|\[", "", subject))
                assert ":has" not in selector or names_kind, f"{path.name}: {rule.strip()}"


def test_each_layout_of_the_action_bar_of_players_has_a_row_for_what_others_ask() -> None:
    """Without it, a proposal or an answer makes columns of its own and moves the buttons of the bar."""
    # Nobody proposes anything in a lesson.
    texts = [path.read_text() for path in style_sheets() if path.name != "learn.css"]
    rows = [sum(text.count('"' + " ".join(4 * [area]) + '"') for text in texts) for area in ("error", "hint")]
    assert rows[0] == rows[1] > 0
