"""Browsers that translate a page keep the elements that hold only the name of a player or notation."""

import re
from html.parser import HTMLParser
from random import Random

import pytest
from django.test import Client

from tests.clients import client_of
from tests.play import game_of, mover, person, play_out, play_some

VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "use", "path", "source", "circle"}
SKIPPED = {"script", "style", "title", "textarea", "option"}
NAMES = ("Quilla", "Zosimus")
NOTATION = re.compile(r"[EW]\d+(?: [NS]\d+)?|[NS]\d+")


class Texts(HTMLParser):
    """Collects the texts of a page that a browser may translate."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
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
        if self.open and self.open[-1][1] and self.open[-1][0] not in SKIPPED:
            self.found.append(" ".join(data.split()))


def translatable(page: str) -> list[str]:
    """Return the texts that are only a player's name or notation, and that a browser may translate."""
    texts = Texts()
    texts.feed(page)
    return [text for text in texts.found if text in NAMES or NOTATION.fullmatch(text)]


@pytest.mark.django_db
def test_elements_of_names_and_of_notation_are_kept_out_of_translations() -> None:
    quilla, zosimus = person("Quilla"), person("Zosimus")
    game, over = game_of(quilla, zosimus), game_of(quilla, zosimus)
    play_some(game, 9, Random(7))
    play_out(over)
    clients = {"mover": client_of(mover(game)), "visitor": Client()}
    clients["other"] = client_of(quilla if mover(game) == zosimus else zosimus)
    at = game.get_absolute_url()
    tile = clients["mover"].get(at).content.decode().split('data-tile="')[1][:3]
    paths = [at, f"{at}?at=3", f"{at}?tile={tile}", f"{at}text/", f"{at}displays/0/", over.get_absolute_url()]
    paths += ["/", "/people/Zosimus/", "/finished/", "/ratings/", "/rules/"]
    found = {}
    for viewer, client in clients.items():
        for path in paths:
            page = client.get(path, follow=True)
            assert page.status_code == 200, path
            found[viewer, path] = translatable(page.content.decode())
    assert {place: texts for place, texts in found.items() if texts} == {}
