"""The files of backups: their names, what is written beside them, and which of them are kept."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

PREFIX = "novaluna-"
NAME = f"{PREFIX}%Y%m%dT%H%M%SZ"
# Tables whose rows are in no backup: the files of people are deleted after a week, and backups are not.
WITHOUT_ROWS = ("games_export",)
# How many days, weeks and months the newest backup of each is kept for, and how many of the latest are kept
# anyway: two updates within a day must not remove the backup from before the first.
DAYS, WEEKS, MONTHS, LATEST = 7, 4, 12, 3
LONGEST = timedelta(days=1)  # that somebody makes a backup
Period = Callable[[datetime], object]
RULE: tuple[tuple[int, Period], ...] = (
    (DAYS, lambda at: at.date()),
    (WEEKS, lambda at: at.isocalendar()[:2]),
    (MONTHS, lambda at: (at.year, at.month)),
    (LATEST, lambda at: at),
)


class BackupError(Exception):
    """A backup cannot be made or restored. The only argument says why, and what to do."""


@dataclass(frozen=True)
class Facts:
    """What is known about a backup: which database it was, and what it must have when it is restored."""

    made_at: str
    vendor: str
    tool: str
    migrations: Mapping[str, str]
    rows: Mapping[str, int]
    # Shows whether a site has the secret key of the backup, and nothing else.
    key: str
    is_encrypted: bool
    # Of the file, which a disk or a copy can damage without an error.
    sha256: str

    def write(self, backup: Path) -> None:
        """Store the facts beside a backup."""
        replace(facts_of(backup), json.dumps(asdict(self), indent=1).encode())

    @classmethod
    def read(cls, backup: Path) -> "Facts":
        """Return the facts about a backup. Raises BackupError."""
        try:
            return cls(**json.loads(facts_of(backup).read_bytes()))
        except (OSError, ValueError, TypeError) as error:
            raise BackupError(
                f"{facts_of(backup)} cannot be read ({error}). Copy it together with its backup."
            ) from error


def facts_of(backup: Path) -> Path:
    """Return the file with the facts about a backup."""
    return backup.with_name(f"{backup.name}.json")


def replace(file: Path, content: bytes) -> None:
    """Write a file, complete or not at all."""
    part = file.with_name(f"{file.name}.part")
    part.write_bytes(content)
    part.replace(file)


def name_at(moment: datetime, vendor: str, *, is_encrypted: bool) -> str:
    """Return the name of a backup that is made at a moment."""
    ending = "dump" if vendor == "postgresql" else "sqlite3.gz"
    return moment.astimezone(UTC).strftime(NAME) + f".{ending}" + (".enc" if is_encrypted else "")


def made_at(backup: Path) -> datetime | None:
    """Return when a backup was made, by its name; None for other files."""
    try:
        return datetime.strptime(backup.name.partition(".")[0], NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


def backups_in(folder: Path) -> list[Path]:
    """Return the complete backups in a folder, oldest first."""
    files = folder.glob(f"{PREFIX}*") if folder.exists() else ()
    return sorted(one for one in files if made_at(one) and facts_of(one).exists())


def to_keep(moments: Iterable[datetime]) -> set[datetime]:
    """Return the moments whose backups are kept: the latest, and the newest of each day, week and month."""
    newest_first = sorted(moments, reverse=True)
    kept: set[datetime] = set()
    for most, period in RULE:
        newest: dict[object, datetime] = {}
        for moment in newest_first:
            newest.setdefault(period(moment), moment)
        kept.update(list(newest.values())[:most])
    return kept


def remove_old(folder: Path) -> list[Path]:
    """Remove the backups that the rule does not keep, and return them."""
    backups = {backup: made_at(backup) for backup in backups_in(folder)}
    kept = to_keep(moment for moment in backups.values() if moment)
    old = [backup for backup, moment in backups.items() if moment not in kept]
    for backup in old:
        backup.unlink()
        facts_of(backup).unlink()
    for part in folder.glob(f"{PREFIX}*.part"):
        # Who made it was killed.
        if (begun := made_at(part)) and begun < datetime.now(UTC) - LONGEST:
            part.unlink(missing_ok=True)
    return old


def digest_of(file: Path) -> str:
    """Return the SHA-256 of a file."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def sync(file: Path) -> None:
    """Wait until a file is on the disk."""
    with file.open("rb") as opened:
        os.fsync(opened.fileno())
