"""`deploy/novaluna-setup`, with programs that only note how they were called."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.operations.test_update import NOTES

ROOT = Path(__file__).parents[2]
# psql answers that nothing exists until it was made, and notes what it reads.
RUNUSER = """#!/bin/sh
echo "runuser $*" >> "$NOTES"
case "$*" in
	*pg_roles*) [ ! -e "$STATE/role" ] || echo 1 ;;
	*pg_database*) [ ! -e "$STATE/database" ] || echo 1 ;;
	*createdb*) touch "$STATE/database" ;;
	*) cat >> "$NOTES"; touch "$STATE/role" ;;
esac
"""
ID = '#!/bin/sh\ncase "$1" in -u) echo 0 ;; *) [ -e "$STATE/user" ] ;; esac\n'
USERADD = NOTES + 'touch "$STATE/user"\n'
PROGRAMS = {"runuser": RUNUSER, "id": ID, "useradd": USERADD} | dict.fromkeys(
    ("apt-get", "systemctl", "chgrp", "psql", "redis-server", "caddy"), NOTES
)
MADE = '#!/bin/sh\necho "$(basename "$0") $*" >> "$NOTES"\n'
DEBIANS = "# The Caddyfile is an easy way to configure your Caddy web server.\n:80 {\n}\n"


@dataclass
class Machine:
    """A machine without the site, on which the set-up can run."""

    root: Path
    environ: dict[str, str]

    def set_up(self, **values: str) -> subprocess.CompletedProcess[str]:
        """Run the set-up with these values."""
        return subprocess.run(
            [self.environ["NOVALUNA_HOME"] + "/deploy/novaluna-setup"],
            env={**self.environ, **values},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def settings(self) -> dict[str, str]:
        """The stored settings, as a shell reads them."""
        command = ["sh", "-c", ". etc/novaluna.env; set"]
        done = subprocess.run(command, cwd=self.root, env={}, capture_output=True, text=True, check=True)
        lines = (line.partition("=") for line in done.stdout.splitlines())
        return {name: value.strip("'") for name, _is, value in lines}

    @property
    def caddyfile(self) -> Path:
        return self.root / "etc/caddy/Caddyfile"

    @property
    def notes(self) -> str:
        return Path(self.environ["NOTES"]).read_text()


VALUES = {"SITE_HOST": "moon.example", "EMAIL_URL": "smtp+tls://moon:p$w&d@mail.example:587"}


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    home, programs, root, state = (tmp_path / name for name in ("opt", "bin", "root", "state"))
    (root / "etc/caddy").mkdir(parents=True)
    (root / "etc/caddy/Caddyfile").write_text(DEBIANS)
    shutil.copytree(ROOT / "deploy", home / "deploy")
    for name in ("manage", "update"):
        (home / "deploy" / name).write_text(MADE)
    for folder in (programs, state):
        folder.mkdir()
    for name, text in PROGRAMS.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    environ = {
        "PATH": f"{programs}:{os.environ['PATH']}",
        "NOTES": str(tmp_path / "notes"),
        "STATE": str(state),
        "NOVALUNA_ROOT": str(root),
        "NOVALUNA_HOME": str(home.resolve()),
    }
    return Machine(root, environ)


def test_a_new_machine_gets_everything_and_a_second_run_keeps_it(machine: Machine) -> None:
    done = machine.set_up(**VALUES)
    assert done.returncode == 0, done.stderr + done.stdout
    settings = machine.settings
    assert settings["SITE_URL"] == "https://moon.example"
    assert settings["EMAIL_URL"] == VALUES["EMAIL_URL"]
    assert settings["DEFAULT_FROM_EMAIL"] == "Nova Luna <moon@moon.example>"
    assert len(settings["SECRET_KEY"]) >= 50
    password = settings["DATABASE_URL"].partition(":")[2].partition(":")[2].partition("@")[0]
    assert f"CREATE ROLE novaluna LOGIN CREATEDB PASSWORD '{password}'" in machine.notes
    assert not [
        line for line in machine.notes.splitlines() if line.startswith("runuser") and password in line
    ]
    assert (machine.root / "etc/novaluna.env").stat().st_mode & 0o7 == 0
    assert "\nmoon.example {\n" in machine.caddyfile.read_text()
    assert "update --apply\n" in machine.notes
    assert machine.notes.endswith("manage backup\nmanage doctor\n")
    assert "createdb --owner novaluna --encoding UTF8 --template template0 novaluna" in machine.notes
    kept_up = machine.root / "etc/systemd/system/postgresql@.service.d/novaluna.conf"
    assert "\nRestart=on-failure\n" in kept_up.read_text()
    again = machine.set_up()
    assert again.returncode == 0, again.stderr
    assert machine.settings == settings
    assert machine.notes.count("CREATE ROLE") == 1
    assert machine.notes.count("useradd") == 1
    assert machine.notes.count("update --apply") == 2


def test_replies_are_received_if_they_have_an_address(machine: Machine) -> None:
    assert machine.set_up(**VALUES).returncode == 0
    assert "novaluna-mail" not in machine.notes
    (machine.root / "etc/novaluna.env").unlink()
    done = machine.set_up(**VALUES, NOVALUNA_REPLY_ADDRESS="reply@moon.example")
    assert done.returncode == 0, done.stderr
    assert "systemctl --quiet enable --now novaluna-mail\n" in machine.notes
    assert "Play by reply" in done.stdout


def test_a_checkout_that_only_root_can_read_is_opened_for_the_user_of_the_site(machine: Machine) -> None:
    script = Path(machine.environ["NOVALUNA_HOME"]) / "deploy/backup"
    script.chmod(0o700)
    assert machine.set_up(**VALUES).returncode == 0
    assert script.stat().st_mode & 0o777 == 0o755


def test_a_lost_file_of_settings_gets_a_new_password_for_the_database(machine: Machine) -> None:
    machine.set_up(**VALUES)
    before = machine.settings["DATABASE_URL"]
    (machine.root / "etc/novaluna.env").unlink()
    assert machine.set_up(**VALUES).returncode == 0
    assert machine.settings["DATABASE_URL"] != before
    assert "ALTER ROLE novaluna LOGIN CREATEDB PASSWORD" in machine.notes
    assert machine.notes.count("createdb --owner") == 1


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"SITE_HOST": ""}, "SITE_HOST is needed"),
        ({"EMAIL_URL": ""}, "EMAIL_URL is needed"),
        ({"SITE_NAME": "Ines' moon"}, "SITE_NAME cannot have a single quote"),
    ],
)
def test_a_value_that_is_missing_or_cannot_be_stored_is_named(
    machine: Machine, values: dict[str, str], words: str
) -> None:
    done = machine.set_up(**{**VALUES, **values})
    assert done.returncode == 1
    assert words in done.stderr
    assert not (machine.root / "etc/novaluna.env").exists()
    assert "update" not in machine.notes


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ("2.6.2", "buffer_requests"),
        ("v2.6.3 h1:abc", "request_buffers 100KB"),
        ("v2.10.0", "request_buffers 100KB"),
    ],
)
def test_the_proxy_gets_the_line_of_its_version(machine: Machine, version: str, line: str) -> None:
    caddy = Path(machine.environ["PATH"].partition(":")[0]) / "caddy"
    caddy.write_text(f"#!/bin/sh\necho '{version}'\n")
    assert machine.set_up(**VALUES).returncode == 0
    assert f"\t\t{line}\n" in machine.caddyfile.read_text()


def test_the_proxy_of_somebody_else_stays(machine: Machine) -> None:
    machine.caddyfile.write_text("other.example {\n}\n")
    done = machine.set_up(**VALUES)
    assert done.returncode == 0
    assert "belongs to somebody else" in done.stdout
    assert machine.caddyfile.read_text() == "other.example {\n}\n"


def test_a_checkout_elsewhere_is_refused(machine: Machine) -> None:
    script = machine.environ["NOVALUNA_HOME"] + "/deploy/novaluna-setup"
    environ = {**machine.environ, "NOVALUNA_HOME": "/opt/elsewhere"}
    done = subprocess.run([script], env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "must be in /opt/elsewhere" in done.stderr
