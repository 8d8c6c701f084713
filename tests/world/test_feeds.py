"""Feeds as strict programs read them: valid, stable, and honest about what has moved."""

import uuid
from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone
from icalendar import Event

from accounts.models import User
from games.models import Game
from games.novaluna.engine import Resign
from games.queries.feeds import feed_urls
from games.services import calendars, tables
from games.services.play import play
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.play import fresh, game_of, mover, person, play_one
from tests.world.feed_rules import ATOM, entries_of, read_atom, read_calendar

pytestmark = pytest.mark.django_db

# Whatever an account may be called that staff or an import has made.
ODD_NAMES = [
    "a, b; c\\d",
    "two\nlines",
    "bell\x07 and \ufffe",
    "<b>&amp;</b> ]]>",
    "Zoë 🌙" * 20,
    "BEGIN:VEVENT\r\nEND:VEVENT",
]


def game_with_clock(*users: User) -> Game:
    opener, *others = users
    game = tables.open_table(opener, tables.TableOptions(len(users), pace="day"))
    for user in others:
        tables.join(game.key, user)
    return fresh(game)


def resign(game: Game, user: User) -> None:
    seat = game.seats.get(user=user).number
    play(game.key, user, Resign(seat), fresh(game).version + 1, uuid.uuid4())


def read(user: User, name: str) -> bytes:
    """Return a feed of this user as a program gets it, which has only its address."""
    if not user.feed_number:
        user.renew_feeds()
        user.refresh_from_db()
    answer = Client().get(urlsplit(feed_urls(user)[name]).path)
    assert answer.status_code == 200
    return answer.content


def events(user: User) -> list[Event]:
    return read_calendar(read(user, "deadlines")).walk("VEVENT")


def test_a_calendar_without_deadlines_has_a_component_and_never_changes() -> None:
    ines = person("Ines")
    with frozen_clock() as clock:
        before = read(ines, "deadlines")
        assert read_calendar(before).walk("VEVENT") == []
        clock.move_on(days=3)
        assert read(ines, "deadlines") == before


def revision_of(event: Event) -> tuple[datetime, datetime, int]:
    return event.decoded("dtstamp"), event.decoded("last-modified"), int(event["sequence"])


def test_a_moved_deadline_is_a_new_revision_of_the_same_event() -> None:
    with frozen_clock() as clock:
        game = game_with_clock(person("Ines"), person("Tobias"))
        user = mover(game)
        [before] = events(user)
        assert before.end - before.start >= timedelta(minutes=15)
        clock.move_on(hours=1)
        assert events(user) == [before]
        today = clock.now.date()
        calendars.plan_vacation(user, today, today + timedelta(days=1))
        [after] = events(user)
        assert after.decoded("dtstart") > before.decoded("dtstart")
        assert after["uid"] == before["uid"]
        assert all(new > old for new, old in zip(revision_of(after), revision_of(before), strict=True))
        clock.move_on(minutes=5)
        assert events(user) == [after]


def test_the_next_run_of_turns_is_another_event() -> None:
    game = game_with_clock(person("Ines"), person("Tobias"))
    user = mover(game)
    [before] = events(user)
    while mover(game) == user:
        play_one(game)
    assert events(user) == []
    while mover(game) != user:
        play_one(game)
    [after] = events(user)
    assert after["uid"] != before["uid"]


def test_a_feed_without_turns_is_valid_and_the_same_at_each_request() -> None:
    ines = person("Ines")
    with frozen_clock() as clock:
        before = read(ines, "turns")
        assert entries_of(before) == []
        clock.move_on(days=3)
        assert read(ines, "turns") == before


