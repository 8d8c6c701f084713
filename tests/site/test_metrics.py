"""`/metrics`, which Prometheus asks: what was counted in all processes, and how the site is now."""

import asyncio
import json
import os
import re
import subprocess
import sys
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import AsyncClient, Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django.fixtures import Settings

from games import metrics as counting
from games.models import Channel, Game, Kind, Notification, Seat, ServedQueue
from games.notifications import delivery
from games.services import bots
from games.services.errors import Conflict
from games.services.play import play
from novaluna_site.health import metrics, readiness, services
from tests.play import game_left_to, game_of, mover, person, play_one, position_of

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[2]
Figures = Callable[..., float]


@pytest.fixture(autouse=True)
def _process_for_pages(settings: Settings) -> None:
    settings.SERVES_PAGES = True
    readiness._found_tables.cache_clear()
    metrics._games.cache_clear()


@pytest.fixture
def figure(client: Client, settings: Settings, tmp_path: Path) -> Figures:
    """The value of a sample, which the site shows now; 0 if there is none.

    It is of this process only: other processes of the test run count in the same folder at the same time.
    """
    place = counting._place_of(os.getpid())
    for kind in counting.SIZES:
        (tmp_path / f"{kind}_{place}.db").symlink_to(settings.METRICS_DIR / f"{kind}_{place}.db")
    settings.METRICS_DIR = tmp_path

    def read(name: str, **labels: str) -> float:
        answer = client.get("/metrics", headers={"host": "10.0.0.7:8000"})
        assert answer.status_code == 200
        families = text_string_to_metric_families(answer.content.decode())
        samples = [sample for family in families for sample in family.samples]
        return sum(one.value for one in samples if one.name == f"novaluna_{name}" and one.labels == labels)

    return read


def test_requests_are_counted_by_view_and_status(client: Client, figure: Figures) -> None:
    def count(view: str, status: str) -> tuple[float, float]:
        seconds = figure("request_seconds_count", view=view)
        return figure("requests_total", view=view, status=status), seconds

    before = count("accounts:log_in", "200")
    client.get("/account/login/")
    after = count("accounts:log_in", "200")
    assert [new - old for old, new in zip(before, after, strict=True)] == [1, 1]
    lost = count("other", "404")
    client.get(f"/{uuid.uuid4()}/")
    assert count("other", "404")[0] == lost[0] + 1, "strangers add no names of views"
    asyncio.run(AsyncClient().get("/account/login/"))
    assert count("accounts:log_in", "200")[0] == after[0] + 1


def test_refused_actions_are_counted_by_reason(game: Game, figure: Figures) -> None:
    before = figure("refusals_total", reason="Conflict")
    with pytest.raises(Conflict):
        play(game.key, mover(game), next(iter(position_of(game).legal_actions)), 7, uuid.uuid4())
    assert figure("refusals_total", reason="Conflict") == before + 1


def test_turns_of_bots_are_timed_by_level(figure: Figures) -> None:
    before = figure("bot_seconds_count", title="novaluna", level="easy")
    game = game_left_to("easy", "easy")
    assert figure("oldest_due_seconds", work="quick turns") > 0
    bots.take_turn(game.pk, game.version + 1)
    assert figure("bot_seconds_count", title="novaluna", level="easy") == before + 1


def test_notifications_are_counted_by_channel_and_outcome(
    figure: Figures, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[object]
) -> None:
    def counts() -> list[float]:
        outcomes = ("sent", "failed", "dropped")
        return [figure("notifications_total", channel=Channel.MAIL, outcome=outcome) for outcome in outcomes]

    before = counts()
    game = game_of(person("Ines"), person("Tobias"))
    Seat.objects.update(seen_at=None)
    turn = game.notifications.get(kind=Kind.TURN)
    Notification.objects.exclude(pk=turn.pk).delete()
    Notification.objects.update(due_at=timezone.now())
    with monkeypatch.context() as patch:
        patch.setattr(delivery.CHANNELS[Channel.MAIL], "send", lambda *_all: 1 / 0)
        patch.setattr(delivery.logger, "exception", lambda *_all: None)
        delivery.deliver(turn.pk)
    assert [new - old for old, new in zip(before, counts(), strict=True)] == [0, 1, 0]
    Notification.objects.update(due_at=timezone.now())
    delivery.deliver(turn.pk)
    assert [new - old for old, new in zip(before, counts(), strict=True)] == [1, 1, 0]
    game = game_of(person("Lina"), person("Mira"))
    Seat.objects.update(seen_at=None)
    turn = game.notifications.get(kind=Kind.TURN)
    play_one(game)
    Notification.objects.update(due_at=timezone.now())
    delivery.deliver(turn.pk)
    assert [new - old for old, new in zip(before, counts(), strict=True)] == [1, 1, 1]


