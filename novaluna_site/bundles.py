"""Bundles: style sheets and scripts that a page loads as one file, joined from several source files."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

BUNDLES = {
    "games/game.css": (
        "games/css/board.css",
        "games/css/game.css",
        "games/css/players.css",
        "games/css/history.css",
        "games/css/game_sizes.css",
        "games/css/chat.css",
        "games/css/learn.css",
        "games/css/covered.css",
    ),
    "games/review.css": ("games/css/board.css", "games/css/review.css", "games/css/chat.css"),
    "games/site.js": (
        "games/vendor/idiomorph.js",
        "games/js/fields.js",
        "games/js/morph.js",
        "games/js/drafts.js",
        "games/js/announcer.js",
        "games/js/person.js",
        "games/js/failures.js",
        "games/js/webapp.js",
        "games/js/subscription.js",
        "games/js/badge.js",
        "games/js/stream.js",
        "games/js/clock.js",
        "games/js/deadlines.js",
        "games/js/zone.js",
        "games/js/nonce.js",
    ),
    "games/game.js": (
        "games/vendor/idiomorph.js",
        "games/js/fields.js",
        "games/js/morph.js",
        "games/js/drafts.js",
        "games/js/announcer.js",
        "games/js/person.js",
        "games/js/failures.js",
        "games/js/badge.js",
        "games/js/stream.js",
        "games/js/stepping.js",
        "games/js/live.js",
        "games/js/clock.js",
        "games/js/deadlines.js",
        "games/js/zone.js",
        "games/js/nonce.js",
        "games/js/places.js",
        "games/js/choosing.js",
        "games/js/bar.js",
        "games/js/drag.js",
        "games/js/keyboard.js",
        "games/js/keys.js",
        "games/js/watch.js",
        "games/js/motion.js",
        "games/js/zoom.js",
        "games/js/chat.js",
        "games/js/note.js",
    ),
}


class BundleFinder(BaseFinder):
    """Finds the bundles as static files; writes a bundle again each time it is looked up."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.DATA_DIR / "bundles")

    def find(  # type: ignore[override]  # the stubs have an overload for each value of find_all
        self, path: str, find_all: bool = False, **kwargs: Any
    ) -> str | list[str]:
        """Return the path of the bundle, or [] if there is no bundle of that name."""
        if path not in BUNDLES:
            return []
        written = str(self._write(path))
        return [written] if find_all else written

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield the name and the storage of each bundle."""
        for name in BUNDLES:
            self._write(name)
            yield name, self.storage

    def _write(self, name: str) -> Path:
        target = Path(self.storage.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(_source(part) for part in BUNDLES[name]))
        return target


def _source(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"A bundle lists the static file {name}, which does not exist.")
    return Path(path).read_text()
