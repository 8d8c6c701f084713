"""Hints: the offer, the question before the first one, the wait, the hint, and the result of the game."""

from datetime import timedelta
from random import Random
from unittest import mock

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page

from games.models import Game, Hint
from games.novaluna.board.reasons import reasons_to_place
from games.novaluna.engine import Place, Refill, RefillRule, action_to_json
from games.queries.viewing import people_at
from games.services import bot_queue
from games.services.play import play_for_bot
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import (
    EndCondition,
    after_actions,
    fixed_deal,
    people,
    play_until,
    solo_game,
    visit_as_mover,
)

MID_GAME = after_actions(16)


def game_against_bot(ends: EndCondition = MID_GAME) -> Game:
    """Return a game of Ines against a bot in which it is her turn and the condition is true."""
    # The turns of the bot are played here, so no worker may play them.
    with mock.patch.object(bot_queue, "queue_turns"):
        with fixed_deal(1):
            game = play.game_of(people("Ines")[0], bots=("hard",))
        rng, number = Random(4), 1
        position = play.position_of(game)
        while not (ends(position, number) and position.to_move == 0):
            action = rng.choice(list(position.legal_actions))
            play_for_bot(game.pk, action, number)
            position, number = position.apply(action).position, number + 1
    return play.fresh(game)


def game_with_refill() -> Game:
    """Return a game of Ines against a bot in which she may, but need not, refill the wheel."""
    return game_against_bot(lambda position, _number: position.refill is RefillRule.ALLOWED)


def store_hint(game: Game, action: Place | Refill | None = None, value: float | None = None) -> Game:
    """Store a hint as a worker would, and return the game; without an action the expert is still thinking."""
    payload = action and action_to_json(action)
    Hint.objects.create(game=game, number=game.version + 1, seat=0, payload=payload, value=value)
    Game.objects.filter(pk=game.pk).update(is_without_hints=False)
    return play.fresh(game)


def store_best_hint(game: Game, value: float = 0.634) -> Game:
    """Store a hint that covers as many goals as possible, and return the game."""
    position = play.position_of(game)
    places = [one for one in position.legal_actions if isinstance(one, Place)]
    return store_hint(game, min(places, key=lambda place: position.apply(place).position.discs[0]), value)


def game_with_reasons() -> Game:
    """Return a game of Ines against a bot in which there are three reasons for an action."""
    return game_against_bot(lambda _position, number: number == 12)


def best_explained_place(game: Game) -> Place:
    """Return the place action with the most reasons."""
    position = play.position_of(game)
    people = people_at(game, AnonymousUser())
    places = (one for one in position.legal_actions if isinstance(one, Place))
    return max(places, key=lambda place: len(reasons_to_place(position, place, people)))


@minor_state
def hint_offered() -> Visit:
    return visit_as_mover(game_against_bot())


@minor_state
def hint_confirm() -> Visit:
    return visit_as_mover(game_against_bot(), query="?hint=1")


@minor_state
def hint_confirm_solo() -> Visit:
    return visit_as_mover(play_until(solo_game(), after_actions(9)), query="?hint=1")


@minor_state
def hint_awaited() -> Visit:
    return visit_as_mover(store_hint(game_against_bot()))


@state
def hint_given() -> Visit:
    return visit_as_mover(store_best_hint(game_against_bot()))


@minor_state
def hint_with_three_reasons() -> Visit:
    game = game_with_reasons()
    return visit_as_mover(store_hint(game, best_explained_place(game), 0.634))


@minor_state
def hint_chosen() -> Visit:
    return visit_as_mover(store_best_hint(game_against_bot()), lambda page: page.locator("#follow").click())


@minor_state
def hint_at_the_start() -> Visit:
    return visit_as_mover(store_best_hint(game_against_bot(after_actions(0)), 0.52))


@minor_state
def hint_solo() -> Visit:
    return visit_as_mover(store_best_hint(play_until(solo_game(), after_actions(9)), 103.6))


@minor_state
def hint_refill() -> Visit:
    return visit_as_mover(store_hint(game_with_refill(), Refill(0), 0.48))


@minor_state
def hint_late() -> Visit:
    game = store_hint(game_against_bot())
    Hint.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    return visit_as_mover(game)


@minor_state
def hint_text_chosen() -> Visit:
    game = store_best_hint(game_against_bot())

    def choose_first(page: Page) -> None:
        page.locator(".move h3 + p + ul + p a").click()
        page.wait_for_url("**?*tile=*")

    return Visit(reverse("games:text", args=[game.key]), people("Ines")[0], after=choose_first)


@minor_state
def hint_result() -> Visit:
    game = store_best_hint(play_until(solo_game(), after_actions(9)), 103.6)
    return Visit(play.play_out(game).get_absolute_url(), people("Ines")[0])


@minor_state
def hint_text() -> Visit:
    return Visit(reverse("games:text", args=[store_best_hint(game_against_bot()).key]), people("Ines")[0])


@minor_state
def hint_text_confirm() -> Visit:
    return Visit(reverse("games:text", args=[game_against_bot().key]) + "?hint=1", people("Ines")[0])
