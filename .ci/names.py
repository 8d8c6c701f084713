"""Check that no general room names a wing.

The wings are the apps in INSTALLED_APPS under `games`. This finds their modules, in imports and in texts, the
folders of their templates and static files, and their tag libraries.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SETTINGS = "novaluna_site/settings.py"
ROOMS = ("accounts/", "games/", "novaluna_site/", "templates/")
ENDINGS = {".css", ".html", ".js", ".json", ".py", ".svg", ".txt", ".xml"}


def wings() -> list[str]:
    """Return the names of the packages of `games` that settings install as apps of their own."""
    for node in ast.parse((ROOT / SETTINGS).read_text()).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "INSTALLED_APPS" for target in node.targets
        ):
            apps = [str(app) for app in ast.literal_eval(node.value)]
            return [app.removeprefix("games.") for app in apps if app.startswith("games.")]
    raise SystemExit(f"{SETTINGS} has no INSTALLED_APPS.")


def pattern_of(wing: str) -> re.Pattern[str]:
    """Return what names a wing: its module, a file of its folders, and the tag libraries that it brings."""
    libraries = [path.stem for path in (ROOT / "games" / wing / "templatetags").glob("[!_]*.py")]
    loads = "".join(rf"|{{% load\b[^%]*\b{library}\b" for library in libraries)
    return re.compile(rf"\bgames[./]{wing}\b|[\"'(]/?(static/)?{wing}/{loads}")


def mistakes_in(path: str, text: str, patterns: dict[str, re.Pattern[str]]) -> list[str]:
    """Return a sentence for each line of a file that names a wing."""
    return [
        f"{path}:{number} names the wing {wing}: {line.strip()}"
        for number, line in enumerate(text.splitlines(), start=1)
        for wing, pattern in patterns.items()
        if pattern.search(line) and not (path == SETTINGS and line.strip() == f'"games.{wing}",')
    ]


def general_files(names: list[str]) -> list[str]:
    """Return the files of general rooms that people write."""
    paths = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*")) if path.suffix in ENDINGS)
    named = (path.relative_to(ROOT).as_posix() for path in paths)
    return [path for path in named if not path.startswith(tuple(f"games/{name}/" for name in names))]


def main() -> None:
    """Exit with status 1 if a general room names a wing."""
    names = wings()
    patterns = {name: pattern_of(name) for name in names}
    mistakes = [
        mistake
        for path in general_files(names)
        for mistake in mistakes_in(path, (ROOT / path).read_text(), patterns)
    ]
    if mistakes:
        sys.exit("\n".join([*mistakes, "General rooms reach a title by games.titles.registry."]))


if __name__ == "__main__":
    main()
