"""Every page in every state worth a look: what the tests check, and what `make screenshots` shows."""

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import Random
from unittest import mock

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.urls import reverse
from playwright.sync_api import Page, Route, expect

from accounts.models import User
from games.drawing import draw_display
from games.engine import TILES, Cell, Display, Place, Position, RefillRule
from games.history import ways as ways_through
from games.models import Game, Seat
from games.services import deals, tables
from games.services.play import play as play_action
from games.words import Person
from tests import play
from tests.browser import ways

Do = Callable[[Page], None]
Ends = Callable[[Position, int], bool]


def nothing(page: Page) -> None:
    """Leave the page as it is."""


@dataclass(frozen=True)
class Look:
    """A page to look at: its address, who looks, what is done before it is opened and after."""

    path: str
    viewer: User | None = None
    before: Do = nothing
    after: Do = nothing
    refused: bool = False  # whether the page answers with an error, which the browser reports


STATES: dict[str, Callable[[], Look]] = {}


def state(make: Callable[[], Look]) -> Callable[[], Look]:
    STATES[make.__name__.replace("_", "-")] = make
    return make


@contextmanager
def deal(seed: int) -> Iterator[None]:
    """Let each deal be the same in every run."""
    with mock.patch.object(deals, "random", Random(seed)):
        yield


def people(*names: str) -> list[User]:
    return [User.objects.filter(username=name).first() or play.person(name) for name in names]


def started(*names: str, seed: int = 1, **options: bool) -> Game:
    with deal(seed):
        return play.game_of(*people(*names), **options)


def play_until(game: Game, ends: Ends, seed: int = 4, *, refills: bool = True) -> Game:
    """Play legal actions by chance until the position, or the number of actions, is the wanted one."""
    rng = Random(seed)
    users = {seat.number: seat.user for seat in game.seats.select_related("user")}
    position, number = play.position_of(game), play.fresh(game).version
    while not ends(position, number):
        actions = [one for one in position.legal_actions if refills or isinstance(one, Place)]
        action = rng.choice(actions)
        position, number = position.apply(action).position, number + 1
        play_action(game.key, users[action.seat], play.without_seat(action), number, uuid.uuid4())
    return play.fresh(game)


def after(actions: int) -> Ends:
    return lambda _position, number: number >= actions


def resign(game: Game, user: User) -> None:
    play_action(game.key, user, {"do": "resign"}, play.fresh(game).version + 1, uuid.uuid4())


def mine(game: Game, do: Do = nothing, query: str = "", **more: object) -> Look:
    """Look at a game as whoever is to move."""
    return Look(game.get_absolute_url() + query, play.mover(game), after=do, **more)


def drawn_here(path: str, template: str, context: dict[str, object]) -> Look:
    """Look at a page that the site has at no address, or at none that a test can bring about."""

    def answer(route: Route) -> None:
        request: HttpRequest = RequestFactory().get(path)
        request.user = AnonymousUser()
        route.fulfill(content_type="text/html", body=render_to_string(template, context, request))

    return Look(path, before=lambda page: page.route(f"**{path}", answer))


def waiting(game: Game) -> User:
    """Return somebody at the table who is not to move."""
    return next(
        seat.user for seat in game.seats.select_related("user") if seat.user and seat.user != play.mover(game)
    )


def three(actions: int = 30) -> Game:
    return play_until(started("Ines", "Tobias", "Mina"), after(actions))


def choose_tile(page: Page) -> None:
    for tile in ways.tiles(page).all():
        tile.click()
        if ways.cells(page).filter(has_text="+").count():
            break


def choose_cell(page: Page) -> None:
    choose_tile(page)
    most = ways.cells(page).filter(has_text="+3").or_(ways.cells(page).filter(has_text="+2"))
    (most.first if most.count() else ways.promising(page)).click()
    page.mouse.move(2, 2)


# Games


@state
def game_my_turn() -> Look:
    return mine(three())


@state
def game_first_turn() -> Look:
    return mine(started("Ines", "Tobias"))


