"""One player's display in the full window, now or after an action."""

from collections.abc import Mapping

from games.novaluna.board.choice import NOTHING_CHOSEN, page_query
from games.novaluna.board.drawing.displays import draw_display
from games.novaluna.board.drawing.frames import cells_in_sight
from games.novaluna.board.events import describe_shown_step
from games.novaluna.board.forms import read_choice
from games.novaluna.board.game_view import GameView
from games.novaluna.board.words import format_discs_left
from games.titles.boards import CloseUp
from games.titles.history import history_links


def close_up(view: GameView, seat: int, asked: Mapping[str, str]) -> CloseUp:
    """Return the display of a seat. Its links keep the choice in the query."""
    choice = read_choice(asked)
    return CloseUp(
        template="novaluna/display.html",
        board=draw_display(
            view.position.displays[seat], view.people[seat], in_sight=cells_in_sight(view, seat)
        ),
        figures=format_discs_left(view.position.discs[seat]),
        query=page_query(view.at, choice),
        # A past board has no choice.
        back=page_query(view.at, NOTHING_CHOSEN if view.is_past else choice),
        latest=describe_shown_step(view),
        links=history_links(view.shown, view.version, lambda number: page_query(number, choice)),
    )
