"""Pictures of every state for a person to look through: `make screenshots`, in the folder of that name.

`make screenshots ONLY=game-past SIZES=390 THEMES=dark` takes the states whose names hold ONLY, and fewer
pictures of each. It fails where a page has an error.
"""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.browser.states import STATES
from tests.browser.test_every_state import IN_THEME, THEMES, WIDTHS, show
from tests.conftest import OpenBrowser

pytestmark = pytest.mark.django_db(transaction=True)

FOLDER = Path(__file__).parents[2] / "screenshots"
ONLY = os.environ.get("ONLY", "")
SIZES = [int(size) for size in os.environ.get("SIZES", "").split()] or list(WIDTHS)
IN_THEMES = os.environ.get("THEMES", "").split() or list(THEMES)
NAMES = [name for name in STATES if ONLY in name]
HEIGHTS = {320: 640, 390: 844, 820: 1180, 1440: 900, 2560: 1440}


@pytest.mark.parametrize("name", NAMES)
def test_pictures(open_browser: OpenBrowser, server: str, name: str) -> None:
    page = show(open_browser, server, STATES[name](), viewport={"width": SIZES[0], "height": 900})
    for width, theme in product(SIZES, IN_THEMES):
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.evaluate(IN_THEME, theme)
        page.screenshot(path=picture(name, width, theme), full_page=width < 1000)


def picture(name: str, width: int, theme: str) -> Path:
    return FOLDER / f"{name}-{width}-{theme}.png"


@pytest.fixture(scope="module", autouse=True)
def index() -> Iterator[None]:
    """Lay out the pictures of all states on one page."""
    FOLDER.mkdir(exist_ok=True)
    yield
    rows = []
    for name in STATES:
        taken = [picture(name, width, theme) for width, theme in product(WIDTHS, THEMES)]
        images = "".join(
            f'<a href="{path.name}"><img src="{path.name}" alt="{path.stem}" loading="lazy"></a>'
            for path in taken
            if path.exists()
        )
        rows.append(f"<h2>{name}</h2><p>{images}</p>" if images else "")
    style = (
        "body{font:16px sans-serif;background:#777} p{display:flex;gap:8px;overflow:auto} img{height:420px}"
    )
    page = f"<!doctype html><title>Screenshots</title><style>{style}</style>{''.join(rows)}"
    (FOLDER / "index.html").write_text(page)
