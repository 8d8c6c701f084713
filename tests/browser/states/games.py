"""The game page: every turn, every end, the past, and what may go wrong."""

import uuid

from playwright.sync_api import Page, expect

from games.engine import TILES, Cancel, Place, Position, RefillRule
from games.models import Game
from games.services.play import play as play_action
from games.services.play import play_for_bot
from tests import play
from tests.browser import ways
from tests.browser.states.catalogue import Look, much_like_others, state
from tests.browser.states.making import (
    after,
    choose_cell,
    choose_tile,
    deal,
    mine,
    over,
    people,
    play_until,
    resign,
    started,
    three,
    waiting,
)


@state
def game_my_turn() -> Look:
    return mine(three())


@much_like_others
def game_first_turn() -> Look:
    return mine(started("Ines", "Tobias"))


@much_like_others
def game_not_my_turn() -> Look:
    game = three()
    return Look(game.get_absolute_url(), waiting(game))


@much_like_others
def game_watching() -> Look:
    return Look(three().get_absolute_url())


@much_like_others
def game_tile_chosen() -> Look:
    return mine(three(), choose_tile)


@state
def game_cell_chosen() -> Look:
    return mine(three(), choose_cell)


@much_like_others
def game_drawn_by_the_server() -> Look:
    game = three()
    tile = play.position_of(game).in_reach[0].code
    return mine(game, query=f"?tile={tile}")


@much_like_others
def game_refill_allowed() -> Look:
    game = started("Ines", "Tobias")
    return mine(play_until(game, lambda position, _number: position.refill is RefillRule.ALLOWED))


@much_like_others
def game_refill_forced() -> Look:
    game = started("Ines", "Tobias")
    game = play_until(game, lambda position, _number: position.refill is RefillRule.FORCED, refills=False)
    return mine(game)


def with_few_tiles() -> Game:
    return play_until(started("Ines", "Tobias", seed=6), lambda position, _number: position.draw_pile == 0)


@much_like_others
def game_pile_empty() -> Look:
    return mine(with_few_tiles())


@much_like_others
def game_last_tiles() -> Look:
    game = play_until(
        with_few_tiles(),
        lambda position, _number: sum(tile is not None for tile in position.wheel.spaces) <= 2,
    )
    return mine(game)


@much_like_others
def game_four() -> Look:
    game = started("Ines", "Tobias", "Mina", "Halley", beginner=True)
    return mine(play_until(game, after(34)))


@much_like_others
def game_somebody_left() -> Look:
    game = play_until(started("Ines", "Tobias", "Mina", "Halley"), after(22))
    resign(game, waiting(game))
    return mine(play.fresh(game))


@much_like_others
def game_i_have_left() -> Look:
    game = play_until(started("Ines", "Tobias", "Mina"), after(18))
    gone = waiting(game)
    resign(game, gone)
    return Look(game.get_absolute_url(), gone)


@much_like_others
def game_bot_thinking() -> Look:
    [ines] = people("Ines")
    for seed in range(20):
        with deal(seed):
            game = play.game_of(ines, bots=("medium",))
        if game.to_move == 0:
            play.play_one(game)
        if play.fresh(game).to_move == 1:
            return Look(game.get_absolute_url(), ines)
    raise AssertionError("it is never the bot's turn")


@state
def game_past() -> Look:
    return mine(three(), query="?at=17")


@much_like_others
def game_past_start() -> Look:
    return mine(three(), query="?at=0")


@state
def game_resign_asked() -> Look:
    return mine(three(), query="?resign=1")


@much_like_others
def game_wrong_tile() -> Look:
    return mine(three(), query="?tile=moon")


@state
def game_moved_on() -> Look:
    """A move that another page of the same person has made meanwhile."""
    game = three()

    def confirm_late(page: Page) -> None:
        choose_cell(page)
        page.evaluate("document.querySelector('#choice [name=number]').value -= 1")
        page.locator(ways.CONFIRM).click()
        expect(page.get_by_role("alert")).to_be_visible()

    return mine(game, confirm_late, refused=True)


