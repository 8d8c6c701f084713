"""A try: at its start, with a line on phones and in the text mode, at a refill, and kept lines."""

from games.models import Game
from games.novaluna.board.try_line import write_line
from games.novaluna.engine import Place, RefillRule
from games.services.private import notes
from tests import play
from tests.browser import ways
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import game_of_three, waiting_player


def line_of(game: Game, count: int) -> str:
    """Return the first line of up to `count` actions from the newest position."""
    position, line = play.position_of(game), list[Place]()
    while len(line) < count and position.to_move is not None and position.refill is not RefillRule.FORCED:
        line.append(next(action for action in position.legal_actions if isinstance(action, Place)))
        position = position.apply(line[-1]).position
    return write_line(line)


def kept(game: Game) -> Visit:
    """Keep two lines of a waiting player, and visit the game as that player."""
    user, version = waiting_player(game), game.version
    notes.keep_line(game.key, user, version, line_of(game, 2), "Blocks the blue goals")
    notes.keep_line(game.key, user, version, line_of(game, 3), "")
    return Visit(game.get_absolute_url(), user)


@state
def try_line() -> Visit:
    game = game_of_three(22)
    visit = kept(game)
    return Visit(f"{visit.path}try/{game.version}/{line_of(game, 2)}/", visit.viewer, after=ways.choose_tile)


@minor_state
def try_start() -> Visit:
    game = game_of_three(22)
    return Visit(f"{game.get_absolute_url()}try/{game.version}/")


@minor_state
def try_refill() -> Visit:
    game = game_of_three()
    return Visit(f"{game.get_absolute_url()}try/{game.version}/{line_of(game, 40)}/")


@minor_state
def try_wrong() -> Visit:
    game = game_of_three()
    return Visit(f"{game.get_absolute_url()}try/{game.version}/moon/", is_refused=True)


@minor_state
def try_text() -> Visit:
    game = game_of_three()
    visit = kept(game)
    return Visit(f"{visit.path}text/try/{game.version}/{line_of(game, 2)}/", visit.viewer)