def test_one_run_of_turns_is_one_entry_and_one_event() -> None:
    """An own action after which the same player is to move leaves the feeds as they were."""
    game = game_with_clock(person("Ines"), person("Tobias"))
    for _run in range(3):
        while True:
            user = mover(game)
            [entry], atom = entries_of(read(user, "turns")), read(user, "turns")
            [event] = events(user)
            play_one(game)
            if mover(game) == user:
                break
        assert read(user, "turns") == atom
        [later] = events(user)
        assert later["uid"] == event["uid"]
        assert later["sequence"] >= event["sequence"]
        while mover(game) == user:
            play_one(game)
        while mover(game) != user:
            play_one(game)
        [new_entry] = entries_of(read(user, "turns"))
        assert new_entry[0] != entry[0]
        assert new_entry[1] > entry[1]


def test_a_player_who_leaves_begins_a_run_of_turns_only_if_it_was_their_turn() -> None:
    users = [person(name) for name in ("Ines", "Tobias", "Mina", "Noor")]
    game = game_with_clock(*users)
    for _action in range(8):
        play_one(game)
    user = mover(game)
    atom = read(user, "turns")
    assert len(entries_of(atom)) == 1
    resign(game, next(one for one in users if one != user))
    assert read(user, "turns") == atom, "it was not their turn"
    seen = {one: {entry[0] for entry in entries_of(read(one, "turns"))} for one in users}
    resign(game, user)
    [entry] = entries_of(read(mover(game), "turns"))
    assert entry[0] not in seen[mover(game)]


def test_nothing_in_a_feed_is_in_the_future_and_ids_stay_when_the_address_changes() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user = mover(game)
    before = read_atom(read(user, "turns"))
    user.renew_feeds()
    user.refresh_from_db()
    after = read_atom(read(user, "turns"))
    ids = [[one.text for one in feed.iter(f"{ATOM}id")] for feed in (before, after)]
    assert ids[0] == ids[1]
    for moment in after.iter(f"{ATOM}updated"):
        assert datetime.fromisoformat(str(moment.text)) <= timezone.now()
    assert {link.get("href") for link in before.iter(f"{ATOM}link")} != {
        link.get("href") for link in after.iter(f"{ATOM}link")
    }, "the feed names its own address"


def test_two_people_have_no_feed_with_the_same_id() -> None:
    ids = {read_atom(read(person(name), "turns")).findtext(f"{ATOM}id") for name in ("Ines", "Tobias")}
    assert len(ids) == 2


@pytest.mark.parametrize("name", ODD_NAMES, ids=range(len(ODD_NAMES)))
def test_feeds_stay_valid_whatever_people_are_called(name: str) -> None:
    ines, other = person("Ines"), person("Tobias")
    game = game_with_clock(ines, other)
    while mover(game) != ines:
        play_one(game)
    User.objects.filter(pk=other.pk).update(username=name)
    [(_id, _updated, title)] = entries_of(read(ines, "turns"))
    assert title.startswith("Your turn against ")
    [event] = events(ines)
    assert "Your turn against" in str(event["summary"])


@pytest.mark.parametrize("name", ["turns", "deadlines"])
def test_a_program_that_has_the_newest_feed_gets_only_that_answer(name: str) -> None:
    game = game_with_clock(person("Ines"), person("Tobias"))
    user = mover(game)
    read(user, name)
    path = urlsplit(feed_urls(user)[name]).path
    first = Client().get(path)
    assert "no-store" not in first["Cache-Control"]
    etag = first["ETag"]
    assert Client().get(path, headers={"If-None-Match": etag}).status_code == 304
    while mover(game) == user:
        play_one(game)
    assert Client().get(path, headers={"If-None-Match": etag}).status_code == 200


def test_a_feed_reader_finds_the_feed_on_the_page_of_its_person() -> None:
    ines = person("Ines")
    read(ines, "turns")
    page = client_of(ines).get("/account/notifications/").text
    link = f'<link rel="alternate" type="application/atom+xml" href="{feed_urls(ines)["turns"]}"'
    assert link in page
    assert (
        'type="application/atom+xml"' not in client_of(person("Tobias")).get("/account/notifications/").text
    )
