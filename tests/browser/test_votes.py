"""A vote and an offered seat arrive on the open pages of the other players."""

import pytest
from playwright.sync_api import expect

from games.models import Game
from games.services import hand_overs, votes
from tests.browser.conftest import OpenAs
from tests.play import fresh, game_of, mover, person, play_one

pytestmark = pytest.mark.django_db(transaction=True)


def test_votes_and_offers_arrive_on_open_pages(open_as: OpenAs) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias, is_public=False)
    asker = mover(game)
    other = tobias if asker == ines else ines
    page = open_as(other, game.get_absolute_url())
    vote = page.locator("#vote")
    expect(page.locator("#bar")).to_be_visible()
    expect(vote).to_have_count(0)

    hand_overs.offer(game.key, asker, is_public=False)
    offer = page.locator(f"#seat-offer-{game.seat_offers.get().pk}")
    expect(offer).to_contain_text(f"{asker} offers their seat")
    hand_overs.take(game.seat_offers.get().key, person("Noor"))
    expect(offer).to_contain_text(f"Noor wants the seat of {asker}")
    page.get_by_role("link", name="Noor wants a seat").click()
    expect(offer).to_be_in_viewport()
    hand_overs.withdraw(game.key, asker)
    expect(offer).to_have_count(0)

    votes.start(game.key, asker, "pace", Game.Pace.SLOW)
    expect(vote).to_contain_text("Change the pace to 7 days, +2 days a turn?")
    votes.answer(game.key, asker, game.votes.get().pk, agrees=False)
    expect(vote).to_have_count(0)
    # An answer disturbs nothing that is open. Just after a vote has appeared, only the keyboard answers it.
    page.locator("#chat summary").click()
    page.evaluate("window.isSamePage = true")
    votes.start(game.key, asker, "cancel")
    page.get_by_role("link", name="Answer the proposal").click()
    vote.get_by_role("button", name="Agree").press("Enter")
    expect(page.locator("#h-turn")).to_have_text("Game cancelled")
    assert fresh(game).ending == "cancelled"
    assert page.evaluate("window.isSamePage && document.getElementById('chat').open")


def test_who_asks_for_no_take_back_after_all_gets_the_whole_bar_again(open_as: OpenAs) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    asker = mover(game)
    while mover(fresh(game)) == asker:
        play_one(game)
    page = open_as(asker, game.get_absolute_url())
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#take-back").click()
    page.get_by_role("link", name="Not now").click()
    expect(page.locator("#plan-start")).to_be_visible()
    expect(page.locator("#bar-chat")).to_be_visible()
    expect(page.get_by_role("link", name="Not now")).to_have_count(0)
