"""Reports of errors and traces say where something failed, and nothing about people."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import brotli
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from pytest_django.fixtures import Settings

from novaluna_site.reports import errors
from tests.clients import client_of
from tests.play import game_of, person
from tests.plugins import processes, servers
from tests.receiver import Receiver, receiver

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ROOT = Path(__file__).parents[2]
TOKEN = "planted-token-4f1zk01b"
LINE = "Planted line of a chat"
REPLY = "Planted reply of a person"
ADDRESS = "planted-address@example.org"
NAME = "Plantedname"


def run_failing(outside: Receiver) -> None:
    """Let a process fail that sends its reports to `outside`."""
    user = person(NAME)
    session = client_of(user).cookies["sessionid"].value
    planted = (session, game_of(user, person("Tobias")).key, TOKEN, LINE, REPLY, ADDRESS, NAME)
    environ = processes.environment(
        SENTRY_DSN=outside.url.replace("http://", "http://key@") + "/1",
        OTEL_EXPORTER_OTLP_ENDPOINT=outside.url,
        OTEL_RESOURCE_ATTRIBUTES="",
        LOG_LEVEL="ERROR",
        DJANGO_SETTINGS_MODULE="novaluna_site.settings",
    )
    run = [sys.executable, "-m", "tests.site.failing", *planted]
    done = subprocess.run(
        run, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=170, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    sent = b"".join(body_of(one.headers, one.body) + repr(one.headers).encode() for one in outside.requests)
    for words in (*planted, user.email, f"user {user.pk}", '"user"', "cookie"):
        assert words.encode() not in sent, words


def body_of(headers: dict[str, str], body: bytes) -> bytes:
    """Return what was sent, in a form in which words can be found."""
    readers = {"gzip": gzip.decompress, "br": brotli.decompress, "": bytes}
    return bytes(readers[headers.get("content-encoding", "")](body))


def test_reports_say_where_it_failed_and_nothing_about_people() -> None:
    with receiver() as outside:
        run_failing(outside)
    envelopes = [one for one in outside.requests if one.path == "/api/1/envelope/"]
    events = [json.loads(body_of(one.headers, one.body).splitlines()[2]) for one in envelopes]
    places = {
        (error["type"], error["stacktrace"]["frames"][-1]["function"])
        for event in events
        for error in event["exception"]["values"]
    }
    assert ("ValueError", "fail") in places
    assert {"/g/{key}/chat/", "games.remind"} <= {event.get("transaction") for event in events}
    assert any(event["tags"]["request"] for event in events), "the host finds the request in the log"
    messages = [event.get("logentry", {}).get("message") for event in events]
    assert "Cannot read the reply of %s: %s" in messages
    traces = [body_of(one.headers, one.body) for one in outside.requests if one.path == "/v1/traces"]
    spans = [
        span
        for body in traces
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    names = {span.name for span in spans}
    assert "POST g/<key:key>/chat/" in names
    assert "run/games.remind" in names
    assert ("SELECT" in names) != servers.ON_SQLITE


def test_nothing_is_reported_without_a_setting(settings: Settings) -> None:
    assert (settings.SENTRY_DSN, settings.TRACES_TO) == ("", "")
    modules = "{'sentry_sdk', 'novaluna_site.reports.traces'}"
    program = f"import django, sys; django.setup(); print({modules} & {{*sys.modules}})"
    environ = {**os.environ, "DJANGO_SETTINGS_MODULE": "novaluna_site.settings"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environ, capture_output=True, check=True
    )
    assert done.stdout.strip() == b"set()"


def test_a_host_without_the_packages_reads_which_command_installs_them() -> None:
    program = "import sys; sys.modules['sentry_sdk'] = None; import django; django.setup()"
    environ = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "novaluna_site.settings",
        "SENTRY_DSN": "http://key@127.0.0.1/1",
    }
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environ, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert b"make install-reports" in done.stderr


def test_what_later_versions_of_the_client_add_is_not_sent() -> None:
    event = {"event_id": "1", "user": {"id": 7}, "exception": {"values": [{"type": "E", "value": "of Ines"}]}}
    report = errors.only_harmless(event | {"added_later": "by Ines"}, {})
    assert report["exception"] == {"values": [{"type": "E", "stacktrace": {"frames": []}}]}
    assert "Ines" not in str(report)
    assert "user" not in report


def test_an_address_without_a_route_is_not_sent() -> None:
    event = {"event_id": "1", "transaction": "/games/{key}/", "transaction_info": {"source": "route"}}
    assert errors.only_harmless(event, {})["transaction"] == "/games/{key}/"
    mistyped = {"transaction": f"/moves/{TOKEN}/", "transaction_info": {"source": "url"}}
    assert TOKEN not in str(errors.only_harmless(event | mistyped, {}))
