"""The picture in turn emails: what it shows, how large it is, and that no email is lost without it."""

import random
from io import BytesIO

import pytest
from django.core import mail
from PIL import Image

from games.models import Channel, Game, Kind, Notification
from games.notifications import delivery
from games.novaluna.board import mails
from games.novaluna.board.board import Board, build_board
from games.novaluna.board.drawing import turn_picture
from games.novaluna.board.drawing.painting import Part, Words
from games.novaluna.engine import Cell
from games.queries.viewing import view_game
from tests.play import fresh, game_of, mover, person, play_some, turn_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return play_some(game_of(person("Ines"), person("Tobias"), person("Mina")), 45, random.Random(5))


def board_of(game: Game) -> Board:
    return build_board(view_game(game, mover(game)))


def svg_of(game: Game) -> str:
    """Return the pieces of SVG of the picture."""
    things = turn_picture.things_on_picture(board_of(game))
    return "".join(thing.svg for thing in things if isinstance(thing, Part))


def words_on(game: Game) -> list[str]:
    return [
        thing.text for thing in turn_picture.things_on_picture(board_of(game)) if isinstance(thing, Words)
    ]


def test_it_is_inline_small_and_sharp(game: Game) -> None:
    user = mover(game)
    message = turn_mail(game, user).message()
    assert message.get_content_type() == "multipart/related"
    [image] = [part for part in message.walk() if part.get_content_type() == "image/jpeg"]
    [html] = [part for part in message.walk() if part.get_content_type() == "text/html"]
    text = html.get_payload(decode=True).decode()
    assert f'src="cid:{image["Content-ID"].strip("<>")}"' in text
    assert image.get_content_disposition() == "inline"
    jpeg = image.get_payload(decode=True)
    assert len(jpeg) <= 150_000
    assert len(text.encode()) <= 100_000
    assert Image.open(BytesIO(jpeg)).width == 2 * 536


def test_with_pictures_off_the_mail_has_the_same_information(game: Game) -> None:
    sent = turn_mail(game, mover(game))
    html, view = str(sent.alternatives[0].content), view_game(game, mover(game))
    wheel = view.position.wheel
    for space in wheel.spaces_in_reach:
        tile = wheel.spaces[space]
        assert tile is not None
        for words in (html, str(sent.body)):
            assert f"{tile.colour.word} {tile.cost}:" in words
    tiles = view.position.displays[view.viewer].tiles
    [alt] = [part for part in html.split('"') if part.startswith("The moon wheel with")]
    assert alt.count("N") + alt.count("S") + alt.count("E") + alt.count("W") >= len(tiles) - 1


def test_it_shows_the_tiles_in_reach_the_moon_track_and_the_own_display(game: Game) -> None:
    svg = svg_of(game)
    view = view_game(game, mover(game))
    wheel = view.position.wheel
    for space, tile in enumerate(wheel.spaces):
        if tile:
            # The tiles in reach are there a second time, large.
            assert svg.count(f'href="#tile-{tile.code}"') == 1 + (space in wheel.spaces_in_reach)
    for tile in view.position.displays[view.viewer].tiles.values():
        assert svg.count(f'href="#tile-{tile.code}"') == 1
    assert all(f'href="#disc-{person.seat}"' in svg for person in view.people)


def test_the_columns_and_rows_of_the_display_have_their_names(game: Game) -> None:
    words = words_on(game)
    view = view_game(game, mover(game))
    for cell in view.position.displays[view.viewer].tiles:
        for name in (Cell(cell.x, 0).name, Cell(0, cell.y).name):
            assert name in words


def test_the_first_turn_has_a_picture_without_a_display() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    picture = Image.open(BytesIO(turn_picture.draw_turn(board_of(game))))
    assert picture.height == turn_picture.WHEEL + 2 * turn_picture.MARGIN
    assert turn_mail(game, mover(game)).attachments


def test_a_mail_is_sent_even_if_its_picture_cannot_be_drawn(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_board: object) -> bytes:
        raise ValueError("no fonts")

    monkeypatch.setattr(mails, "draw_turn", fail)
    game.seats.update(seen_at=None)
    user = mover(game)
    owed, _old = Notification.objects.get_or_create(
        game=game, user=user, kind=Kind.TURN, channel=Channel.MAIL, version=fresh(game).version
    )
    Notification.objects.filter(pk=owed.pk).update(due_at=owed.created_at)
    delivery.deliver(owed.pk)
    [sent] = mail.outbox
    assert sent.attachments == []
    assert "cid:" not in sent.alternatives[0].content
    assert 'aria-label="Your display"' in sent.alternatives[0].content
