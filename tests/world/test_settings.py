"""A form of settings that is saved without a change changes nothing, and a person has one time zone."""

from datetime import UTC, datetime, time
from html.parser import HTMLParser

import pytest
from django.test import Client

from accounts.models import User
from games.models import HiddenPart, HoursChange, Kind, NotificationChoice, Webhook, wanted_channels
from tests.clients import client_of
from tests.play import person

pytestmark = pytest.mark.django_db

HOURS, NOTIFICATIONS = "/account/hours/", "/account/notifications/"
PAGES = (HOURS, NOTIFICATIONS, "/account/settings/", "/account/profile/", "/account/notifications/webhook/")


class Form(HTMLParser):
    """What a browser sends for the form of a page that a person saves as it is."""

    def __init__(self, page: str, button: str = "Save") -> None:
        super().__init__()
        self.found: dict[str, list[str]] | None = None
        self.fields: dict[str, list[str]] = {}
        self.select = self.option = ""
        self.options: list[tuple[str, bool]] = []
        self.is_button = False
        self.button = button
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.fields = {}
        elif tag == "button":
            self.is_button = True
        elif tag == "select":
            self.select, self.options = values["name"], []
        elif tag == "option":
            self.options.append((values["value"], "selected" in values))
        elif tag == "input" and "name" in values:
            is_box = values.get("type") in ("checkbox", "radio")
            if not is_box or "checked" in values:
                self.fields.setdefault(values["name"], []).append(values.get("value", "on" if is_box else ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self.options:
            first = self.options[0][0]
            self.fields[self.select] = [next((one for one, chosen in self.options if chosen), first)]
        self.is_button = self.is_button and tag != "button"

    def handle_data(self, data: str) -> None:
        if self.is_button and data.strip() == self.button:
            self.found = self.fields


def form_on(client: Client, page: str) -> dict[str, list[str]]:
    form = Form(client.get(page).text).found
    assert form is not None, page
    return form


def rows_of(user: User) -> list[object]:
    """Return all that the settings of a person store."""
    found = [*User.objects.filter(pk=user.pk).values()]
    for model in (HoursChange, NotificationChoice, HiddenPart, Webhook):
        found += model.objects.filter(user=user).order_by("pk").values()
    return [{name: value for name, value in row.items() if name != "last_login"} for row in found]


# Values of a person, and their hours: zone, sleep and day off. Some of them no form offers.
STORED = [
    ({}, None),
    (
        {
            "time_zone": "Asia/Kathmandu",
            "digest_hour": 7,
            "automatic_vacation": True,
            "plays_by_reply": False,
        },
        ("Europe/Berlin", time(23), time(7), 6),
    ),
    ({"time_zone": "Mars/Olympus", "language": "tlh"}, ("Mars/Olympus", None, None, 0)),
    ({"time_zone": "EST5EDT", "confirm_moves": False}, ("UTC", time(22, 30), time(6, 15), None)),
    ({"refused_address": "x@example.org", "shortcuts": False}, ("Asia/Tokyo", time(0), time(8), 3)),
]


@pytest.mark.parametrize(("stored", "night"), STORED)
def test_a_form_that_is_saved_as_it_is_changes_nothing(
    stored: dict[str, object], night: tuple[str, time | None, time | None, int | None] | None
) -> None:
    ines = person("Ines")
    User.objects.filter(pk=ines.pk).update(**stored)
    if night:
        zone, start, end, day = night
        since = datetime(2026, 1, 1, tzinfo=UTC)
        HoursChange.objects.create(
            user=ines, starts_at=since, time_zone=zone, sleep_start=start, sleep_end=end, day_off=day
        )
    HiddenPart.objects.create(user=ines, part="gone")
    Webhook.objects.create(user=ines, url="https://example.org/hook", format="json", error="HTTP 500")
    client = client_of(ines)
    before = rows_of(ines)
    for page in (*PAGES, *PAGES[::-1]):
        assert client.post(page, form_on(client, page)).status_code == 302, page
        assert rows_of(ines) == before, page


def test_a_page_that_was_open_for_long_overwrites_nothing() -> None:
    ines = person("Ines")
    client = client_of(ines)
    open_pages = {page: form_on(client, page) for page in PAGES[:4]}
    choose = {"time_zone": "Asia/Tokyo", "sleep_start": "22:00", "sleep_end": "06:00", "day_off": "2"}
    client.post(HOURS, form_on(client, HOURS) | choose | {"automatic_vacation": "on"})
    client.post(NOTIFICATIONS, form_on(client, NOTIFICATIONS) | {"digest_hour": "9", "nudge": ["digest"]})
    client.post("/account/settings/", form_on(client, "/account/settings/") | {"shortcuts": "False"})
    client.post("/account/profile/", form_on(client, "/account/profile/") | {"shown": []})
    before = rows_of(ines)
    assert len(before) > 5
    for page, fields in open_pages.items():
        client.post(page, fields)
        assert rows_of(ines) == before, page
    # A change on an old page changes that and nothing else.
    client.post(NOTIFICATIONS, open_pages[NOTIFICATIONS] | {"digest_hour": "20"})
    ines.refresh_from_db()
    assert (ines.digest_hour, ines.time_zone) == (20, "Asia/Tokyo")


@pytest.mark.parametrize("page", [HOURS, NOTIFICATIONS])
def test_both_pages_choose_the_same_time_zone(page: str) -> None:
    ines = person("Ines")
    client = client_of(ines)
    client.post(HOURS, form_on(client, HOURS) | {"sleep_start": "22:00", "sleep_end": "06:00"})
    client.post(page, form_on(client, page) | {"time_zone": "Asia/Tokyo"})
    for shown in (HOURS, NOTIFICATIONS):
        assert form_on(client, shown)["time_zone"] == ["Asia/Tokyo"]
        assert "Times are in Asia/Tokyo" in client.get(shown).text
    newest = HoursChange.objects.filter(user=ines).latest("starts_at")
    assert (newest.time_zone, newest.sleep_start) == ("Asia/Tokyo", time(22))


def test_what_two_pages_have_typed_is_shown_and_saved_with_the_second_press() -> None:
    ines = person("Ines")
    client = client_of(ines)
    older = Form(client.get(HOURS).text).found
    newer = Form(client.get(HOURS).text).found
    assert older
    assert newer
    times = {"sleep_end": ["06:00"]}
    assert client.post(HOURS, newer | {"sleep_start": ["21:00"]} | times).status_code == 302
    page = client.post(HOURS, older | {"sleep_start": ["22:30"]} | times)
    assert page.status_code == 400
    assert "another page has changed this to “21:00”" in page.text
    again = Form(page.text).found
    assert again
    assert again["sleep_start"] == ["22:30"], "what was typed stays"
    assert client.post(HOURS, again).status_code == 302
    assert 'value="22:30"' in client.get(HOURS).text


def test_both_times_of_sleep_are_those_of_one_page() -> None:
    client = client_of(person("Ines"))
    client.post(HOURS, form_on(client, HOURS) | {"sleep_start": ["22:00"], "sleep_end": ["06:00"]})
    older = form_on(client, HOURS)
    client.post(HOURS, form_on(client, HOURS) | {"sleep_end": ["07:00"]})
    client.post(HOURS, older | {"sleep_start": ["21:00"]})
    stored = form_on(client, HOURS)
    assert (stored["sleep_start"], stored["sleep_end"]) == (["21:00"], ["06:00"])


def test_all_emails_change_at_once_and_one_email_for_a_kind_is_enough() -> None:
    ines = person("Ines")
    client = client_of(ines)

    def chosen() -> set[frozenset[str]]:
        return {frozenset(channels) for channels in wanted_channels(ines).values()}

    for when, expected in (("digest", {"digest"}), ("none", set()), ("mail", {"mail"})):
        assert client.post(NOTIFICATIONS, {"when": when}).status_code == 302
        assert chosen() == {frozenset(expected)}
    form = form_on(client, NOTIFICATIONS) | {"turn": ["mail", "digest"]}
    client.post(NOTIFICATIONS, form)
    assert wanted_channels(ines)["turn"] == {"digest"}
    form = form_on(client, NOTIFICATIONS) | {"turn": ["mail", "digest"]}
    client.post(NOTIFICATIONS, form)
    assert wanted_channels(ines)["turn"] == {"mail"}
    client.post(NOTIFICATIONS, {"when": "never ever"})
    assert wanted_channels(ines)["over"] == {"mail"}


def test_each_kind_is_in_one_group() -> None:
    page = client_of(person("Ines")).get(NOTIFICATIONS)
    fields = [field.name for group in page.context["form"].groups for field in group.fields]
    assert sorted(fields) == sorted(Kind.values)
