"""A player's plan for their next turn: while they choose, with wishes, and when it was not played."""

import uuid

from playwright.sync_api import Page, expect

from accounts.models import User
from games.models import Game, Plan
from games.novaluna.engine import Place, Refill
from games.services import plans
from games.services.play import play as play_action
from tests import play
from tests.browser import ways
from tests.browser.states.catalogue import Visit, minor_state
from tests.browser.states.making import game_of_three, waiting_player


def store_plan(game: Game, *, is_outdated: bool = False) -> Visit:
    """Store a plan of a waiting player, and visit the game as that player."""
    user, position = waiting_player(game), play.position_of(game)
    display = position.displays[game.seats.get(user=user).number]
    tiles = [tile.code for tile in position.wheel.spaces if tile]
    wishes = [Place(-1, tile, *cell) for tile, cell in zip(tiles[-3:], display.free_cells, strict=False)]
    plans.change(game.key, user, [*wishes, Refill(-1)], game.version + 1, False)
    if is_outdated:
        Plan.objects.update(known=1)
    return Visit(game.get_absolute_url(), user)


def choose_for_plan(page: Page) -> None:
    """Choose the last tile of the wheel and a cell for it."""
    ways.tiles(page).last.click()
    ways.best_cell(page).click()


def add_wish(page: Page) -> None:
    """Choose a tile and a cell, add them to the plan, and let the plan outlast a refill."""
    choose_for_plan(page)
    page.locator("#confirm[type=submit]").click()
    expect(page.locator(".plan__wishes li")).to_have_count(1)
    page.locator("#plan-outlasts").click()
    expect(page.locator("#plan-outlasts[aria-pressed=true]")).to_be_visible()


@minor_state
def plan_choosing() -> Visit:
    visit = store_plan(game_of_three())
    return Visit(f"{visit.path}?plan=1", visit.viewer, after=choose_for_plan)


@minor_state
def plan_waiting() -> Visit:
    return store_plan(game_of_three())


@minor_state
def plan_first_wish() -> Visit:
    game = game_of_three()
    return Visit(f"{game.get_absolute_url()}?plan=1", waiting_player(game), after=add_wish)


@minor_state
def plan_outdated() -> Visit:
    visit = store_plan(game_of_three(), is_outdated=True)
    return Visit(f"{visit.path}?plan=1", visit.viewer)


@minor_state
def plan_not_played() -> Visit:
    game = game_of_three()
    visit = store_plan(game, is_outdated=True)
    while play.mover(game) != visit.viewer:
        number = play.fresh(game).version + 1
        play_action(game.key, play.mover(game), play.legal_action(game), number, uuid.uuid4())
    return visit


def play_plan(game: Game, viewer: User) -> None:
    """Play on until a plan of this player for any tile was played."""
    while not game.seats.filter(user=viewer, planned_number__isnull=False).exists():
        if play.mover(game) != viewer:
            position = play.position_of(game)
            cell = next(iter(position.displays[game.seats.get(user=viewer).number].free_cells))
            wishes = [Place(-1, tile.code, *cell) for tile in position.wheel.spaces if tile][-5:]
            plans.change(game.key, viewer, wishes, play.fresh(game).version + 1, True)
        play.play_one(game)


@minor_state
def plan_played() -> Visit:
    game = game_of_three()
    viewer = waiting_player(game)
    play_plan(game, viewer)
    return Visit(game.get_absolute_url(), viewer)


@minor_state
def plan_text() -> Visit:
    visit = store_plan(game_of_three())
    return Visit(f"{visit.path}text/?plan=1", visit.viewer)
