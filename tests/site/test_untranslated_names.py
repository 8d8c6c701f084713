"""Browsers that translate a page keep names of players and notation, and translate what is around them."""

import re
import uuid
from html.parser import HTMLParser
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from games.novaluna.board.events import describe_step
from games.queries.viewing import view_game
from games.services.play import resign_for
from games.services.talk import chat
from games.shown.history import history
from games.templatetags.untranslated import untranslated_names
from tests.clients import client_of
from tests.play import game_of, mover, person, play_out, play_some

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "use", "path", "source", "circle"}
SKIPPED = {"script", "style", "title", "textarea", "option"}
NAMES = ("Quilla", "Zosimus")
NOTATION = re.compile(r"\b[EWNS]\d+\b")


class Texts(HTMLParser):
    """Collects the texts of a page that a browser may translate, and those that it must not translate."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.found: list[str] = []
        self.kept: list[str] = []
        self.all: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        # Attributes, such as the labels that screen readers speak, are plain texts.
        assert not [value for _name, value in attributes if value and "translate=" in value]
        if tag in VOID:
            return
        given = dict(attributes).get("translate")
        before = self.open[-1][1] if self.open else True
        self.open.append((tag, {"no": False, "yes": True}.get(given or "", before)))

    def handle_endtag(self, tag: str) -> None:
        if any(name == tag for name, _may in self.open):
            while self.open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1][0] in SKIPPED:
            return
        text = " ".join(data.split())
        self.all.append(data)
        if self.open[-1][1]:
            self.found.append(f"<{self.open[-1][0]}> {text}")
        else:
            self.kept.append(text)


def texts_of(page: str) -> Texts:
    """Return the texts of a page, after a check that no mark is shown as a text."""
    assert "&lt;span" not in page
    assert "translate=" not in page.partition("<title>")[2].partition("</title>")[0]
    texts = Texts()
    texts.feed(page)
    return texts


def translatable(page: str) -> list[str]:
    """Return the texts with a player's name or with notation that a browser may translate."""
    found = texts_of(page).found
    return [text for text in found if any(name in text for name in NAMES) or NOTATION.search(text)]


def tile_in_reach(page: str) -> str:
    """Return the code of a tile that the viewer can choose on this board."""
    return page.split('data-tile="')[1][:3]


@pytest.mark.django_db
def test_names_and_notation_are_kept_out_of_translations() -> None:
    quilla, zosimus = person("Quilla"), person("Zosimus")
    game, over, resigned = (game_of(quilla, zosimus) for _number in range(3))
    play_some(game, 9, Random(7))
    play_out(over)
    resign_for(resigned, resigned.seats.get(user=quilla), "time")
    clients = {"mover": client_of(mover(game)), "visitor": Client()}
    clients["other"] = client_of(quilla if mover(game) == zosimus else zosimus)
    at = game.get_absolute_url()
    chat.write(game.key, quilla, "Good luck", uuid.uuid4())
    tile = tile_in_reach(clients["mover"].get(at).content.decode())
    paths = [
        at,
        f"{at}?at=3",
        f"{at}?tile={tile}",
        f"{at}text/",
        f"{at}text/?tile={tile}",
        f"{at}displays/0/",
    ]
    paths += [over.get_absolute_url(), f"{over.get_absolute_url()}text/", resigned.get_absolute_url()]
    paths += ["/", "/people/Zosimus/", "/finished/", "/ratings/", "/rules/"]
    found = {}
    for viewer, client in clients.items():
        for path in paths:
            page = client.get(path, follow=True)
            assert page.status_code == 200, path
            found[viewer, path] = translatable(page.content.decode())
    assert {place: texts for place, texts in found.items() if texts} == {}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "other"),
    [("a", "moves"), ("took", "and"), ("S1", "at"), ("Z", "Zoe"), ("<b>", "&amp;"), ("%(name)s", '"x"')],
)
def test_names_that_are_words_or_markup_are_marked_where_they_are_names_only(name: str, other: str) -> None:
    game = play_some(game_of(person(name), person(other)), 8, Random(5))
    log = history(view_game(game, AnonymousUser()), describe_step).entries
    assert len(log) == 8
    for entry in log:
        texts = texts_of(f"<p>{untranslated_names(entry.text)}</p>")
        # Only the name of the player at the beginning, and the name of the cell.
        player, *cell = texts.kept
        assert player == entry.name
        assert "".join(texts.all) == entry.text
        assert cell == re.findall(r"placed it at ([EWNS0-9 ]+?)(?= and|:)", entry.text.removeprefix(player))
    client = Client()
    for page in (
        client.get(game.get_absolute_url()).text,
        client.get(f"{game.get_absolute_url()}text/").text,
    ):
        assert {name, other} <= set(texts_of(page).kept)
        assert "<b><b>" not in page
        announced = re.search(r'data-announcement="([^"]*)"', page)
        assert announced is None or "translate" not in announced[1]
