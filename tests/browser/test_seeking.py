"""Two people look for each other in two browsers."""

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games.models import Game, Seek
from tests import play
from tests.browser.conftest import OpenAs
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_people_meet_and_a_closed_page_is_no_longer_waiting(open_as: OpenAs) -> None:
    ines, tobias, mina = (play.person(name) for name in ("Ines", "Tobias", "Mina"))
    closed = open_as(mina, "/play/person/")
    closed.get_by_role("button", name="Look for somebody").click()
    expect(closed.get_by_text("Looking for somebody")).to_be_visible()
    # A reload or a second page of the same person, which closes, leaves the search as it is.
    closed.reload()
    other = closed.context.new_page()
    other.goto(closed.url)
    expect(other.get_by_text("Looking for somebody")).to_be_visible()
    other.close(run_before_unload=True)
    for _ in range(2):  # the first may be on its way already
        closed.wait_for_event("response", lambda answer: "others=" in answer.url)
    expect(closed.get_by_text("Looking for somebody")).to_be_visible()
    assert Seek.objects.waiting(timezone.now()).exists()
    closed.close(run_before_unload=True)
    wait_until(lambda: not Seek.objects.waiting(timezone.now()).exists(), "the end of the search")
    waiting = open_as(ines, "/play/person/")
    waiting.get_by_role("button", name="Look for somebody").click()
    expect(waiting.get_by_text("Looking for somebody")).to_be_visible()
    expect(waiting.locator("[data-since]")).to_have_text(re.compile(r"^0:0[1-9]$"))
    # Another choice is another search.
    for pace, words in (("3 min + 5 s", "3 minutes, +5"), ("5 min + 10 s", "5 minutes, +10")):
        waiting.get_by_text(pace, exact=True).click()
        expect(waiting.get_by_text(f"Each player has {words} seconds a turn")).to_be_visible()
    coming = open_as(tobias, "/play/person/")
    coming.get_by_text("3 min + 5 s", exact=True).click()
    coming.get_by_role("button", name="Look for somebody").click()
    # Both pages show the other's search, also the one that was open before.
    expect(waiting.get_by_role("button", name="Play Nova Luna, 3 minutes, +5 seconds a turn")).to_be_visible()
    coming.get_by_role("button", name="Play Nova Luna, 5 minutes, +10 seconds a turn").click()
    for page in (waiting, coming):
        expect(page).to_have_url(re.compile(r"/g/\w+/$"))
    assert Game.objects.get().seats.filter(user__in=[ines, tobias]).count() == 2
