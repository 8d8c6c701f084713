"""What the site is made of: a bill of materials, and licences and known vulnerabilities of all packages.

    python .ci/supply.py sbom > sbom.json             CycloneDX 1.6, from the lock file of production
    python .ci/supply.py licences                     fails if a licence is not in ALLOWED
    python .ci/supply.py vulnerabilities PyPI.zip     fails if a database of OSV knows one

A database is the file `all.zip` of PyPI at osv.dev, or a folder with its JSON files. So a machine without
internet can check too.
"""

import json
import re
import sys
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
LOCKS = [ROOT / f"requirements/{name}.txt" for name in ("reports", "social")]  # all that can be in production
PIN = re.compile(
    r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)([^\n]*)\n((?:    --hash=\S+[^\n]*\n?)+)", re.MULTILINE
)

# Licences of packages that may be used together with GPL-3.0-or-later, as their metadata write them.
ALLOWED = frozenset(
    {
        "0BSD",
        "Apache Software License",
        "Apache-2.0",
        "Apache-2.0 WITH LLVM-exception",
        "BSD License",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "3-Clause BSD License",
        "CC0-1.0",
        "LGPL-3.0-only",
        "MIT",
        "MIT License",
        "MIT-0",
        "MIT-CMU",
        "MPL-2.0",
        "Mozilla Public License 2.0 (MPL 2.0)",
        "OSI Approved",
        "PSF-2.0",
        "Zlib",
    }
)
# Read in the package itself, because its metadata say nothing or something else.
READ = {"qrcode": "BSD-3-Clause", "resvg-py": "MPL-2.0"}


def pins() -> Iterator[tuple[str, str, list[str]]]:
    """Yield name, version and SHA-256 hashes of each package in the lock files."""
    found = dict.fromkeys(pin for lock in LOCKS for pin in sorted(PIN.findall(lock.read_text())))
    for name, version, _marker, hashes in found:
        yield canonicalize_name(name), version, re.findall(r"sha256:([0-9a-f]{64})", hashes)


def licence_of(name: str) -> str | None:
    """Return the licence of a package as its metadata say; None if it is not for this system."""
    if name in READ:
        return READ[name]
    try:
        found: Any = metadata(name)
    except PackageNotFoundError:
        return None
    classes = [
        line.rpartition("::")[2].strip()
        for line in found.get_all("Classifier") or ()
        if line.startswith("License ::")
    ]
    return found["License-Expression"] or "; ".join(classes) or (found["License"] or "").partition("\n")[0]


def bad_licences() -> Iterator[str]:
    """Yield which packages have a licence that nobody has allowed."""
    for name, _version, _hashes in pins():
        licence = licence_of(name)
        if licence is None:
            continue
        choices = [re.split(r" AND |; ", choice) for choice in licence.split(" OR ")]
        if not any(all(part in ALLOWED for part in choice) for choice in choices):
            yield f"{name} has the licence {licence or 'unknown'!r}. Read it, and add it to .ci/supply.py."


def sbom() -> dict[str, Any]:
    """Return the bill of materials."""
    components = []
    for name, version, hashes in pins():
        licence = licence_of(name)
        components.append(
            {
                "type": "library",
                "name": name,
                "version": version,
                "purl": f"pkg:pypi/{name}@{version}",
                "hashes": [{"alg": "SHA-256", "content": one} for one in hashes],
                **({"licenses": [{"license": {"name": licence}}]} if licence else {}),
            }
        )
    for path in sorted((ROOT / "games/static/games/vendor").glob("*.js")):
        first = path.read_text().partition("\n")[0]
        version = re.search(r"\d+\.\d+\.\d+", first)
        components.append(
            {
                "type": "library",
                "name": path.stem,
                "version": version[0] if version else "",
                "purl": f"pkg:npm/{path.stem}@{version[0] if version else ''}",
            }
        )
    own = {"type": "application", "name": "novaluna", "licenses": [{"license": {"id": "GPL-3.0-or-later"}}]}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": components,
    }


def vulnerabilities(database: Path) -> Iterator[str]:
    """Yield the known vulnerabilities of the pinned packages."""
    pinned = [(name, version) for name, version, _hashes in pins()]
    for entry in entries(database):
        if "withdrawn" in entry:
            continue
        for affected in entry.get("affected", ()):
            name = canonicalize_name(affected.get("package", {}).get("name", ""))
            for version in [version for pin, version in pinned if pin == name]:
                if is_affected(version, affected):
                    yield f"{name} {version}: {entry['id']} {entry.get('summary', '')}".rstrip()


def entries(database: Path) -> Iterator[dict[str, Any]]:
    """Yield each entry of a database."""
    if database.is_dir():
        yield from (json.loads(path.read_bytes()) for path in sorted(database.glob("**/*.json")))
        return
    with zipfile.ZipFile(database) as file:
        yield from (json.loads(file.read(name)) for name in file.namelist() if name.endswith(".json"))


def is_affected(version: str, affected: Mapping[str, Any]) -> bool:
    """Return whether an entry names this version, or a range that has it."""
    if version in affected.get("versions", ()):
        return True
    ranges = [one["events"] for one in affected.get("ranges", ()) if one.get("type") == "ECOSYSTEM"]
    return any(is_in_range(Version(version), events) for events in ranges)


def is_in_range(version: Version, events: list[Mapping[str, str]]) -> bool:
    """Return whether the last event up to this version is that the vulnerability was introduced."""
    is_in = False
    for event in events:
        [(kind, at)] = event.items()
        try:
            reached = at == "0" or (
                Version(at) < version if kind == "last_affected" else Version(at) <= version
            )
        except InvalidVersion:
            continue
        if reached:
            is_in = kind == "introduced"
    return is_in


def main(command: str, *arguments: str) -> None:
    """Run a command of this program."""
    if command == "sbom":
        sys.stdout.write(json.dumps(sbom(), indent=1))
        return
    found = list(bad_licences() if command == "licences" else vulnerabilities(Path(arguments[0])))
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(*sys.argv[1:] or ["licences"])
