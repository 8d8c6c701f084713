"""Plans on the page of a game and in text mode."""

from random import Random

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from games.lunar.notation.plan_lines import plannable
from games.models import Game, Plan
from games.services import plans
from games.services import play as playing
from tests.clients import client_of
from tests.lunar.games import lunar_game, position_of, reply, user_of
from tests.play import fresh

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt")]

PARTS = ("", "text/")


@pytest.fixture
def game() -> Game:
    """A game for two in which seat 0 turns the first tile."""
    return lunar_game(2)


def plan(client: Client, game: Game, part: str, label: str) -> str:
    """Press the button with this label on a page with a plan; return the page after that."""
    page = BeautifulSoup(client.get(f"{game.get_absolute_url()}{part}?plan=1").text, "html.parser")
    [button] = [
        one
        for one in page.select(".plan button, button[form=plan-cards]")
        if label in (one.get("aria-label"), " ".join(one.get_text().split()))
    ][:1]
    form = page.select_one(f"#{button['form']}") if button.get("form") else button.find_parent("form")
    assert form is not None
    fields = {str(one["name"]): str(one.get("value", "on")) for one in form.select("input[name]")}
    if button.get("name"):
        fields[str(button["name"])] = str(button["value"])
    return client.post(str(form["action"]), fields, follow=True).text


LABELS = {"": "%s", "text/": "Turn the %s tile face down"}


@pytest.mark.parametrize("part", PARTS)
def test_a_plan_on_a_page_is_played_when_the_turn_begins(game: Game, part: str) -> None:
    client = client_of(user_of(game, 1))
    assert "Plan my turn" in client.get(f"{game.get_absolute_url()}{part}").text
    plan(client, game, part, LABELS[part] % "owl")
    page = plan(client, game, part, LABELS[part] % "lynx")
    first, second = (page.index(f"Remove: Turn the {suit} tile face down") for suit in ("owl", "lynx"))
    assert first < second
    reply(game, 0, "flip owl")
    assert [suit.name for suit in position_of(game).flips] == ["OWL", "LYNX"]
    assert "Your plan was played." in client.get(f"{game.get_absolute_url()}{part}").text
    if not part:
        assert '<section class="panel plan' not in client.get(game.get_absolute_url()).text
        while 1 not in position_of(game).awaited:
            playing.play_for_bot(game.pk, next(iter(position_of(game).legal(0))), fresh(game).version + 1)
        page = client.get(game.get_absolute_url()).text
        assert "Your plan was played." not in page, "the bar asks for the next action"


@pytest.mark.parametrize("part", PARTS)
def test_nobody_else_sees_a_plan(game: Game, part: str) -> None:
    plan(client_of(user_of(game, 1)), game, part, LABELS[part] % "owl")
    assert "Your plan" not in client_of(user_of(game, 0)).get(f"{game.get_absolute_url()}{part}").text


def test_a_second_press_takes_a_card_out_of_the_plan(game: Game) -> None:
    client = client_of(user_of(game, 1))
    plan(client, game, "", "owl")
    page = plan(client, game, "", "lynx")
    assert "owl, number 1 of your plan" in page
    assert "lynx, number 2 of your plan" in page
    page = plan(client, game, "", "owl, number 1 of your plan")
    assert "lynx, number 1 of your plan" in page
    plan(client, game, "", "lynx, number 1 of your plan")
    assert not Plan.objects.exists()


def test_a_plan_is_dropped_by_its_button(game: Game) -> None:
    client = client_of(user_of(game, 1))
    plan(client, game, "", "owl")
    assert "Drop the plan" not in plan(client, game, "", "Drop the plan")
    assert not Plan.objects.exists()


def test_of_equal_cards_one_has_the_place_in_the_plan() -> None:
    game = lunar_game(4)
    for seat in range(4):
        hand = position_of(game).hands[seat]
        reply(game, seat, f"pass {' '.join([*hand[:2], *hand[6:8]])}")
    for seat, suit in enumerate(("wolf", "owl", "lynx")):
        reply(game, seat, f"flip {suit}")
    hands = position_of(game).hands
    seat, twin = next(
        (seat, card) for seat in (1, 2, 3) for card in hands[seat] if hands[seat].count(card) > 1
    )
    client = client_of(user_of(game, seat))
    page = BeautifulSoup(client.get(f"{game.get_absolute_url()}?plan=1").text, "html.parser")
    cards = page.select(f"#hand button[data-card='{twin}']")
    assert len(cards) == hands[seat].count(twin)
    page = BeautifulSoup(plan(client, game, "", str(cards[0]["aria-label"])), "html.parser")
    assert [one["data-place"] for one in page.select("#hand .plan-place")] == ["1"]
    [other, *_more] = page.select(f"#hand a[data-card='{twin}'][aria-disabled]")
    assert other["data-detail"] == "Another card like this is number 1 of your plan."


