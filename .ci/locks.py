"""Check that each lock file pins its requirements of pyproject.toml in range, and that all files agree."""

import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
EXTRAS: dict[str, list[str]] = {
    "base": [],
    "production": ["production"],
    "reports": ["production", "reports"],
    "social": ["production", "social"],
    "dev": ["production", "reports", "social", "dev"],
}


def pins(lock: str) -> dict[str, set[str]]:
    """Return the pinned versions of each package in a lock file; there are several if markers differ."""
    found = defaultdict(set)
    text = (ROOT / f"requirements/{lock}.txt").read_text()
    for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE):
        found[name].add(version)
    return found


def find_mistakes() -> list[str]:
    """Return a sentence for each mistake in the lock files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    base, mistakes = pins("base"), []
    for lock, extras in EXTRAS.items():
        pinned = pins(lock)
        requirements = sum(
            (project["optional-dependencies"][extra] for extra in extras), project["dependencies"]
        )
        for requirement in map(Requirement, requirements):
            versions = pinned.get(canonicalize_name(requirement.name), set())
            if not versions or not all(version in requirement.specifier for version in versions):
                mistakes.append(f"requirements/{lock}.txt does not pin {requirement}")
        mistakes += [
            f"requirements/{lock}.txt pins another version of {name} than base.txt"
            for name in base
            if pinned.get(name) != base[name]
        ]
    return mistakes


if mistakes := find_mistakes():
    sys.exit("\n".join([*mistakes, "Run `make lock`."]))
