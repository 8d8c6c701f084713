"""`deploy/update`, with programs that only note how they were called."""

import http.server
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTES = '#!/bin/sh\necho "$(basename "$0") $*" >> "$NOTES"\n'
# A program at whose call the machine dies, if a test wants it: everything of the update ends at once.
DEATH = '[ "$(basename "$0")" != "${DIES:-}" ] || kill -KILL 0\n'
# The version says which commit runs, as its unit is restarted, and behind it which unit does not stay up.
SYSTEMCTL = (
    NOTES
    + DEATH
    + '[ "$1" != restart ] || cp version "$RUNNING"\n'
    + '[ "$1" != show ] || case "$(cat "$RUNNING")" in *"$5") echo 3 ;; *) echo 0 ;; esac\n'
    + '[ "$2 $3" != "is-enabled novaluna-mail" ] || exit 1\n'
)
PYTHON = f"""#!/bin/sh
case "$2" in *renameat2*) {DEATH.strip()} ;; esac
exec {sys.executable} "$@"
"""
# It also says which version the running processes find at their path meanwhile.
MANAGE = """#!/bin/sh
echo "manage $*" >> "$NOTES"
[ "$1" != migrate ] || echo "$PGOPTIONS" >> "$SEEN"
[ "$1" != migrate ] || nsenter --mount=/proc/$OUTSIDE/ns/mnt cat "$PWD/version" >> "$SEEN"
[ ! -e "fails-$1" ]
"""
HEALTHY_WITHIN = "3"


