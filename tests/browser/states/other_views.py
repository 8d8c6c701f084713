"""Games in other views: pages of a single display, text mode, solo games."""

from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.novaluna.board.drawing.displays import draw_display
from games.novaluna.engine import TILES, Cell, Display, Place, RefillRule
from games.titles.boards import CloseUp
from games.titles.history import history_links
from games.titles.people import Person
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, render_here, state
from tests.browser.states.games import game_long_row
from tests.browser.states.making import (
    after_actions,
    finished_game,
    game_of_three,
    people,
    play_until,
    resign,
    solo_game,
    start_game,
    visit_as_mover,
)


@state
def display_large() -> Visit:
    return Visit(reverse("games:display", args=[game_of_three().key, 1]), people("Ines")[0])


@minor_state
def display_past() -> Visit:
    return Visit(reverse("games:display", args=[game_of_three().key, 0]) + "?at=12")


@minor_state
def display_long_row() -> Visit:
    return Visit(game_long_row().path + "displays/0/")


@minor_state
def display_block() -> Visit:
    """All 68 tiles in one block, which no real game reaches."""
    game = game_of_three()
    display = Display()
    for nth, tile in enumerate(TILES.values()):
        display = display.with_tile(tile, Cell(nth % 9, nth // 9))
    drawn = draw_display(display, Person(0, "Ines"))
    shown = CloseUp(
        template="novaluna/display.html",
        board=drawn,
        figures="",
        query="",
        back="",
        latest="",
        links=history_links(0, 0),
    )
    context = {"game": game, "shown": shown, "person": drawn.person, "people": [drawn.person], "number": 0}
    return render_here(f"/g/{game.key}/displays/8/", shown.template, context)


def visit_text(game: Game, viewer: User | None, query: str = "") -> Visit:
    return Visit(reverse("games:text", args=[game.key]) + query, viewer)


@minor_state
def text_my_turn() -> Visit:
    game = game_of_three()
    return visit_text(game, play.mover(game))


@minor_state
def text_spectator() -> Visit:
    return visit_text(game_of_three(), None)


@minor_state
def text_resign_asked() -> Visit:
    game = game_of_three()
    return visit_text(game, play.mover(game), "?resign=1")


@minor_state
def text_refill_asked() -> Visit:
    game = start_game("Ines", "Tobias")
    game = play_until(game, lambda position, _number: position.refill is RefillRule.ALLOWED)
    return visit_text(game, play.mover(game), "?refill=1")


@state
def text_cell_chosen() -> Visit:
    game = game_of_three()
    place = next(action for action in play.position_of(game).legal_actions if isinstance(action, Place))
    return visit_text(game, play.mover(game), f"?tile={place.tile}&x={place.x}&y={place.y}")


@minor_state
def text_over() -> Visit:
    return visit_text(finished_game(), people("Ines")[0])


@minor_state
def solo_phase_1() -> Visit:
    return visit_as_mover(play_until(solo_game(), after_actions(6)))


@minor_state
def solo_refill() -> Visit:
    return visit_as_mover(
        play_until(solo_game(), lambda position, _number: position.refill is not RefillRule.NOT_ALLOWED)
    )


@minor_state
def solo_refill_asked() -> Visit:
    return visit_as_mover(play.solo_with_refill(people("Ines")[0]), query="?refill=1")


@minor_state
def solo_phase_2() -> Visit:
    return visit_as_mover(play_until(solo_game(), lambda position, _number: position.phase == 2))


@state
def solo_over() -> Visit:
    game = play.play_out(solo_game())
    for nth in range(60):
        play.score_of(people("Tobias")[0], 230 + 3 * (nth * nth % 31) + nth % 5)
    return Visit(game.get_absolute_url(), people("Ines")[0])


@minor_state
def solo_resigned() -> Visit:
    game = play_until(solo_game(), after_actions(3))
    resign(game, people("Ines")[0])
    return Visit(game.get_absolute_url(), people("Ines")[0])
