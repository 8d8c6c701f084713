"""Hints: asked for, awaited, on the board, and what they leave behind."""

from datetime import timedelta
from random import Random
from unittest import mock

from django.urls import reverse
from django.utils import timezone

from games.engine import Place, Refill, RefillRule, action_to_json
from games.models import Game, Hint
from games.services import after_commit
from games.services.play import play_for_bot
from tests import play
from tests.browser.states.catalogue import Look, much_like_others, state
from tests.browser.states.making import Ends, after, deal, mine, people, play_until, solo

WELL_ON = after(16)


def against_a_bot(ends: Ends = WELL_ON) -> Game:
    """Return a game of Ines against a bot in which it is her turn."""
    # No worker is to take the turns that are taken here.
    with mock.patch.object(after_commit, "queue_bot_turn"):
        with deal(1):
            game = play.game_of(people("Ines")[0], bots=("hard",))
        rng, number = Random(4), 1
        position = play.position_of(game)
        while not (ends(position, number) and position.to_move == 0):
            action = rng.choice(list(position.legal_actions))
            play_for_bot(game.pk, action, number)
            position, number = position.apply(action).position, number + 1
    return play.fresh(game)


def refillable() -> Game:
    """Return a game of Ines against a bot in which she may refill the wheel, and need not."""
    return against_a_bot(lambda position, _number: position.refill is RefillRule.ALLOWED)


def hinted(game: Game, action: Place | Refill | None = None, value: float | None = None) -> Game:
    """Let a hint be there as a worker would store it; without an action it is awaited."""
    payload = action and action_to_json(action)
    Hint.objects.create(game=game, number=game.version + 1, seat=0, payload=payload, value=value)
    Game.objects.filter(pk=game.pk).update(is_rated=False)
    return play.fresh(game)


def with_hint(game: Game, value: float = 0.634) -> Game:
    """Let there be a hint that covers as much as can be."""
    position = play.position_of(game)
    places = [one for one in position.legal_actions if isinstance(one, Place)]
    return hinted(game, min(places, key=lambda place: position.apply(place).position.discs[0]), value)


@state
def hint_offered() -> Look:
    return mine(against_a_bot())


@much_like_others
def hint_first() -> Look:
    return mine(against_a_bot(), query="?hint=1")


@much_like_others
def hint_first_solo() -> Look:
    return mine(play_until(solo(), after(9)), query="?hint=1")


@state
def hint_awaited() -> Look:
    return mine(hinted(against_a_bot()))


@state
def hint_given() -> Look:
    return mine(with_hint(against_a_bot()))


@much_like_others
def hint_chosen() -> Look:
    return mine(with_hint(against_a_bot()), lambda page: page.locator("#follow").click())


@much_like_others
def hint_at_the_start() -> Look:
    return mine(with_hint(against_a_bot(after(0)), 0.52))


@much_like_others
def hint_solo() -> Look:
    return mine(with_hint(play_until(solo(), after(9)), 103.6))


@much_like_others
def hint_refill() -> Look:
    return mine(hinted(refillable(), Refill(0), 0.48))


@much_like_others
def hint_late() -> Look:
    game = hinted(against_a_bot())
    Hint.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    return mine(game)


@much_like_others
def hint_text_chosen() -> Look:
    game = with_hint(against_a_bot())
    path = reverse("games:text", args=[game.key])
    return Look(path, people("Ines")[0], after=lambda page: page.locator(".move h3 + p + p a").click())


@state
def hint_result() -> Look:
    game = with_hint(play_until(solo(), after(9)), 103.6)
    return Look(play.play_out(game).get_absolute_url(), people("Ines")[0])


@much_like_others
def hint_text() -> Look:
    return Look(reverse("games:text", args=[with_hint(against_a_bot()).key]), people("Ines")[0])


@much_like_others
def hint_text_first() -> Look:
    return Look(reverse("games:text", args=[against_a_bot().key]) + "?hint=1", people("Ines")[0])
