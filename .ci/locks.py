"""Whether the lock files fit pyproject.toml: each requirement pinned in its range, alike in all of them."""

import re
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
EXTRAS: dict[str, list[str]] = {"base": [], "production": ["production"], "dev": ["production", "dev"]}


def pins(lock: str) -> dict[str, set[str]]:
    """Return the versions of each package in a lock file."""
    found = defaultdict(set)
    text = (ROOT / f"requirements/{lock}.txt").read_text()
    for name, version in re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE):
        found[name].add(version)
    return found


def complaints() -> list[str]:
    """Return what does not fit, in words."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    base, found = pins("base"), []
    for lock, extras in EXTRAS.items():
        pinned = pins(lock)
        wanted = sum((project["optional-dependencies"][extra] for extra in extras), project["dependencies"])
        for requirement in map(Requirement, wanted):
            versions = pinned.get(canonicalize_name(requirement.name), set())
            if not versions or not all(version in requirement.specifier for version in versions):
                found.append(f"requirements/{lock}.txt has no {requirement}")
        found += [
            f"requirements/{lock}.txt has another {name}" for name in base if pinned.get(name) != base[name]
        ]
    return found


if found := complaints():
    sys.exit("\n".join([*found, "Run `make lock`."]))
