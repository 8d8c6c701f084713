"""The game page: each kind of turn and of end, past positions, and errors."""

import re
from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game
from games.novaluna.engine import TILES, Place, Position, RefillRule
from games.services.tables import decline, rematch
from games.services.talk import nudges
from tests import play
from tests.browser import ways
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import (
    after_actions,
    choose_cell,
    finished_game,
    fixed_deal,
    game_of_three,
    people,
    play_until,
    resign,
    start_game,
    visit_as_mover,
    waiting_player,
)


@minor_state
def game_my_turn() -> Visit:
    return visit_as_mover(game_of_three())


@minor_state
def game_first_turn() -> Visit:
    return visit_as_mover(start_game("Ines", "Tobias"))


@minor_state
def game_second_turn() -> Visit:
    game = start_game("Ines", "Tobias", "Mina")
    return visit_as_mover(play_until(game, after_actions(3)))


@minor_state
def game_not_my_turn() -> Visit:
    game = game_of_three()
    return Visit(game.get_absolute_url(), waiting_player(game))


@minor_state
def game_spectator() -> Visit:
    return Visit(game_of_three().get_absolute_url())


@minor_state
def game_watched_by_member() -> Visit:
    game = game_of_three()
    play_until(start_game("Noor", "Omar"), after_actions(2))
    return Visit(game.get_absolute_url(), people("Zoe")[0])


@minor_state
def game_tile_chosen() -> Visit:
    return visit_as_mover(game_of_three(), ways.choose_tile)


@state
def game_cell_chosen() -> Visit:
    return visit_as_mover(game_of_three(), choose_cell)


@minor_state
def game_drawn_by_the_server() -> Visit:
    game = game_of_three()
    tile = play.position_of(game).in_reach[0].code
    return visit_as_mover(game, query=f"?tile={tile}")


@minor_state
def game_refill_allowed() -> Visit:
    game = start_game("Ines", "Tobias")
    return visit_as_mover(play_until(game, lambda position, _number: position.refill is RefillRule.ALLOWED))


@minor_state
def game_refill_asked() -> Visit:
    game = start_game("Ines", "Tobias")
    game = play_until(game, lambda position, _number: position.refill is RefillRule.ALLOWED)
    return visit_as_mover(game, query="?refill=1")


@minor_state
def game_refill_forced() -> Visit:
    game = start_game("Ines", "Tobias")
    game = play_until(game, lambda position, _number: position.refill is RefillRule.FORCED, refills=False)
    return visit_as_mover(game)


def game_without_draw_pile() -> Game:
    return play_until(start_game("Ines", "Tobias", seed=6), lambda position, _number: position.draw_pile == 0)


@minor_state
def game_pile_empty() -> Visit:
    return visit_as_mover(game_without_draw_pile())


@minor_state
def game_last_tiles() -> Visit:
    game = play_until(
        game_without_draw_pile(),
        lambda position, _number: sum(tile is not None for tile in position.wheel.spaces) <= 2,
    )
    return visit_as_mover(game)


@minor_state
def game_four() -> Visit:
    game = start_game("Ines", "Tobias", "Mina", "Halley", beginner=True)
    return visit_as_mover(play_until(game, after_actions(34)))


@minor_state
def game_one_resigned() -> Visit:
    game = play_until(start_game("Ines", "Tobias", "Mina", "Halley"), after_actions(22))
    resign(game, waiting_player(game))
    return visit_as_mover(play.fresh(game))


@minor_state
def game_i_resigned() -> Visit:
    game = play_until(start_game("Ines", "Tobias", "Mina"), after_actions(18))
    leaver = waiting_player(game)
    resign(game, leaver)
    return Visit(game.get_absolute_url(), leaver)


@minor_state
def game_bot_thinking() -> Visit:
    [ines] = people("Ines")
    for seed in range(20):
        with fixed_deal(seed):
            game = play.game_of(ines, bots=("medium",))
        if game.to_move == 0:
            play.play_one(game)
        if play.fresh(game).to_move == 1:
            return Visit(game.get_absolute_url(), ines)
    raise AssertionError("it is never the bot's turn")


def slow_game() -> tuple[Game, User]:
    """Return a game in which somebody has not moved for two days, and another player."""
    game = play_until(start_game("Ines", "Tobias", "Mina"), after_actions(9))
    Game.objects.filter(pk=game.pk).update(moved_at=timezone.now() - timedelta(days=2))
    return game, waiting_player(game)


@minor_state
def game_nudge() -> Visit:
    game, waiting = slow_game()
    return Visit(game.get_absolute_url(), waiting)


@minor_state
def game_nudged() -> Visit:
    game, waiting = slow_game()
    nudges.nudge(game.key, waiting)
    return Visit(game.get_absolute_url(), waiting)


@minor_state
def game_past() -> Visit:
    return visit_as_mover(game_of_three(), query="?at=17")


@minor_state
def game_past_start() -> Visit:
    return visit_as_mover(game_of_three(), query="?at=0")


@minor_state
def game_resign_asked() -> Visit:
    return visit_as_mover(game_of_three(), query="?resign=1")


@minor_state
def game_wrong_tile() -> Visit:
    return visit_as_mover(game_of_three(), query="?tile=moon")


@minor_state
def game_moved_on() -> Visit:
    """The player confirms an action after playing another one on a second page."""
    game = game_of_three()

    def confirm_late(page: Page) -> None:
        choose_cell(page)
        page.evaluate("document.querySelector('#choice [name=number]').value -= 1")
        page.locator(ways.CONFIRM).click()
        expect(page.get_by_role("alert")).to_be_visible()

    return visit_as_mover(game, confirm_late, is_refused=True)


