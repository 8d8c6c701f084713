"""Check that no line of a template has more than 200 characters."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 200
FOLDERS = (ROOT / "templates", *sorted(ROOT.glob("games/*/templates")))
ENDINGS = {".html", ".txt"}


def long_lines(path: Path) -> list[str]:
    """Return a sentence for each line of a file that is too long."""
    return [
        f"{path.relative_to(ROOT)}:{number} has {len(line)} characters."
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > MOST
    ]


def main() -> None:
    """Exit with status 1 if there is a line that is too long."""
    paths = (path for folder in FOLDERS for path in sorted(folder.rglob("*")) if path.suffix in ENDINGS)
    mistakes = [mistake for path in paths for mistake in long_lines(path)]
    if mistakes:
        sys.exit("\n".join([*mistakes, f"A line of a template has at most {MOST} characters."]))


if __name__ == "__main__":
    main()
