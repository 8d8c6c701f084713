"""Memory and processor time of a process, as Linux shows them in /proc."""

import os
from pathlib import Path
from typing import NamedTuple


class Memory(NamedTuple):
    """The memory of a process, in MB.

    A page that n processes share counts as 1/n of a page in `share`, and as a whole page in the other fields.
    """

    resident: float  # RSS
    share: float  # PSS
    most: float  # the highest RSS so far

    def __str__(self) -> str:
        return f"RSS {self.resident:.0f} MB (at most {self.most:.0f}), PSS {self.share:.0f} MB"


def memory(pid: int) -> Memory:
    """Return the memory of a process now."""
    parts = _kilobytes(Path(f"/proc/{pid}/smaps_rollup")) | _kilobytes(Path(f"/proc/{pid}/status"))
    return Memory(parts["Rss"] / 1024, parts["Pss"] / 1024, parts["VmHWM"] / 1024)


def children(pid: int) -> list[int]:
    """Return the ids of the running processes that a process has started."""
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def processor_time(pid: int) -> float:
    """Return the processor time of a process so far, in seconds, without its children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def threads(pid: int) -> int:
    """Return the number of threads of a process."""
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


def _kilobytes(file: Path) -> dict[str, int]:
    lines = (line.split() for line in file.read_text().splitlines())
    return {words[0].rstrip(":"): int(words[1]) for words in lines if words[-1] == "kB"}