@state
def game_not_my_turn() -> Look:
    game = three()
    return Look(game.get_absolute_url(), waiting(game))


@state
def game_watching() -> Look:
    return Look(three().get_absolute_url())


@state
def game_tile_chosen() -> Look:
    return mine(three(), choose_tile)


@state
def game_cell_chosen() -> Look:
    return mine(three(), choose_cell)


@state
def game_drawn_by_the_server() -> Look:
    game = three()
    tile = play.position_of(game).in_reach[0].code
    return mine(game, query=f"?tile={tile}")


@state
def game_refill_allowed() -> Look:
    game = started("Ines", "Tobias")
    return mine(play_until(game, lambda position, _number: position.refill is RefillRule.ALLOWED))


@state
def game_refill_forced() -> Look:
    game = started("Ines", "Tobias")
    game = play_until(game, lambda position, _number: position.refill is RefillRule.FORCED, refills=False)
    return mine(game)


def with_few_tiles() -> Game:
    return play_until(started("Ines", "Tobias", seed=6), lambda position, _number: position.draw_pile == 0)


@state
def game_pile_empty() -> Look:
    return mine(with_few_tiles())


@state
def game_last_tiles() -> Look:
    game = play_until(
        with_few_tiles(),
        lambda position, _number: sum(tile is not None for tile in position.wheel.spaces) <= 2,
    )
    return mine(game)


@state
def game_four() -> Look:
    game = started("Ines", "Tobias", "Mina", "Halley", beginner=True)
    return mine(play_until(game, after(34)))


@state
def game_somebody_left() -> Look:
    game = play_until(started("Ines", "Tobias", "Mina", "Halley"), after(22))
    resign(game, waiting(game))
    return mine(play.fresh(game))


@state
def game_i_have_left() -> Look:
    game = play_until(started("Ines", "Tobias", "Mina"), after(18))
    gone = waiting(game)
    resign(game, gone)
    return Look(game.get_absolute_url(), gone)


@state
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


@state
def game_past_start() -> Look:
    return mine(three(), query="?at=0")


@state
def game_resign_asked() -> Look:
    return mine(three(), query="?resign=1")


@state
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


@state
def game_connection_lost() -> Look:
    def lose(page: Page) -> None:
        for news in ("stream", "version"):
            page.route(f"**/{news}/", lambda route: route.abort())

    return mine(
        three(), lambda page: expect(page.locator("#live")).to_be_visible(), before=lose, refused=True
    )


@state
def game_shortcuts() -> Look:
    return mine(three(), lambda page: page.keyboard.press("?"))


@state
def game_about() -> Look:
    return mine(three(), lambda page: page.locator("#about summary").click())


def over(seed: int = 3) -> Game:
    game = started("Ines", "Tobias", "Mina", seed=seed)
    return play.play_out(game, seed)


@state
def game_won() -> Look:
    game = over()
    return Look(game.get_absolute_url(), game.seats.get(number=game.winner).user)


@state
def game_lost() -> Look:
    game = over()
    return Look(game.get_absolute_url(), game.seats.exclude(number=game.winner).first().user)


@state
def game_over_watched() -> Look:
    return Look(over().get_absolute_url())


@state
def game_over_past() -> Look:
    return Look(over().get_absolute_url() + "?at=40", people("Ines")[0])


@state
def game_over_others_left() -> Look:
    game = play_until(started("Ines", "Tobias"), after(14))
    resign(game, waiting(game))
    return Look(game.get_absolute_url(), people("Ines")[0])


@state
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


# Displays by themselves


@state
def display_large() -> Look:
    return Look(reverse("games:display", args=[three().key, 1]), people("Ines")[0])


@state
def display_past() -> Look:
    return Look(reverse("games:display", args=[three().key, 0]) + "?at=12")


@state
def display_long_row() -> Look:
    return Look(game_long_row().path + "displays/0/")


