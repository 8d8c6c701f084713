"""Bundles: style sheets and scripts that a page loads as one file, joined from several source files.

The config of an app lists in `bundles` the static files that each of its bundles joins. In `extended_bundles`
it has (another bundle, {file: files that follow it there}) by the name of the bundle that this makes; those
that follow "" come first. With the name of the other bundle, it extends that one itself, on all pages.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

# Of styles, which have no strings with these signs. They would be 7 of the 120 kB of a first visit.
COMMENTS = re.compile(r"\s*/\*.*?\*/", re.DOTALL)


def bundles() -> dict[str, Sequence[str]]:
    """Return the static files that each bundle joins."""
    configs = apps.get_app_configs()
    found = {name: parts for config in configs for name, parts in getattr(config, "bundles", {}).items()}
    for config in configs:
        for name, (base, additions) in getattr(config, "extended_bundles", {}).items():
            found[name] = list(_extended(found[base], additions))
    return found


def _extended(parts: Sequence[str], additions: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the parts of a bundle with those that follow each.

    Raises LookupError for additions to a part that is not there.
    """
    for part in ("", *parts):
        if part:
            yield part
        yield from additions.get(part, ())
    if unknown := additions.keys() - {"", *parts}:
        raise LookupError(f"A bundle has no part {sorted(unknown)}.")


class BundleFinder(BaseFinder):
    """Finds the bundles as static files; writes a bundle again each time it is looked up."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.storage = FileSystemStorage(location=settings.DATA_DIR / "bundles")

    def find(  # type: ignore[override]  # the stubs have an overload for each value of find_all
        self, path: str, find_all: bool = False, **kwargs: Any
    ) -> str | list[str]:
        """Return the path of the bundle, or [] if there is no bundle of that name."""
        if path not in bundles():
            return []
        written = str(self._write(path))
        return [written] if find_all else written

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield the name and the storage of each bundle."""
        for name in bundles():
            self._write(name)
            yield name, self.storage

    def _write(self, name: str) -> Path:
        target = Path(self.storage.path(name))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("\n".join(_source(part) for part in bundles()[name]))
        return target


def _source(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"A bundle lists the static file {name}, which does not exist.")
    text = Path(path).read_text()
    return COMMENTS.sub("", text) if name.endswith(".css") else text