def lose(page: Page) -> None:
    for news in ("stream", "version"):
        page.route(f"**/{news}/", lambda route: route.abort())


def lost(page: Page) -> None:
    expect(page.locator("#live")).to_be_visible()


@much_like_others
def game_connection_lost() -> Look:
    return mine(three(), lost, before=lose, refused=True)


@much_like_others
def game_connection_back() -> Look:
    def find_again(page: Page) -> None:
        lost(page)
        page.unroute_all()
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        live = page.locator("#live")
        expect(live).to_have_text(live.get_attribute("data-restored") or "")

    return mine(three(), find_again, before=lose, refused=True)


@state
def game_shortcuts() -> Look:
    return mine(three(), lambda page: page.keyboard.press("?"))


@state
def game_about() -> Look:
    return mine(three(), lambda page: page.locator("#about summary").click())


@state
def game_won() -> Look:
    game = over()
    return Look(game.get_absolute_url(), game.seats.get(number=game.winner).user)


@much_like_others
def game_lost() -> Look:
    game = over()
    return Look(game.get_absolute_url(), game.seats.exclude(number=game.winner).first().user)


@much_like_others
def game_over_watched() -> Look:
    return Look(over().get_absolute_url())


@much_like_others
def game_over_past() -> Look:
    return Look(over().get_absolute_url() + "?at=40", people("Ines")[0])


@much_like_others
def game_over_tied() -> Look:
    """Two of three have as many discs left as the other: who would move next comes first."""
    game = over(seed=8)
    assert len(set(play.position_of(game).discs)) == 2
    return Look(game.get_absolute_url(), people("Ines")[0])


@much_like_others
def game_cancelled() -> Look:
    """A game that was called off, which no page does yet."""
    game = three(12)
    play_for_bot(game.pk, Cancel(), game.version + 1)
    return Look(game.get_absolute_url(), people("Ines")[0])


@much_like_others
def game_over_others_left() -> Look:
    game = play_until(started("Ines", "Tobias"), after(14))
    resign(game, waiting(game))
    return Look(game.get_absolute_url(), people("Ines")[0])


@much_like_others
def game_long_row() -> Look:
    """All tiles of one player in a row: 44 of them, when the other player takes the dearest."""
    game = started("Ines", "Tobias", seed=5)
    users = {seat.number: seat.user for seat in game.seats.select_related("user")}
    position, number = play.position_of(game), 0
    while len(position.displays[0].tiles) < 43 or position.to_move != 0:
        action = _in_a_row(position)
        position, number = position.apply(action).position, number + 1
        play_action(game.key, users[action.seat], play.without_seat(action), number, uuid.uuid4())
    return Look(game.get_absolute_url(), people("Ines")[0], after=choose_tile)


def _in_a_row(position: Position) -> Place:
    """Return the action that adds the cheapest tile to the first player's row, the dearest to the other's."""
    actions = list(position.legal_actions)
    row = [action for action in actions if isinstance(action, Place) and action.y == 0 and action.x >= 0]
    if not row:
        return actions[0]
    seat = row[0].seat
    sign = 1 if seat == 0 else -1
    needs = 10 if position.discs[seat] < 6 else 0  # neither may win before the tiles are gone

    def rank(action: Place) -> int:
        return sign * TILES[action.tile].cost + needs * (
            position.discs[seat] - position.apply(action).position.discs[seat]
        )

    return min(sorted(row, key=lambda action: sign * TILES[action.tile].cost)[:3], key=rank)


@state
def game_long_names() -> Look:
    names = (
        "Wolfgang-Amadeus_von-der-Heide",
        "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMM",
        "Iiiiiiiiiiiiiiiiiiiiiiiiiiiiii",
    )
    return mine(play_until(started(*names), after(20)))
