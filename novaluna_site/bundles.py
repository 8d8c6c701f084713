"""Style sheets and scripts that a page loads as one file, each made of several small ones."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

BUNDLES = {
    "games/game.css": ("games/css/board.css", "games/css/game.css", "games/css/learn.css"),
    "games/review.css": ("games/css/board.css", "games/css/review.css"),
    "games/game.js": (
        "games/js/stepping.js",
        "games/js/live.js",
        "games/js/choosing.js",
        "games/js/drag.js",
        "games/js/keys.js",
        "games/js/watch.js",
        "games/js/motion.js",
        "games/js/zoom.js",
    ),
}


class BundleFinder(BaseFinder):
    """Finds the bundles as static files, put together anew whenever they are looked for."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.DATA_DIR / "bundles")

    def find(  # type: ignore[override]  # the stubs know the two ways apart
        self, path: str, find_all: bool = False, **kwargs: Any
    ) -> str | list[str]:
        """Return the path of the bundle of this name; none where there is no such bundle."""
        if path not in BUNDLES:
            return []
        made = str(self._make(path))
        return [made] if find_all else made

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield the name of each bundle, and where it lies."""
        for name in BUNDLES:
            self._make(name)
            yield name, self.storage

    def _make(self, name: str) -> Path:
        target = Path(self.storage.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(_source(part) for part in BUNDLES[name]))
        return target


def _source(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"There is no static file {name}, which a bundle names.")
    return Path(path).read_text()
