"""The title of `docs/recipes/title.md`, written to files as somebody would who follows the recipe."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.titles.site import installed

RECIPE = Path(__file__).parents[3] / "docs/recipes/title.md"
CODE = re.compile(r"^```python\n# (fifteen/\w+\.py)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@contextmanager
def installed_example(folder: Path) -> Iterator[None]:
    """Offer the title of the recipe after Nova Luna, until the context ends."""
    for name, code in CODE.findall(RECIPE.read_text()):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(code)
    sys.path.insert(0, str(folder))
    try:
        with installed("fifteen"):
            yield
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.partition(".")[0] == "fifteen"]:
            del sys.modules[name]
