"""Malformed input: 500 random requests for each role, posted to every address of the site."""

import random
from collections.abc import Iterator

import pytest
from django.core.exceptions import BadRequest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.models import User
from games.models import Action, Game, Notification, Seat
from games.services import tables
from games.services.tables import duplicates
from novaluna_site.charsets import Utf8WSGIRequest
from tests.clients import HTMX, client_of
from tests.play import game_of, mover, person, play_one

pytestmark = pytest.mark.django_db

BODIES = 500
CONTENT_TYPES = [
    "application/x-www-form-urlencoded",
    "application/json",
    "multipart/form-data",
    "multipart/form-data; boundary=moon",
    "multipart/form-data; boundary=",
    "text/plain",
    "///",
]
CHARSETS = ["klingon", "utf-16", "utf-7", "hex", "undefined", "latin-1", "UTF-8"]
QUERIES = [
    "?at=%00",
    "?next=%00",
    "?%00",
    "?next=dance",
    "?q=%ff%fe",
    "?page=9999999999999999999999",
    "?x=1e9&x=",
]
COOKIES = ["sessionid", "csrftoken", "messages", "theme", "django_language"]
COOKIE_VALUES = ['"\\000moon"', "moon", "", '"', "\xff", "a" * 5000]
KEYS = [
    *(
        "do",
        "tile",
        "x",
        "y",
        "number",
        "request_id",
        "seat",
        "seat_count",
        "opponents",
        "level",
        "beginner",
        "is_public",
    ),
    *(
        "theme",
        "next",
        "digest_hour",
        "email",
        "username",
        "login",
        "password",
        "password1",
        "action_send",
        "",
    ),
]
VALUES = [
    *(
        "",
        "0",
        "-1",
        "1e9",
        "9" * 400,
        "9" * 5000,
        "NaN",
        "１",
        "null",
        "true",
        "[]",
        "{}",
        "\0",
        "%00",
        "%ff%fe",
        "=&=&",
    ),
    *(
        "Z9",
        "'; drop table games_action; --",
        "<script>",
        "🌙" * 30,
        "../../etc/passwd",
        "x" * 70_000,
        "5",
        "dance",
    ),
    *("00000000-0000-0000-0000-00000000000", "genius", "//evil.example", "\r\nSet-Cookie: a=b"),
]


