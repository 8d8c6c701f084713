"""Nobody loses the daily deal because a page was open for long."""

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client

from games.models import Game
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import person

pytestmark = pytest.mark.django_db


def form_on(page: str) -> dict[str, str]:
    form = page[page.index('action="/daily/start/"') :]
    return dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[: form.index("</form>")]))


@pytest.mark.parametrize(
    ("opened", "begun", "is_asked"),
    [
        (timedelta(hours=8), timedelta(hours=11, minutes=58), True),
        (timedelta(hours=11, minutes=5), timedelta(hours=11, minutes=58), True),
        (timedelta(hours=8), timedelta(hours=10, minutes=59), False),
        (timedelta(hours=11, minutes=57), timedelta(hours=11, minutes=58), False),
        (timedelta(hours=11, minutes=5), timedelta(hours=11, minutes=20), False),
    ],
)
@pytest.mark.parametrize("is_guest", [False, True])
def test_a_person_sees_how_little_time_is_left_before_they_begin(
    clock: FrozenClock, opened: timedelta, begun: timedelta, is_asked: bool, is_guest: bool
) -> None:
    client, noon = Client() if is_guest else client_of(person("Ines")), clock.now
    clock.now = noon + opened
    fields = form_on(client.get("/daily/").text)
    clock.now = noon + begun
    answer = client.post("/daily/start/", fields)
    assert Game.objects.exists() is not is_asked
    if not is_asked:
        assert answer.status_code == 302
        return
    assert answer.status_code == 409
    assert "Your game has not started, because" in answer.text
    assert "2 minutes left" in answer.text
    assert "The day is nearly over." in answer.text
    assert client.post("/daily/start/", form_on(answer.text)).status_code == 302
    assert Game.objects.count() == 1


def test_the_time_left_is_on_the_page_of_the_deal_and_of_its_game(clock: FrozenClock) -> None:
    ines = person("Ines")
    ines.time_zone = "Asia/Tokyo"
    ines.save()
    client = client_of(ines)
    clock.move_on(hours=8)
    page = client.get("/daily/").text
    assert "The day ends on Tue 2 Jun, 09:00." in page
    assert re.search(r'datetime="2026-06-02T00:00:00\+00:00" data-deadline.*?4 hours left', page, re.DOTALL)
    game = client.post("/daily/start/", {"day": "2026-06-01", "request_id": uuid.uuid4()}).url
    for path in (game, f"{game}text/"):
        shown = client.get(path).text
        assert "Counts until Tue 2 Jun, 09:00" in shown
        assert "4 hours left" in shown
    clock.move_on(hours=5)
    for path in (game, f"{game}text/"):
        shown = client.get(path).text
        assert "Counts until" not in shown
        assert "practice" in shown