@dataclass
class Checkout:
    """A checkout of a small repository with the scripts, and what its programs have noted."""

    folder: Path
    origin: Path
    environ: dict[str, str]

    def publish(self, version: str, *files: str) -> None:
        """Make a new version in the repository from which the checkout comes."""
        (self.origin / "version").write_text(version)
        for name in files:
            (self.origin / name).touch()
        git(self.origin, "add", "--all")
        git(self.origin, "commit", "--quiet", "--message", version)

    def update(self, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
        """Run the update, as root does on a machine where nobody else can read new files."""
        command = ["sh", "-c", 'umask 077; exec "$@"', "sh", str(self.folder / "deploy/update"), *arguments]
        variables = {**self.environ, **environ}
        return subprocess.run(
            command, env=variables, capture_output=True, text=True, check=False, start_new_session=True
        )

    @property
    def notes(self) -> list[str]:
        """What was called, in order."""
        return Path(self.environ["NOTES"]).read_text().splitlines()

    @property
    def installed(self) -> str:
        """The version of the files."""
        return (self.folder / "version").read_text()

    @property
    def running(self) -> str:
        """The version that was started last."""
        return Path(self.environ["RUNNING"]).read_text()

    @property
    def folders(self) -> list[str]:
        """The names of its folder and of those that an update has left beside it."""
        return sorted(one.name for one in self.folder.parent.glob("site*"))


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=Ines", "-c", "user.email=ines@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def checkout(tmp_path: Path) -> Iterator[Checkout]:
    if os.geteuid():
        pytest.skip("Only root can update a site.")
    running = tmp_path / "running"

    class Health(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_bad = running.exists() and "bad" in running.read_text()
            self.send_response(HTTPStatus.SERVICE_UNAVAILABLE if is_bad else HTTPStatus.OK)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Print nothing."""

    origin, folder, programs, units = (tmp_path / name for name in ("origin", "site", "bin", "units"))
    for made in (origin, programs, units):
        made.mkdir()
    shutil.copytree(ROOT / "deploy", origin / "deploy")
    (origin / "deploy/manage").write_text(MANAGE)
    for name, text in {
        "make": NOTES + DEATH,
        "sync": NOTES,
        "systemctl": SYSTEMCTL,
        "python3": PYTHON,
    }.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    git(origin, "init", "--quiet")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Health) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environ = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "NOTES": str(tmp_path / "notes"),
            "RUNNING": str(running),
            "OUTSIDE": str(os.getpid()),
            "SEEN": str(tmp_path / "seen"),
            "NOVALUNA_UNITS": str(units),
            "NOVALUNA_HEALTH": f"http://127.0.0.1:{server.server_port}/readyz",
            "NOVALUNA_PATIENCE": HEALTHY_WITHIN,
            "NOVALUNA_DATA": str(tmp_path),
            "NOVALUNA_LEAST_SPACE": "0",
        }
        one = Checkout(folder, origin, environ)
        one.publish("one")
        git(tmp_path, "clone", "--quiet", str(origin), str(folder))
        yield one
        server.shutdown()


def test_an_update_makes_a_backup_and_then_everything_in_order(checkout: Checkout) -> None:
    checkout.publish("two")
    done = checkout.update()
    assert done.returncode == 0, done.stderr + done.stdout
    assert (checkout.installed, checkout.running) == ("two", "two")
    assert (checkout.folder / "version").stat().st_mode & 0o044 == 0o044, "the site's user can read it"
    calls = [note.split(" --")[0] for note in checkout.notes if "is-enabled" not in note]
    assert calls[:7] == [
        "manage backup",
        "make",
        "manage migrate",
        "manage compile_bots",
        "manage collectstatic",
        "sync ",
        "systemctl daemon-reload",
    ]
    assert checkout.notes[-1] == "manage doctor"
    assert Path(checkout.environ["SEEN"]).read_text().split("\n") == [" -c lock_timeout=10s", "one"], (
        "no table is locked for long, and the version before runs while two is prepared"
    )
    restarted = {note.removeprefix("systemctl restart ") for note in checkout.notes if " restart " in note}
    units = {unit.stem for unit in (ROOT / "deploy").glob("*.service")}
    assert restarted == units - {"novaluna-mail"}, "the one for replies is not enabled here"
    stored = {unit.name for unit in Path(checkout.environ["NOVALUNA_UNITS"]).iterdir()}
    assert {f"{unit}.service" for unit in units} | {"novaluna-backup.timer", "novaluna-drill.timer"} <= stored


def test_a_version_that_does_not_answer_is_taken_back(checkout: Checkout) -> None:
    checkout.publish("bad")
    done = checkout.update()
    assert done.returncode == 1
    assert "The site does not answer" in done.stdout
    assert "The previous version is started again." in done.stdout
    assert (checkout.installed, checkout.running) == ("one", "one")
    assert checkout.folders == ["site"], "nothing is left"


@pytest.mark.parametrize(
    ("version", "words"),
    # Pages of the one are shown. Nobody waits longer for those of the other.
    [
        ("two novaluna-bots", "novaluna-bots ends again and again."),
        ("bad novaluna-web", "The site does not answer"),
    ],
)
def test_a_version_whose_units_end_is_taken_back(checkout: Checkout, version: str, words: str) -> None:
    checkout.publish(version)
    done = checkout.update(NOVALUNA_PATIENCE="3600")
    assert done.returncode == 1
    assert words in done.stdout
    assert "The previous version is started again." in done.stdout
    assert "fails too" not in done.stdout
    assert (checkout.installed, checkout.running) == ("one", "one")


def test_new_settings_of_the_proxy_are_announced(checkout: Checkout) -> None:
    checkout.publish("two")
    assert "novaluna-setup" not in checkout.update().stdout
    (checkout.origin / "deploy/Caddyfile").write_text("nova-luna.example {\n}\n")
    checkout.publish("three")
    assert "Run deploy/novaluna-setup again." in checkout.update().stdout


@pytest.mark.parametrize("step", ["migrate", "collectstatic", "compile_bots"])
def test_a_step_that_fails_leaves_the_version_before(checkout: Checkout, step: str) -> None:
    checkout.publish("two", f"fails-{step}")
    done = checkout.update()
    assert done.returncode == 1
    assert "The site runs as before." in done.stdout
    assert checkout.installed == "one"
    assert "systemctl restart" not in " ".join(checkout.notes)
    assert "doctor" not in " ".join(checkout.notes)
    assert checkout.folders == ["site"], "nothing is left"


@pytest.mark.parametrize(
    ("program", "installed"),
    # While the new version is prepared, at the exchange of the two, and when nothing was restarted yet.
    [("make", "one"), ("python3", "one"), ("systemctl", "two")],
)
def test_an_update_that_the_machine_did_not_survive_is_done_by_the_next_one(
    checkout: Checkout, program: str, installed: str
) -> None:
    checkout.publish("two")
    assert checkout.update(DIES=program).returncode == -signal.SIGKILL
    assert checkout.installed == installed, "one of the two is always there"
    assert not Path(checkout.environ["RUNNING"]).exists()
    done = checkout.update()
    assert done.returncode == 0, done.stderr + done.stdout
    assert (checkout.installed, checkout.running) == ("two", "two")
    assert checkout.folders == ["site"], "nothing is left"


def test_a_bad_version_that_the_machine_did_not_survive_is_taken_back(checkout: Checkout) -> None:
    checkout.publish("bad")
    assert checkout.update(DIES="systemctl").returncode == -signal.SIGKILL
    assert checkout.installed == "bad"
    assert "The previous version is started again." in checkout.update().stdout
    assert (checkout.installed, checkout.running) == ("one", "one")
    assert checkout.folders == ["site"], "nothing is left"


def test_nothing_happens_without_a_backup_or_with_changed_files(checkout: Checkout) -> None:
    checkout.publish("two")
    (checkout.folder / "fails-backup").touch()
    assert checkout.update().returncode != 0
    assert checkout.installed == "one"
    assert checkout.notes == ["manage backup"]
    (checkout.folder / "version").write_text("own")
    changed = checkout.update()
    assert changed.returncode == 1
    assert "git status" in changed.stdout
    assert checkout.installed == "own"


def test_nothing_happens_on_a_disk_that_is_nearly_full(checkout: Checkout) -> None:
    checkout.publish("two")
    done = checkout.update(NOVALUNA_LEAST_SPACE="1000000000")
    assert done.returncode == 1
    assert "Nothing was changed." in done.stdout
    assert checkout.installed == "one"
    assert not Path(checkout.environ["NOTES"]).exists()


def test_the_newest_version_needs_no_update(checkout: Checkout) -> None:
    done = checkout.update()
    assert done.returncode == 0
    assert "newest" in done.stdout
    assert not Path(checkout.environ["NOTES"]).exists()


def test_a_commit_can_be_chosen(checkout: Checkout) -> None:
    checkout.publish("two")
    git(checkout.origin, "tag", "two")
    checkout.publish("three")
    assert checkout.update("two").returncode == 0
    assert checkout.installed == "two"