def in_trick_of_partner() -> Game:
    """A game for four in which seat 0 has led a rank."""
    game = lunar_game(4)
    for seat in range(4):
        hand = position_of(game).hands[seat]
        reply(game, seat, f"pass {' '.join([*hand[:2], *hand[6:8]])}")
    for seat, suit in enumerate(("wolf", "owl", "lynx")):
        reply(game, seat, f"flip {suit}")
    reply(game, 0, f"play {position_of(game).hands[0][0]}")
    return game


@pytest.mark.parametrize("part", PARTS)
def test_cards_that_can_not_become_legal_say_why(part: str) -> None:
    game = in_trick_of_partner()
    client, url = client_of(user_of(game, 2)), f"{game.get_absolute_url()}{part}"
    page = BeautifulSoup(client.get(f"{url}?plan=1").text, "html.parser")
    reason = "Ines has played a rank, so you must play a suit."
    if part:
        assert reason in " ".join(page.get_text().split())
        assert "Ranks in your hand" not in [one.get_text(strip=True) for one in page.select(".plan h3")]
        return
    assert len(page.select("#hand button")) == len(page.select("#hand .fan--s li"))
    out = page.select("#hand .fan--r a[aria-disabled]")
    assert len(out) == len(page.select("#hand .fan--r li"))


def test_a_card_that_can_not_be_planned_says_why_without_scripts() -> None:
    game = in_trick_of_partner()
    client = client_of(user_of(game, 2))
    page = BeautifulSoup(client.get(f"{game.get_absolute_url()}?plan=1").text, "html.parser")
    href = str(page.select("#hand .fan--r a[aria-disabled]")[0]["href"])
    answer = BeautifulSoup(client.get(href.partition("#")[0]).text, "html.parser")
    alert = answer.select_one("#bar [role=alert]")
    assert alert is not None
    assert alert.get_text(strip=True) == "Ines has played a rank, so you must play a suit."
    assert answer.select("#bar[data-plans]"), "the page still plans"


def test_plans_do_not_ask_about_new_cards_where_none_can_come(game: Game) -> None:
    page = client_of(user_of(game, 1)).get(f"{game.get_absolute_url()}text/?plan=1").text
    assert 'name="outlasts_refill" value="on"' in page
    assert 'type="checkbox"' not in page


@pytest.mark.parametrize("part", PARTS)
def test_who_has_passed_says_whether_the_plan_is_for_any_cards(part: str) -> None:
    game = lunar_game(4)
    hand = position_of(game).hands[0]
    reply(game, 0, f"pass {' '.join([*hand[:2], *hand[6:8]])}")
    client = client_of(user_of(game, 0))
    plan(client, game, part, LABELS[part] % "owl")
    page = client.get(f"{game.get_absolute_url()}{part}?plan=1").text
    assert "Keep it with the cards from" in page
    if not part:
        plan(client, game, part, "Keep it with the cards from Mina")
        assert not Plan.objects.get().outlasts_reveals


@pytest.mark.parametrize("is_outdated", [False, True])
def test_a_plan_that_gives_way_to_the_only_card_says_so(is_outdated: bool) -> None:
    game, rng = lunar_game(4), Random(3)
    while True:
        position = position_of(game)
        seat = min(position.awaited)
        action = rng.choice(list(position.legal(seat)))
        after = position.apply(action).position
        waiting = [one for one in after.awaited - {seat} if after.forced(one)]
        gone = [wish for one in waiting for wish in plannable(position, one) if wish not in after.legal(one)]
        if gone:
            break
        playing.play_for_bot(game.pk, action, fresh(game).version + 1)
    user = user_of(game, gone[0].seat)
    plans.change(game.key, user, gone[:1], fresh(game).version + 1, outlasts_reveals=True)
    if is_outdated:
        Plan.objects.update(outlasts_reveals=False, known=1000)
    playing.play_for_bot(game.pk, action, fresh(game).version + 1)
    assert not Plan.objects.exists()
    for part in PARTS:
        page = " ".join(client_of(user).get(f"{game.get_absolute_url()}{part}").text.split())
        why = "was not played, because none of its moves was possible" if part else "was not possible"
        says_so = f"Your plan {why}. Played for you: " in page
        assert says_so is not is_outdated, "nobody asked whether its moves were possible"
        others = client_of(user_of(game, (gone[0].seat + 1) % 4)).get(f"{game.get_absolute_url()}{part}").text
        assert "Your plan" not in others