@state
def display_block() -> Look:
    """All 68 tiles in a block, which no game comes to."""
    game = three()
    display = Display()
    for nth, tile in enumerate(TILES.values()):
        display = display.with_tile(tile, Cell(nth % 9, nth // 9))
    drawn = draw_display(display, Person(0, "Ines"))
    context = {
        "game": game,
        "display": drawn,
        "people": [drawn.person],
        "shown": 0,
        "ways": ways_through(0, 0),
    }
    return drawn_here(f"/g/{game.key}/displays/8/", "games/display.html", context)


# Games as text


def as_text(game: Game, viewer: User | None, query: str = "") -> Look:
    return Look(reverse("games:text", args=[game.key]) + query, viewer)


@state
def text_my_turn() -> Look:
    game = three()
    return as_text(game, play.mover(game))


@state
def text_cell_chosen() -> Look:
    game = three()
    place = next(action for action in play.position_of(game).legal_actions if isinstance(action, Place))
    return as_text(game, play.mover(game), f"?tile={place.tile}&x={place.x}&y={place.y}")


@state
def text_over() -> Look:
    return as_text(over(), people("Ines")[0])


# Solo


def solo(seed: int = 2) -> Game:
    with deal(seed):
        return play.solo_of(people("Ines")[0])


@state
def solo_phase_1() -> Look:
    return mine(play_until(solo(), after(6)))


@state
def solo_refill() -> Look:
    return mine(play_until(solo(), lambda position, _number: position.refill is not RefillRule.NOT_ALLOWED))


@state
def solo_phase_2() -> Look:
    return mine(play_until(solo(), lambda position, _number: position.phase == 2))


@state
def solo_over() -> Look:
    return Look(play.play_out(solo()).get_absolute_url(), people("Ines")[0])


@state
def solo_given_up() -> Look:
    game = play_until(solo(), after(3))
    resign(game, people("Ines")[0])
    return Look(game.get_absolute_url(), people("Ines")[0])


# Lobby and lists


def a_busy_evening() -> User:
    """Let Ines have games of every kind, and others too."""
    ines, tobias, mina, _halley = people("Ines", "Tobias", "Mina", "Halley")
    three()
    play_until(started("Ines", "Mina", seed=8), after(11))
    started("Tobias", "Mina", seed=9)
    play.play_out(started("Ines", "Tobias", seed=3), 3)
    play.play_out(solo(), 1)
    play.play_out(solo(7), 2)
    tables.open_table(ines, 3, (), beginner=False, is_public=True)
    tables.open_table(ines, 2, (), beginner=False, is_public=False)
    tables.open_table(tobias, 4, ("easy",), beginner=True, is_public=True)
    tables.open_table(mina, 2, (), beginner=False, is_public=True)
    Seat.objects.update(seen_at=None)
    return ines


@state
def person() -> Look:
    a_busy_evening()
    return Look("/people/Tobias/", people("Ines")[0])


@state
def person_new() -> Look:
    return Look("/people/Ines/", people("Ines")[0])


@state
def home_landing() -> Look:
    a_busy_evening()
    return Look("/")


@state
def home_landing_empty() -> Look:
    return Look("/")


@state
def home_busy() -> Look:
    return Look("/", a_busy_evening())


@state
def home_empty() -> Look:
    return Look("/", people("Ines")[0])


@state
def new_table() -> Look:
    return Look("/new/", people("Ines")[0])


@state
def solo_page() -> Look:
    return Look("/solo/", a_busy_evening())


@state
def solo_page_empty() -> Look:
    return Look("/solo/", people("Ines")[0])


@state
def solo_page_visitor() -> Look:
    return Look("/solo/")


@state
def leaderboard() -> Look:
    for nth, name in enumerate(("Ines", "Tobias", "Mina", "Halley", "Caroline", "Galilei")):
        with deal(nth):
            play.play_out(play.solo_of(people(name)[0]), nth)
    return Look("/solo/leaderboard/", people("Mina")[0])


@state
def leaderboard_empty() -> Look:
    return Look("/solo/leaderboard/")


def table() -> Game:
    ines, tobias = people("Ines", "Tobias")
    game = tables.open_table(ines, 4, ("easy",), beginner=False, is_public=True)
    tables.join(game.key, tobias)
    return game


@state
def table_mine() -> Look:
    return Look(table().get_absolute_url(), people("Ines")[0])


@state
def table_joined() -> Look:
    return Look(table().get_absolute_url(), people("Tobias")[0])


@state
def table_stranger() -> Look:
    return Look(table().get_absolute_url(), people("Mina")[0])


@state
def table_visitor() -> Look:
    return Look(table().get_absolute_url())


@state
def deal_running() -> Look:
    return Look(reverse("games:deal", args=[three().key]))


@state
def deal_opened() -> Look:
    return Look(reverse("games:deal", args=[over().key]))


# Learning


def lesson(number: int, do: Do = nothing) -> Callable[[], Look]:
    return lambda: Look(reverse("games:learn_step", args=[number]), after=do)


STATES.update({f"lesson-{number}": lesson(number) for number in (1, 2, 7, 9)})
STATES["lesson-cell-chosen"] = lesson(6, choose_cell)


@state
def rules() -> Look:
    return Look(reverse("games:rules"))


@state
def rules_found() -> Look:
    return Look(reverse("games:rules") + "?q=5")


# Accounts


@state
def log_in() -> Look:
    return Look(reverse("account_login"))


@state
def log_in_refused() -> Look:
    def wrong(page: Page) -> None:
        page.locator("[name=login]").fill("Ines")
        page.locator("[name=password]").fill("sun-and-sand")
        page.locator("main form button[type=submit]").first.click()
        expect(page.locator("[name=password]")).to_have_value("")

    return Look(reverse("account_login"), after=wrong, refused=True)


@state
def sign_up() -> Look:
    return Look(reverse("account_signup"))


@state
def sign_up_refused() -> Look:
    def wrong(page: Page) -> None:
        page.locator("[name=username]").fill("x")
        page.locator("[name=email]").fill("moon@example")
        page.locator("[name=password1]").fill("123")
        page.locator("main form").first.evaluate("form => { form.noValidate = true; form.requestSubmit(); }")
        expect(page.locator("[name=username][aria-invalid=true]")).to_be_visible()

    return Look(reverse("account_signup"), after=wrong, refused=True)


def account_page(name: str, *, is_member: bool = True) -> Callable[[], Look]:
    return lambda: Look(reverse(name), people("Ines")[0] if is_member else None)


for page_name in ("accounts:settings", "account_email", "account_change_password", "account_logout"):
    STATES[page_name.replace(":", "-").replace("_", "-")] = account_page(page_name)
for page_name in ("account_reset_password", "account_reset_password_done", "account_email_verification_sent"):
    STATES[page_name.replace("_", "-")] = account_page(page_name, is_member=False)


@state
def settings_unconfirmed() -> Look:
    return Look(reverse("accounts:settings"), play.person("Newcomer", confirmed=False))


@state
def confirm_address_stale() -> Look:
    return Look("/account/confirm-email/moon/")


# Errors


def error(status: int, template: str = "") -> Callable[[], Look]:
    """Look at the page of an error as the site draws it."""
    return lambda: drawn_here(f"/an-error/{status}/", template or f"{status}.html", {})


STATES.update(
    {f"error-{status}": error(status) for status in (400, 403, 404, 429, 500)}
    | {"error-csrf": error(403, "403_csrf.html")}
)


@state
def offline() -> Look:
    return Look(reverse("offline"))


# States whose pages differ little from those of others: looked at with the whole games.
MUCH_LIKE_OTHERS = re.compile(
    r"game-(first|not|watching|tile|drawn|refill-forced|pile|last|four|bot|i-have|past-start|wrong|connection"
    r"|lost|over|long-row)|solo-(phase-2|refill)|display-(past|long)|lesson-[279]|text-watching|.*-empty"
    r"|table-joined|error-(400|403|429)"
)


def every_state() -> list[object]:
    """Return the names of all states, as the parameters of a test."""
    return [
        pytest.param(name, marks=pytest.mark.whole) if MUCH_LIKE_OTHERS.match(name) else name
        for name in STATES
    ]
