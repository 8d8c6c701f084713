"""A site that offers Pairs only. `test_only_pairs.py` runs these tests in a process of its own.

The site of the other tests has Nova Luna. Whatever a general room takes from its wing (a template, a tag, a
style, a word) would be there.
"""

import re
import uuid

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from games.models import Channel, Game, Notification
from games.services import tables
from games.titles.registry import TITLES
from tests.clients import client_of
from tests.play import fresh, person, turn_mail

pytestmark = pytest.mark.django_db

NAMES = ("Ines", "Tobias", "Mina", "Noor")
PAGES = (
    "/",
    "/new/",
    "/new/?title=pairs",
    "/ratings/",
    "/people/Ines/",
    "/offline/",
    "/manifest.webmanifest",
    "/service-worker.js",
    "/account/login/",
    "/account/signup/",
)
PAGES_OF_USER = (
    "/duplicates/new/",
    "/help/",
    "/finished/",
    "/account/profile/",
    "/account/hours/",
    "/account/notifications/",
)
WORDS = re.compile(r"\b(tiles?|discs?|refills?|moon wheel|Rosenberg)\b", re.IGNORECASE)


def words_of(text: str) -> str:
    return re.sub(r"<(script|style|svg)\b.*?</\1>|<[^>]*>", " ", text, flags=re.DOTALL)


def look(client: Client, path: str) -> str:
    """Return a page that must be there, and speak of no other title."""
    page = client.get(path, follow=True)
    assert page.status_code == 200, path
    if not path.endswith(".js"):
        assert not WORDS.search(words_of(page.text)), path
    return page.text


def table_of(users: list[User]) -> Game:
    return tables.open_table(users[0], tables.TableOptions(4))


def start(table: Game, users: list[User]) -> Game:
    for user in users[1:]:
        tables.join(table.key, user)
    return fresh(table)


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in NAMES]


def test_the_site_offers_nothing_else() -> None:
    assert list(TITLES) == ["pairs"]


def test_pages_without_a_game() -> None:
    ines, visitor = client_of(person("Ines")), Client()
    for path in PAGES:
        look(visitor, path)
        look(ines, path)
    for path in PAGES_OF_USER:
        look(ines, path)
    assert visitor.get("/solo/").status_code == 404


def test_a_visitor_plays_now() -> None:
    visitor = Client()
    assert "Play now" in look(visitor, "/")
    answer = visitor.post("/play/", {"request_id": str(uuid.uuid4())}, follow=True)
    game = Game.objects.get()
    assert game.is_running
    assert answer.redirect_chain == [(game.get_absolute_url(), 302)]


def test_a_table_and_its_game(users: list[User]) -> None:
    table = table_of(users)
    clients = [Client(), client_of(users[0]), client_of(users[1])]
    for client in clients:
        look(client, table.get_absolute_url())
        look(client, "/")
    game = start(table, users)
    for client in clients:
        for path in ("", "text/", "deal/", "version/"):
            look(client, game.get_absolute_url() + path)
        look(client, "/")


def test_emails(users: list[User]) -> None:
    game = start(table_of(users), users)
    owed = Notification.objects.filter(game=game, channel=Channel.MAIL)
    assert owed.count() == len(NAMES)
    letter = turn_mail(game, users[0])
    for part in (letter.subject, letter.body, letter.alternatives[0].content):
        assert not WORDS.search(words_of(str(part)))
    Client().post("/account/password/reset/", {"email": "ines@example.org"})
    assert not [sent for sent in mail.outbox if WORDS.search(str(sent.body))]