# A post to these addresses needs no body, so every body is well-formed and does what the button does.
BODILESS = ("/join/", "/leave/", "/close/", "/logout/")
PARAMETERS = {
    "<int:line>": ["1", "99999999999999999999"],
    "<str:code>": ["moon", "AAAAA-AAAAA", "..", "%00"],
    "<str:key>": ["moon", "..", "A" * 400, "%00"],
    "<str:token>": ["1.moon", "1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "..", "9" * 400],
    "(?P<key>[-:\\w]+)": ["MQ:1moonAA:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", ":::", "moon"],
    "(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)": ["1-cmoon0-" + "a" * 32, "zzzzzzzzzzzzzz-set-password", "0-%00"],
    "<mail:name>": ["0" * 20 + "-0123abcd"],
    "<str:name>": ["Ines", "..", "moon" * 99, "%00"],
    "<str:line>": ["B4c_1_0.R2a_0_1", "B4c_99999999999999999999_0", "moon..moon", "." * 400, "%00"],
    "<slug:title>": ["novaluna", "moon", "1"],
    "<int:start>": ["0", "3", "99999999999999999999"],
    "<int:number>": ["1", "2", "7", "99999999999999999999"],
    "<int:pk>": ["1", "99999999999999999999"],
    "<int:seat>": ["0", "3", "99999999999999999999"],
    "<day:day>": ["2026-06-01", "9999-12-31", "2026-02-30", "moon"],
}


def addresses(game: Game, table: Game) -> list[str]:
    """Return every address of the site outside the admin, with the keys of the games or with `PARAMETERS`."""

    def walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
        for pattern in patterns:
            route = prefix + str(pattern.pattern).removeprefix("^").removesuffix("$")
            if isinstance(pattern, URLResolver):
                yield from walk(pattern.url_patterns, route)
            elif not route.startswith("/admin/"):
                yield route

    found = []
    values_of = PARAMETERS | {"<key:key>": [game.key, table.key], "<key:offer>": [game.key]}
    for route in walk(get_resolver().url_patterns, "/"):
        if "stream" in route or route.endswith(BODILESS):
            continue  # A stream neither reads nor sends a body under WSGI.
        paths = [route]
        for parameter, values in values_of.items():
            paths = [
                one.replace(parameter, value) for one in paths for value in values if parameter in one
            ] or paths
        found += paths
    return found


def malformed_body(rng: random.Random) -> tuple[bytes, str]:
    """Return a random body and its content type."""
    kind = rng.choice(CONTENT_TYPES)
    pairs = [(rng.choice(KEYS), rng.choice(VALUES)) for _pair in range(rng.randrange(8))]
    match rng.randrange(4):
        case 0:
            body = rng.randbytes(rng.randrange(300))
        case 1:
            body = ("{" + ", ".join(f'"{key}": {value}' for key, value in pairs)).encode()
        case 2:
            parts = (
                f'--moon\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}'
                for key, value in pairs
            )
            body = "\r\n".join(parts).encode()
        case _:
            body = "&".join(f"{key}={value}" for key, value in pairs).encode()
    if rng.random() < 0.1:
        kind += f"; charset={rng.choice(CHARSETS)}"
    return body, kind


def malformed_headers(rng: random.Random, client: Client) -> dict[str, str]:
    """Return random headers; most requests have the client's own cookies and its CSRF token."""
    headers = dict(HTMX) if rng.random() < 0.3 else {}
    if rng.random() < 0.9:
        headers["X-CSRFToken"] = client.cookies["csrftoken"].value
    if rng.random() < 0.1:
        headers["cookie"] = f"{rng.choice(COOKIES)}={rng.choice(COOKIE_VALUES)}"
    return headers


def snapshot() -> list[object]:
    """Return the stored values that malformed input must not change."""
    return [
        list(Game.objects.order_by("pk").values()),
        list(Seat.objects.order_by("pk").values("user", "bot", "joined_at", "discs", "time", "rank")),
        list(Action.objects.order_by("pk").values()),
        list(Notification.objects.order_by("pk").values()),
        list(
            User.objects.order_by("pk").values(
                "pk", "username", "email", "password", "digest_hour", "time_zone", "is_active"
            )
        ),
    ]


@pytest.mark.databases
@pytest.mark.slow
@pytest.mark.parametrize("role", ["anonymous", pytest.param("outsider", marks=pytest.mark.whole), "player"])
def test_malformed_requests_cause_no_error_and_no_change(role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.test.client.WSGIRequest", Utf8WSGIRequest)
    game = game_of(person("Ines"), person("Tobias"))
    play_one(game)
    table = tables.open_table(person("Kenji"), tables.TableOptions(3, is_public=True, pace="slow"))
    user = {"anonymous": None, "outsider": person("Noor"), "player": mover(game)}[role]
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.get("/account/login/")
    rng = random.Random(f"malformed as {role}")
    targets = addresses(game, table)
    assert len(targets) > 30
    assert not any(mark in target for target in targets for mark in "<(^$")
    before = snapshot()
    for number in range(BODIES):
        if user and number % 25 == 0:
            client.force_login(user)
        address = targets[number % len(targets)]
        if rng.random() < 0.1:
            address += rng.choice(QUERIES)
        body, kind = malformed_body(rng)
        headers = malformed_headers(rng, client)
        sent = (address, body, kind, headers)
        try:
            response = client.generic("POST", address, body, kind, headers=headers)
        except BadRequest:
            pytest.fail(f"The page for an error fails too: {sent}")
        assert response.status_code < 500, sent
        if address.startswith("/g/") and "/play/" in address:
            assert 400 <= response.status_code < 500, sent
    assert snapshot() == before


@pytest.mark.parametrize("verb", ["enter", "invite", "leave", "start", "close"])
def test_a_match_refuses_every_verb_without_what_it_needs(verb: str) -> None:
    match = duplicates.open_match(person("Ines"), 2, 2, pace="slow", is_public=True)
    client = client_of(person("Noor") if verb == "close" else match.opened_by)
    wrong = [{"who": ""}, {"who": " "}, {"who": "\0"}, {"who": "x" * 300}, {"team": "x"}, {"level": "genius"}]
    if verb != "enter":
        wrong.append({})
    for values in wrong if verb != "enter" else wrong[2:]:
        response = client.post(match.get_absolute_url(), {"do": verb} | values)
        assert 400 <= response.status_code < 500, values
    assert list(match.entries.values_list("user", flat=True)) == [match.opened_by_id]


def test_htmx_gets_the_same_refusal_as_a_plain_form() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    client = client_of(mover(game))
    for headers in ({}, HTMX):
        response = client.post(
            f"/g/{game.key}/play/", b"\xff\xfe", content_type="text/plain", headers=headers
        )
        assert response.status_code == 400
        assert "missing or unreadable" in response.text
        assert 'role="alert"' in response.text
