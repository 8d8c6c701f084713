"""The containers in `deploy/compose/` without an engine: their files, and their commands behind a proxy.

What an engine does itself is not tested: building the layers, networks between containers, and volumes.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from novaluna_site.backups import postgresql
from tests.operations.test_proxy import Proxy
from tests.plugins import children, packages, processes, servers
from tests.plugins.children import free_port
from tests.units import UNITS, command_of
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
COMPOSE = (ROOT / "deploy/compose/compose.yaml").read_text()
DOCKERFILE = (ROOT / "deploy/compose/Dockerfile").read_text()
EXAMPLE = (ROOT / "deploy/compose/.env.example").read_text()
ELSEWHERE = {
    "127.0.0.1:8000": "0.0.0.0:8000",
    "--host 127.0.0.1": "--host 0.0.0.0",
    "127.0.0.1:8024": "0.0.0.0:8024",
}


def services() -> dict[str, str]:
    """Return the text of each service."""
    text = COMPOSE.partition("\nservices:\n")[2].partition("\nvolumes:\n")[0]
    parts = re.split(r"^  (\w+):\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def command(name: str) -> list[str]:
    """Return the command of a service, as the container runs it."""
    found = re.search(r"^    command: (.+)$", services()[name], re.MULTILINE)
    assert found, name
    return shlex.split(found[1].replace("$$", "$"))


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_each_unit_has_a_service_with_the_same_command(unit: Path) -> None:
    name = unit.stem.removeprefix("novaluna-")
    line = " ".join(command_of(unit, Path("/var/lib/novaluna")))
    for before, after in ELSEWHERE.items():
        line = line.replace(before, after)
    program, *arguments = line.split()
    assert command(name) == [Path(program).name, *arguments]
    setting = re.search(r"^Environment=(\w+)=(\w+)$", unit.read_text(), re.MULTILINE)
    if setting:
        assert f'{setting[1]}: "{setting[2]}"' in services()[name]


def test_the_example_has_ten_lines_and_every_variable_that_is_needed() -> None:
    lines = EXAMPLE.splitlines()
    assert len(lines) == 10
    names = {line.partition("=")[0] for line in lines if not line.startswith("#")}
    needed = set(re.findall(r"\$\{(\w+)", COMPOSE))
    assert needed <= names
    assert "SECRET_KEY" in names, "otherwise each container would make its own"
    known = (ROOT / "novaluna_site/settings.py").read_text() + COMPOSE
    assert [name for name in names if name not in known and name != "COMPOSE_PROFILES"] == []


def test_the_image_is_built_by_the_first_service_alone() -> None:
    assert [name for name, text in services().items() if "build:" in text] == ["prepare"]
    assert "build:" not in COMPOSE.partition("\nservices:\n")[0]
    assert "pull_policy: never" in COMPOSE.partition("\nservices:\n")[0]


def test_containers_have_few_rights() -> None:
    site = COMPOSE.partition("\nservices:\n")[0]
    for words in ("read_only: true", "cap_drop:\n    - ALL", "no-new-privileges:true"):
        assert words in site
    assert re.findall(r"^USER (\w+)$", DOCKERFILE, re.MULTILINE) == ["10001"]
    assert "useradd --uid 10001" in DOCKERFILE
    published = re.findall(r"^      - ([\d.:/udp]+)$", COMPOSE, re.MULTILINE)
    assert published == ["127.0.0.1:8024:8024", "80:80", "443:443", "443:443/udp"]


def test_programs_for_backups_are_of_the_version_of_the_database() -> None:
    server = re.search(r"image: postgres:(\d+)$", COMPOSE, re.MULTILINE)
    client = re.search(r"postgresql-client-(\d+)", DOCKERFILE)
    assert server
    assert client
    assert server[1] == client[1]
    # From version 18 on, the image refuses a volume at this path.
    assert int(server[1]) < 18
    assert "postgres-17:/var/lib/postgresql/data" in COMPOSE


def test_the_image_gets_nothing_but_code() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert "*" in (ROOT / ".dockerignore").read_text().splitlines()
    copied = {
        word
        for line in re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE)
        for word in line.split()
    }
    assert copied == allowed
    for name in allowed:
        assert (ROOT / name).exists()
        tracked = subprocess.run(["git", "ls-files", name], cwd=ROOT, capture_output=True, check=True)
        assert tracked.stdout, name


@pytest.fixture
def image(tmp_path: Path) -> Path:
    """The folder of the code as the steps of the Dockerfile make it."""
    folder = tmp_path / "opt"
    for line in re.findall(r"^COPY (?!--)(.+)$", DOCKERFILE, re.MULTILINE):
        *sources, target = line.split()
        for source in sources:
            place = folder / target
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, place)
    return folder


@pytest.fixture
def database() -> Iterator[str]:
    """The address of an empty database."""
    if servers.ON_SQLITE:
        pytest.skip("The containers have PostgreSQL.")
    name = f"{connection.settings_dict['NAME']}_compose"
    with psycopg.connect(postgresql.url_of("template1"), autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
    yield postgresql.url_of(name)
    postgresql.drop(name)


@pytest.mark.whole
def test_a_new_site_is_served_by_the_commands_of_the_containers(
    image: Path, database: str, tmp_path: Path
) -> None:
    caddy = shutil.which("caddy") or (packages.install("caddy") and shutil.which("caddy"))
    assert caddy
    proxy, pages, streams = Proxy(free_port()), free_port(), free_port()
    data = tmp_path / "data"
    data.mkdir()
    environ = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "SITE_URL": proxy.url,
        "ALLOWED_HOSTS": "127.0.0.1",
        "TRUSTED_PROXIES": "1",
        "SECRET_KEY": "k" * 60,
        "DATABASE_URL": database,
        "REDIS_URL": servers.SPARE_REDIS_URL,
        "NOVALUNA_DATA": str(data),
    }
    all_of_it = {**os.environ, **environ}
    done = subprocess.run(command("prepare"), cwd=image, env=all_of_it, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    config = (ROOT / "deploy/Caddyfile").read_text()
    config = config.replace("grace_period 5s", "grace_period 1s\n\tadmin off")
    # This machine may have the version of Debian, whose directive has another name.
    (tmp_path / "Caddyfile").write_text(config)
    with ExitStack() as stack:
        for name, port in (("web", pages), ("streams", streams)):
            words = [re.sub(r"(?<![0-9])800[01]$", str(port), word) for word in command(name)]
            started = children.start(words, cwd=image, env=all_of_it)
            stack.callback(children.stop, started)
        run = [caddy, "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
        variables = {
            "SITE_HOST": proxy.url,
            "WEB": f"127.0.0.1:{pages}",
            "STREAMS": f"127.0.0.1:{streams}",
            "BUFFER": buffering(caddy),
            "XDG_DATA_HOME": str(tmp_path),
        }
        process = stack.enter_context(processes.running(run, **variables))
        wait_until(proxy.responds, "a page through the proxy")
        page = read(f"{proxy.url}/")
        assert "Nova Luna" in page
        style = re.search(r'href="(/static/[^"]+\.css)"', page)
        assert style
        assert "{" in read(proxy.url + style[1])
        assert read(f"http://127.0.0.1:{pages}/readyz").startswith('{"status": ')
        with pytest.raises(urllib.error.HTTPError) as hidden:
            read(f"{proxy.url}/readyz")
        hidden.value.close()
        with urllib.request.urlopen(f"{proxy.url}/updates/stream/?lists", timeout=60) as stream:
            assert stream.headers["Content-Type"] == "text/event-stream"
        process.kill()  # Terminated, it would wait for its connections.


def buffering(caddy: str) -> str:
    """Return the directive that lets a proxy of this version wait for a whole body."""
    version = subprocess.run([caddy, "version"], capture_output=True, text=True, check=True).stdout
    numbers = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    newer = re.search(r"BUFFER: (.+)$", COMPOSE, re.MULTILINE)
    assert newer
    return newer[1] if numbers >= (2, 6, 3) else "buffer_requests"


def read(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as response:
        return str(response.read().decode())