def test_games_queues_and_findings_are_shown(game: Game, figure: Figures, settings: Settings) -> None:
    assert [figure("games", status=status) for status in ("open", "running", "over")] == [0, 1, 0]
    ServedQueue.objects.create(name="bots", served_at=timezone.now() - timezone.timedelta(hours=1))
    assert 3600 <= figure("queue_age_seconds", queue="bots") < 3700
    assert figure("findings", check="redis") == 0
    assert figure("queue_length", queue="bots") == 0
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert figure("findings", check="redis") == 1


def test_what_was_counted_is_shown_without_the_database(
    figure: Figures, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise OperationalError("connection refused")

    figure("findings", check="database")
    with monkeypatch.context() as patch:
        patch.setattr(services.connection, "cursor", refuse)
        assert figure("findings", check="database") == 1
        assert figure("requests_total", view="other", status="200") >= 1


def test_a_process_for_streams_shows_only_its_streams(client: Client, settings: Settings) -> None:
    settings.SERVES_PAGES = False
    text = client.get("/metrics").content.decode()
    assert re.findall(r"^\w+", text, re.MULTILINE) == ["novaluna_open_streams"]


def test_nobody_gets_figures_through_a_proxy(client: Client) -> None:
    assert client.get("/metrics", headers={"X-Forwarded-For": "203.0.113.7"}).status_code == 404


def test_a_process_counts_on_where_an_earlier_one_has_ended(tmp_path: Path) -> None:
    count = "; ".join(
        (
            "import os, django",
            "django.setup()",
            "from games import metrics",
            "metrics.REFUSALS.labels('Gone').inc()",
            "child = os.fork()",
            "metrics.REFUSALS.labels('Gone').inc()",
            "child and os.waitpid(child, 0)",
        )
    )
    environ = {
        **os.environ,
        "NOVALUNA_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
    }
    for _process in range(3):
        subprocess.run([sys.executable, "-c", count], cwd=ROOT, env=environ, check=True)
    show = "import django; django.setup(); from games import metrics; print(*metrics.counted())"
    shown = subprocess.run(
        [sys.executable, "-c", show], cwd=ROOT, env=environ, check=True, capture_output=True, text=True
    )
    assert "value=9.0" in shown.stdout
    names = sorted(path.name for path in (tmp_path / "metrics").glob("counter*"))
    assert names == ["counter_0.db", "counter_1.db"], "two processes lived at the same time"


@pytest.mark.parametrize(
    "damage",
    [b"", b"\x40\x00\x00\x00" + b"\xff" * 100, b"\x00\x01\x00\x00\x00\x00\x00\x00\x40\x00", b"\x01"],
    ids=["empty", "not a name", "cut off", "a byte"],
)
def test_a_file_that_a_crash_has_damaged_begins_anew(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "metrics").mkdir()
    for kind in ("counter", "histogram"):
        (tmp_path / f"metrics/{kind}_0.db").write_bytes(damage)
    program = (
        "import django; django.setup(); from games import metrics; metrics.REFUSALS.labels('Gone').inc();"
        "metrics.REQUEST_SECONDS.labels('x').observe(1); print(*metrics.counted())"
    )
    environ = {
        **os.environ,
        "NOVALUNA_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environ, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "value=1.0" in done.stdout


def test_a_site_whose_folder_is_full_counts_in_memory(tmp_path: Path) -> None:
    (tmp_path / "metrics").write_text("no folder")
    program = (
        "import django; django.setup(); from games import metrics; metrics.REFUSALS.labels('Gone').inc()"
    )
    environ = {
        **os.environ,
        "NOVALUNA_DATA": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environ, check=True, capture_output=True, text=True
    )
    assert "Cannot count" in done.stderr


def names_that_exist() -> set[str]:
    """Return the name of each sample that the site can show."""
    from games.metrics import REGISTRY

    counted = {
        f"{family.name}_{part}"
        for family in REGISTRY.collect()
        for part in (("total",) if family.type == "counter" else ("bucket", "sum", "count"))
    }
    return counted | {family.name for family in metrics.Figures().collect() if family.type == "gauge"}


def test_the_dashboard_names_only_figures_that_exist_and_shows_all(game: Game) -> None:
    dashboard = json.loads((ROOT / "deploy/grafana-dashboard.json").read_text())
    queries = " ".join(target["expr"] for panel in dashboard["panels"] for target in panel.get("targets", ()))
    named, existing = set(re.findall(r"novaluna_\w+", queries)), names_that_exist()
    assert named - existing == set()
    missing = {re.sub(r"_(bucket|sum|count)$", "", name) for name in existing} - {
        re.sub(r"_(bucket|sum|count)$", "", name) for name in named
    }
    assert missing == set()


def test_the_alerts_name_only_figures_that_exist(game: Game) -> None:
    named = set(re.findall(r"novaluna_\w+", (ROOT / "deploy/prometheus.yml").read_text()))
    named |= set(re.findall(r"novaluna_\w+", (ROOT / "deploy/prometheus-alerts.yml").read_text()))
    assert named
    assert named - names_that_exist() == set()
