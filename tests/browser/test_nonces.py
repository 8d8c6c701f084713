"""Browsers make a nonce for each seat that somebody takes."""

import re

import pytest

from games.models import Game
from tests import play
from tests.browser.conftest import OpenAs

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_browser_makes_a_new_nonce_for_each_seat(open_as: OpenAs) -> None:
    ines = play.person("Ines")
    over = play.play_out(play.solo_of(ines))
    page = open_as(ines, over.get_absolute_url())
    page.get_by_role("button", name="Play again").first.click()
    page.wait_for_url(lambda url: over.key not in url)
    page.goto(page.url.split("/g/")[0] + "/solo/")
    page.get_by_role("button", name="Start a solo game").first.click()
    page.wait_for_url("**/g/*/")
    seats = [game.seats.get() for game in Game.objects.exclude(pk=over.pk)]
    assert [seat.has_own_nonce for seat in seats] == [True, True]
    nonces = {seat.nonce for seat in seats}
    assert len(nonces) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", nonce) for nonce in nonces)
