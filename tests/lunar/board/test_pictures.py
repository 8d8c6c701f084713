"""The picture in a turn email: it shows the trick, the track and the player's hand, and nobody else's."""

from io import BytesIO

import pytest
from django.template.loader import render_to_string
from django.utils.html import escape
from PIL import Image

from games.lunar.board.board import Board
from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.drawing.turn_picture import draw_preview, draw_turn, turn_svg
from games.lunar.engine import Position, Stage
from games.titles.lists import SeatFigures
from games.titles.registry import TITLES
from tests.lunar.board.views import view_of


def mover_board(seats: int, stage: Stage) -> Board:
    def ends(position: Position) -> bool:
        return position.stage is stage and (stage is not Stage.PLAY or len(position.trick) == 2)

    seat = min(view_of(None, seats, ends).position.awaited)
    board: Board = TITLES["lunar"].pages.board(view_of(seat, seats, ends), {})
    return board


@pytest.mark.parametrize(
    ("seats", "stage"), [(4, Stage.PASSING), (4, Stage.TRUMP), (4, Stage.PLAY), (2, Stage.PLAY)]
)
def test_the_picture_shows_hand_table_and_track(seats: int, stage: Stage) -> None:
    board = mover_board(seats, stage)
    svg = turn_svg(board)
    position = board.view.position
    hand = position.hands[board.view.first_seat]
    on_table = [*(played.card for played in position.trick), *filter(None, position.sky)]
    assert all(f'"#{symbol_of(card)}"' in svg for card in [*hand, *on_table])
    parts = svg.rpartition("</symbol>")[2]
    assert parts.count('"#card-') == len(hand) + len(on_table)
    assert "var(" not in svg


def test_the_picture_is_small() -> None:
    jpeg = draw_turn(mover_board(4, Stage.PLAY))
    assert Image.open(BytesIO(jpeg)).width == 1072
    assert len(jpeg) < 100_000


def test_the_picture_beside_links_has_no_hand() -> None:
    view = view_of(None, 4, lambda position: len(position.trick) == 2)
    board: Board = TITLES["lunar"].pages.board(view, {})
    svg = turn_svg(board, with_hand=False)
    assert "card-back" not in svg.rpartition("</symbol>")[2]
    note = escape(board.track.note)
    assert note in svg, "whose points these are"
    assert note not in turn_svg(board), "the text of the email says it"
    picture = Image.open(BytesIO(draw_preview(board)))
    assert (picture.format, picture.size) == ("JPEG", (1200, 630))


def test_a_list_shows_the_latest_cards_of_the_viewer() -> None:
    pages = TITLES["lunar"].pages
    plays = [{"do": "play", "card": card} for card in ("2", "W*", "7")]
    thumb = pages.draw_thumb(plays, is_over=False)
    shown = render_to_string(thumb.template, {"drawing": thumb.drawing})
    assert "wolf with a star and 7" in shown
    assert shown.count("<rect") == 2
    empty = pages.draw_thumb([], is_over=False)
    assert render_to_string(empty.template, {"drawing": empty.drawing}).count("#animal-") == 4
    over = pages.draw_thumb(plays, is_over=True)
    assert render_to_string(over.template, {"drawing": over.drawing}).count("#animal-") == 4, (
        "the last cards say nothing"
    )


def test_a_list_compares_the_sides() -> None:
    seats = [
        SeatFigures(
            name, name == "Mina", False, {"points": 10 * (place % 2), "tricks": place % 2 + 3, "stars": 0}
        )
        for place, name in enumerate(("Ines", "Tobias", "Halley", "Mina"))
    ]
    text = TITLES["lunar"].pages.compare_figures(seats)
    assert text == "Points: 10 to 0 · tricks: 4 to 3"
    at_the_end = TITLES["lunar"].pages.compare_results([seats[3].figures, seats[2].figures])
    assert at_the_end == "Points 10\u00a0:\u00a00"
