"""Log-ins at another server are off without a variable. With one, `with_provider.py` says what holds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.oidc_server import CLIENT, KEY
from tests.plugins import children

ROOT = Path(__file__).parents[2]
NAMED = {
    "NOVALUNA_LOGIN_PROVIDER": "Club",
    "NOVALUNA_LOGIN_SERVER": "https://login.example/realms/club/",
    "NOVALUNA_LOGIN_CLIENT": CLIENT,
    "NOVALUNA_LOGIN_SECRET": KEY,
}
PRINT = "import django, sys; django.setup(); from django.conf import settings; "


def run(*command: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    environ = {**kept, "DJANGO_SETTINGS_MODULE": "novaluna_site.settings", **environ}
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.django_db
def test_without_a_variable_there_is_no_button_and_no_address(client: Client) -> None:
    assert settings.LOGIN_PROVIDER is None
    assert not [app for app in settings.INSTALLED_APPS if "socialaccount" in app]
    for path in ("/account/login/", "/account/signup/"):
        page = client.get(path)
        assert "oidc" not in page.text
        assert "form-action 'self';" in page["Content-Security-Policy"] + ";"
    assert client.post("/account/oidc/login.example/login/").status_code == 404
    assert client.get("/account/oidc/signup/").status_code == 404


def test_without_a_variable_nothing_of_it_is_imported() -> None:
    names = "('requests', 'oauthlib', 'jwt', 'allauth.socialaccount.models', 'novaluna_site.provider_pages')"
    program = f"{PRINT}import novaluna_site.urls; print([name for name in {names} if name in sys.modules])"
    assert run("-c", program).stdout.strip() == "[]"


def test_people_of_another_server_are_other_people() -> None:
    program = f"{PRINT}print(settings.LOGIN_PROVIDER.id, *settings.LOGIN_PROVIDER.origins)"
    assert run("-c", program, **NAMED).stdout.split() == [
        "login.example-realms-club",
        "https://login.example",
    ]
    origins = "https://login.example,https://people.example"
    two = run("-c", program, **NAMED, NOVALUNA_LOGIN_ORIGINS=origins)
    assert two.stdout.split()[1:] == origins.split(",")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"NOVALUNA_LOGIN_SECRET": None}, "NOVALUNA_LOGIN_SECRET"),
        ({"NOVALUNA_LOGIN_SERVER": "http://login.example"}, "https://"),
    ],
)
def test_a_wrong_variable_is_reported(changes: dict[str, str | None], words: str) -> None:
    named = {name: value for name, value in (NAMED | changes).items() if value is not None}
    done = run("-c", PRINT, **named)
    assert done.returncode == 1
    assert words in done.stderr


def test_a_host_without_the_packages_reads_which_command_installs_them() -> None:
    program = (
        "import importlib.util as u; u.find_spec = lambda name: None; from novaluna_site import settings"
    )
    done = run("-c", program, **NAMED)
    assert done.returncode == 1
    assert "make install-social" in done.stderr


@pytest.mark.slow
def test_with_the_variables_people_log_in_there() -> None:
    server = f"http://127.0.0.1:{children.free_port()}"
    cases = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/accounts/with_provider.py"]
    done = run(*cases, **NAMED | {"NOVALUNA_LOGIN_SERVER": server}, NOVALUNA_TEST_DB="sqlite")
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
    assert "skipped" not in done.stdout
