"""Runs all benchmarks, and prints one table of all goals: `python -m bench`.

Exits with an error if a goal is missed, or if a benchmark fails. `python -m bench engine` runs only one.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.goals import REPORTS, read_reports, table

ALL = ("engine", "bots", "site", "pages", "standings", "load", "crowd", "streams", "moves", "weight")


def main(names: list[str]) -> None:
    """Run the benchmarks with these names, or all."""
    with tempfile.TemporaryDirectory(prefix="novaluna-bench-") as folder:
        reports = Path(folder) / "reports"
        reports.touch()
        environment = {**os.environ, REPORTS: str(reports)}
        failed = [name for name in names or ALL if not run(name, environment)]
        measures = read_reports(reports)
    print(f"\n{machine()}\n\n{table(measures)}")
    missed = [measure.name for measure in measures if not measure.is_met]
    if failed or missed:
        sys.exit(f"\nFailed: {', '.join(failed) or 'none'}. Missed goals: {', '.join(missed) or 'none'}.")


def run(name: str, environment: dict[str, str]) -> bool:
    """Run a benchmark; return whether it ended without an error."""
    print(f"\n== {name}", flush=True)
    return subprocess.run([sys.executable, "-m", f"bench.{name}"], env=environment).returncode == 0


def machine() -> str:
    """Return the size of this machine, and its load over the last 15 minutes."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return (
        f"{os.cpu_count()} cores, {memory:.0f} GB, Python {platform.python_version()}, "
        f"load {os.getloadavg()[2]:.1f}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="Measures speed, and compares it with the goals."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"all, or some of: {', '.join(ALL)}")
    chosen = parser.parse_args().names
    if unknown := [name for name in chosen if name not in ALL]:
        parser.error(f"There is no benchmark {unknown[0]}. Choose from: {', '.join(ALL)}.")
    main(chosen)
