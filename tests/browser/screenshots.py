"""Take pictures of every state for a person to look through: `make screenshots` writes them to screenshots/.

`make screenshots ONLY=game-past SIZES=390 THEMES=dark` takes only states whose names contain ONLY, at
these widths and in these themes. A page with an error fails.
"""

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.browser.conftest import Show
from tests.browser.page_checks import SET_THEME, THEMES, WIDTHS
from tests.browser.states import STATES

pytestmark = pytest.mark.django_db(transaction=True)

FOLDER = Path(__file__).parents[2] / "screenshots"
ONLY = os.environ.get("ONLY", "")
SELECTED_WIDTHS = [int(size) for size in os.environ.get("SIZES", "").split()] or sorted(WIDTHS)
SELECTED_THEMES = os.environ.get("THEMES", "").split() or list(THEMES)
NAMES = [name for name in STATES if ONLY in name]
HEIGHTS = {320: 640, 390: 844, 600: 960, 820: 1180, 834: 1112, 1024: 768, 1440: 900, 1920: 1080, 2560: 1440}


@pytest.mark.parametrize("name", NAMES)
def test_pictures(show: Show, name: str) -> None:
    page = show(STATES[name](), viewport={"width": SELECTED_WIDTHS[0], "height": 900})
    for width, theme in product(SELECTED_WIDTHS, SELECTED_THEMES):
        page.set_viewport_size({"width": width, "height": HEIGHTS[width]})
        page.evaluate(SET_THEME, theme)
        page.screenshot(path=picture_path(name, width, theme), full_page=width < 1000)


def picture_path(name: str, width: int, theme: str) -> Path:
    return FOLDER / f"{name}-{width}-{theme}.png"


@pytest.fixture(scope="module", autouse=True)
def index() -> Iterator[None]:
    """Write a page with the pictures of all states."""
    FOLDER.mkdir(exist_ok=True)
    yield
    rows = []
    for name in STATES:
        paths = [picture_path(name, width, theme) for width, theme in product(sorted(WIDTHS), THEMES)]
        images = "".join(
            f'<a href="{path.name}"><img src="{path.name}" alt="{path.stem}" loading="lazy"></a>'
            for path in paths
            if path.exists()
        )
        rows.append(f"<h2>{name}</h2><p>{images}</p>" if images else "")
    style = (
        "body{font:16px sans-serif;background:#777} p{display:flex;gap:8px;overflow:auto} img{height:420px}"
    )
    page = f"<!doctype html><title>Screenshots</title><style>{style}</style>{''.join(rows)}"
    (FOLDER / "index.html").write_text(page)
