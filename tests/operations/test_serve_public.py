"""`make play PUBLIC=…`: the site in one process, behind a proxy that has the certificate."""

import re
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

from tests.operations.test_serve import Site
from tests.plugins.children import free_port
from tests.plugins.processes import ROOT

PROXIED = {"Host": "luna.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.7"}


def variables() -> dict[str, str]:
    """Return the variables that the Makefile sets for the name luna.example."""
    make = ["make", "--dry-run", "play", "PUBLIC=luna.example"]
    lines = subprocess.run(make, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    [line] = re.findall(r"^(.*?)\S+ manage\.py serve", lines.replace("\\\n", " "), re.MULTILINE)
    return dict(word.split("=", 1) for word in shlex.split(line))


class NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_args: object) -> None:
        return None


def answer_of(site: Site, path: str, headers: dict[str, str]) -> tuple[int, dict[str, str]]:
    """Return the status and the headers of an answer."""
    opener = urllib.request.build_opener(NoRedirects)
    try:
        with opener.open(urllib.request.Request(site.address + path, headers=headers), timeout=60) as answer:
            return answer.status, dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers)


def test_people_come_through_the_proxy_by_https_only(made_folder: Path) -> None:
    site = Site(made_folder, free_port(), EMAIL_URL="smtp://127.0.0.1:1", **variables())
    try:
        status, headers = answer_of(site, "/account/login/", PROXIED)
        assert status == 200
        assert "Secure" in headers["Set-Cookie"]
        status, headers = answer_of(site, "/", {**PROXIED, "X-Forwarded-Proto": "http"})
        assert (status, headers["Location"]) == (301, "https://luna.example/")
        assert answer_of(site, "/", {**PROXIED, "Host": "other.example"})[0] == 400
        assert answer_of(site, "/mailbox/", PROXIED)[0] == 404, "nobody reads the emails of others"
        assert answer_of(site, "/metrics", PROXIED)[0] == 404
        assert answer_of(site, "/healthz", {})[0] == 200
    finally:
        site.close()


def test_a_public_site_without_a_mail_server_does_not_start(made_folder: Path) -> None:
    environ = {"PATH": "/usr/bin:/bin", "NOVALUNA_DATA": str(made_folder), **variables()}
    run = [sys.executable, "manage.py", "serve", "--port", str(free_port())]
    done = subprocess.run(run, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "https://luna.example needs a mail server: set EMAIL_URL" in done.stderr
