"""Games in other ways than the whole board: displays by themselves, games as text, solo games."""

from django.urls import reverse

from accounts.models import User
from games.drawing import draw_display
from games.engine import TILES, Cell, Display, Place, RefillRule
from games.history import ways as ways_through
from games.models import Game
from games.words import Person
from tests import play
from tests.browser.states.catalogue import Look, drawn_here, much_like_others, state
from tests.browser.states.games import game_long_row
from tests.browser.states.making import after, mine, over, people, play_until, resign, solo, three


@state
def display_large() -> Look:
    return Look(reverse("games:display", args=[three().key, 1]), people("Ines")[0])


@much_like_others
def display_past() -> Look:
    return Look(reverse("games:display", args=[three().key, 0]) + "?at=12")


@much_like_others
def display_long_row() -> Look:
    return Look(game_long_row().path + "displays/0/")


@much_like_others
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


def as_text(game: Game, viewer: User | None, query: str = "") -> Look:
    return Look(reverse("games:text", args=[game.key]) + query, viewer)


@state
def text_my_turn() -> Look:
    game = three()
    return as_text(game, play.mover(game))


@much_like_others
def text_watching() -> Look:
    return as_text(three(), None)


@much_like_others
def text_resign_asked() -> Look:
    game = three()
    return as_text(game, play.mover(game), "?resign=1")


@state
def text_cell_chosen() -> Look:
    game = three()
    place = next(action for action in play.position_of(game).legal_actions if isinstance(action, Place))
    return as_text(game, play.mover(game), f"?tile={place.tile}&x={place.x}&y={place.y}")


@much_like_others
def text_over() -> Look:
    return as_text(over(), people("Ines")[0])


@state
def solo_phase_1() -> Look:
    return mine(play_until(solo(), after(6)))


@much_like_others
def solo_refill() -> Look:
    return mine(play_until(solo(), lambda position, _number: position.refill is not RefillRule.NOT_ALLOWED))


@much_like_others
def solo_phase_2() -> Look:
    return mine(play_until(solo(), lambda position, _number: position.phase == 2))


@state
def solo_over() -> Look:
    return Look(play.play_out(solo()).get_absolute_url(), people("Ines")[0])


@much_like_others
def solo_given_up() -> Look:
    game = play_until(solo(), after(3))
    resign(game, people("Ines")[0])
    return Look(game.get_absolute_url(), people("Ines")[0])