def block_updates(page: Page) -> None:
    page.route(re.compile(r"/(stream|version)/"), lambda route: route.abort())


def expect_connection_lost(page: Page) -> None:
    expect(page.locator("#live")).to_be_visible()


@minor_state
def game_connection_lost() -> Visit:
    return visit_as_mover(game_of_three(), expect_connection_lost, before=block_updates, is_refused=True)


@minor_state
def game_connection_restored() -> Visit:
    def reconnect(page: Page) -> None:
        expect_connection_lost(page)
        page.unroute_all()
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        live = page.locator("#live")
        expect(live).to_have_text(live.get_attribute("data-restored") or "")

    return visit_as_mover(game_of_three(), reconnect, before=block_updates, is_refused=True)


@minor_state
def game_since_my_last_turn() -> Visit:
    """On phones, the actions since the viewer's last turn are unfolded above the wheel."""

    def unfold(page: Page) -> None:
        if page.locator("#recent").is_visible():
            page.locator("#recent summary").click()

    return visit_as_mover(game_of_three(), unfold)


@minor_state
def game_shortcuts() -> Visit:
    return visit_as_mover(game_of_three(), lambda page: page.keyboard.press("?"))


@minor_state
def game_about() -> Visit:
    return visit_as_mover(game_of_three(), lambda page: page.locator("#about summary").click())


@state
def game_won() -> Visit:
    game = finished_game()
    return Visit(game.get_absolute_url(), game.seats.get(number=game.winner).user)


@minor_state
def game_lost() -> Visit:
    game = finished_game()
    return Visit(game.get_absolute_url(), game.seats.exclude(number=game.winner).first().user)


def offered_rematch() -> Game:
    """Return the rematch that Tobias offers Ines and Mina after a finished game."""
    return rematch(finished_game().key, people("Tobias")[0])


def declined_rematch() -> Game:
    """Return the rematch of Tobias that Ines has declined and Mina has not answered."""
    return decline(offered_rematch().key, people("Ines")[0])


@minor_state
def game_rematch_offered() -> Visit:
    return Visit(offered_rematch().rematch_of.get_absolute_url(), people("Ines")[0])


@minor_state
def game_rematch_awaited() -> Visit:
    return Visit(offered_rematch().rematch_of.get_absolute_url(), people("Tobias")[0])


@minor_state
def table_rematch_offered() -> Visit:
    return Visit(offered_rematch().get_absolute_url(), people("Ines")[0])


@minor_state
def table_rematch_awaited() -> Visit:
    return Visit(offered_rematch().get_absolute_url(), people("Tobias")[0])


@minor_state
def table_rematch_declined() -> Visit:
    return Visit(declined_rematch().get_absolute_url(), people("Tobias")[0])


@minor_state
def table_rematch_taken_back() -> Visit:
    return Visit(declined_rematch().get_absolute_url(), people("Ines")[0])


@minor_state
def home_rematch_declined() -> Visit:
    declined_rematch()
    return Visit("/", people("Tobias")[0])


@minor_state
def home_rematch_offered() -> Visit:
    offered_rematch()
    return Visit("/", people("Ines")[0])


@minor_state
def game_over_spectator() -> Visit:
    return Visit(finished_game().get_absolute_url())


@minor_state
def game_over_past() -> Visit:
    return Visit(finished_game().get_absolute_url() + "?at=40", people("Ines")[0])


@minor_state
def game_over_tied() -> Visit:
    """Two of three players have equally many discs left: the one who would move next ranks higher."""
    game = finished_game(seed=8)
    assert len(set(play.position_of(game).discs)) == 2
    return Visit(game.get_absolute_url(), people("Ines")[0])


@minor_state
def game_cancelled() -> Visit:
    """A cancelled game. No page offers to cancel, so the action is written directly."""
    game = game_of_three(12)
    play.cancel_game(game)
    return Visit(game.get_absolute_url(), people("Ines")[0])


@minor_state
def game_over_resigned() -> Visit:
    game = play_until(start_game("Ines", "Tobias"), after_actions(14))
    resign(game, waiting_player(game))
    return Visit(game.get_absolute_url(), people("Ines")[0])


@minor_state
def game_long_row() -> Visit:
    """A row of all tiles of one player: 44, because the other player takes the expensive ones."""
    game = start_game("Ines", "Tobias", seed=5)
    position, actions = play.position_of(game), []
    while len(position.displays[0].tiles) < 43 or position.to_move != 0:
        actions.append(_action_in_row(position))
        position = position.apply(actions[-1]).position
    play.play_all(game, actions)
    return Visit(game.get_absolute_url(), people("Ines")[0], after=ways.choose_tile)


def _action_in_row(position: Position) -> Place:
    """Return an action that extends the mover's row, with a cheap tile for seat 0, else an expensive one."""
    actions = list(position.legal_actions)
    row = [action for action in actions if isinstance(action, Place) and action.y == 0 and action.x >= 0]
    if not row:
        return actions[0]
    seat = row[0].seat
    sign = 1 if seat == 0 else -1
    needs = 10 if position.discs[seat] < 6 else 0  # Nobody may win before the tiles run out.

    def rank(action: Place) -> int:
        return sign * TILES[action.tile].cost + needs * (
            position.discs[seat] - position.apply(action).position.discs[seat]
        )

    return min(sorted(row, key=lambda action: sign * TILES[action.tile].cost)[:3], key=rank)


@minor_state
def game_long_names() -> Visit:
    names = (
        "Wolfgang-Amadeus_von-der-Heide",
        "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMM",
        "Iiiiiiiiiiiiiiiiiiiiiiiiiiiiii",
    )
    return visit_as_mover(play_until(start_game(*names), after_actions(20)))
