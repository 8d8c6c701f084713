"""Feeds: what they show, that only their newest secret address works, and that they show no secrets."""

import xml.etree.ElementTree as ET
from datetime import timedelta
from unittest import mock
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Calendar

from accounts.models import User
from games.models import Deal, Game
from games.queries.feeds import feed_urls
from tests.clients import client_of
from tests.play import fresh, game_of, mover, person, play_one, play_some

pytestmark = pytest.mark.django_db

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def addresses_of(user: User) -> dict[str, str]:
    """Press the button for new addresses, and return them as paths."""
    assert client_of(user).post("/account/notifications/feeds/").status_code == 302
    user.refresh_from_db()
    page = client_of(user).get("/account/notifications/").text
    urls = feed_urls(user)
    assert all(url in page for url in urls.values())
    return {name: urlsplit(url).path for name, url in urls.items()}


def entries(path: str) -> list[tuple[str, str]]:
    answer = Client().get(path)
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    found = ET.fromstring(answer.content).findall("a:entry", ATOM)
    return [(entry.findtext("a:title", "", ATOM), entry.findtext("a:id", "", ATOM)) for entry in found]


def test_the_turns_are_an_atom_feed_with_one_entry_for_each_turn(game: Game) -> None:
    user = mover(game)
    path = addresses_of(user)["turns"]
    [(title, first)] = entries(path)
    assert title == f"Your turn against {'Tobias' if user.username == 'Ines' else 'Ines'}"
    while mover(game) == user:
        play_one(game)
    assert entries(path) == []
    while mover(game) != user:
        play_one(game)
    [(_title, second)] = entries(path)
    assert second != first


def test_the_deadlines_are_a_calendar(game: Game) -> None:
    user, deadline = mover(game), (timezone.now() + timedelta(days=2)).replace(microsecond=0)
    path = addresses_of(user)["deadlines"]
    assert Calendar.from_ical(Client().get(path).content).walk("VEVENT") == []
    Game.objects.update(deadline=deadline)
    [event] = Calendar.from_ical(Client().get(path).content).walk("VEVENT")
    assert event.decoded("dtstart") == deadline
    assert game.get_absolute_url() in str(event["url"])
    Game.objects.update(deadline=deadline + timedelta(days=1))
    [moved] = Calendar.from_ical(Client().get(path).content).walk("VEVENT")
    assert (moved["uid"], moved.decoded("dtstart")) == (event["uid"], deadline + timedelta(days=1))
    Game.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    assert Calendar.from_ical(Client().get(path).content).walk("VEVENT") == []


def test_only_the_newest_address_works(game: Game) -> None:
    user = mover(game)
    assert feed_urls(user) == {}
    assert "Make addresses" in client_of(user).get("/account/notifications/").text
    old, new = addresses_of(user), addresses_of(user)
    assert [Client().get(path).status_code for path in old.values()] == [404, 404]
    assert [Client().get(path).status_code for path in new.values()] == [200, 200]
    forged = new["turns"].replace("/turns", "x/turns")
    assert Client().get(forged).status_code == 404
    User.objects.update(is_active=False)
    assert [Client().get(path).status_code for path in new.values()] == [404, 404]


def test_visitors_have_no_feeds_and_guests_are_asked_to_sign_up() -> None:
    guest = User.objects.create(username="Amber-Comet", is_guest=True)
    for client in (Client(), client_of(guest)):
        assert client.post("/account/notifications/feeds/").status_code == 302
    guest.refresh_from_db()
    assert guest.feed_number == 0


def test_feeds_do_not_depend_on_the_draw_pile(game: Game) -> None:
    play_some(game, 6)
    user = mover(game)
    Game.objects.update(deadline=timezone.now() + timedelta(days=2))
    paths = addresses_of(user).values()

    def read() -> list[bytes]:
        with mock.patch("django.utils.timezone.now", return_value=timezone.now().replace(microsecond=0)):
            return [Client().get(path).content for path in paths]

    before = read()
    deal = Deal.objects.get(pk=fresh(game).deal_id)
    deal.dealt["deck"] = [*deal.dealt["deck"][:40], *reversed(deal.dealt["deck"][40:])]
    deal.save()
    assert read() == before


def test_feeds_need_few_queries(game: Game, django_assert_max_num_queries: object) -> None:
    user = mover(game)
    for name in ("Mina", "Noor", "Olga"):
        game_of(person(name), user)
    for path in addresses_of(user).values():
        with django_assert_max_num_queries(6):  # type: ignore[operator]
            Client().get(path)
