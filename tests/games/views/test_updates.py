"""Updates in the process that sends them: their order, their beats, and those that got lost."""

import asyncio
import json
import re
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from typing import Any

import pytest
from django.db import connections
from django.test import AsyncRequestFactory, Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games import live, topics
from games.models import Game, Seat
from games.views import live as views
from games.views import open_pages
from novaluna_site.streams import open_stream
from tests.clients import client_of
from tests.play import fresh, game_of, is_present, mover, person, play_one, play_out


def test_an_older_version_that_arrives_later_is_ignored(settings: Settings) -> None:
    settings.REDIS_URL = ""

    async def read() -> list[bytes]:
        page = live.Page("nosuchgame22", "127.0.0.1")
        events, read = page.events(), []
        for version in (-1, -3, -2, 0, -4, 2, 1, None):
            page.show(version)
            page.beat()
            read.append(await anext(events))
        page.close()
        return read

    sent = [re.findall("(?<=version\ndata: ).*|gone", event.decode()) for event in asyncio.run(read())]
    assert sent == [["-1"], ["-3"], [], ["0"], [], ["2"], [], ["gone"]]


def test_a_stream_begins_with_a_beat_goes_on_with_beats_and_ends_after_an_hour(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""

    async def read() -> list[bytes]:
        page = live.Page("", "127.0.0.1")
        events = page.events()
        read = [await anext(events)]
        page.beat()
        read.append(await anext(events))
        monkeypatch.setattr(live, "LONGEST", 0.0)
        page.beat()
        assert [event async for event in events] == []
        assert live.open_pages() == []
        return read

    # Scripts see events only, no comments.
    assert asyncio.run(read()) == [b"event: beat\ndata: 20\n\n"] * 2


def test_pages_get_beats_in_turns_and_all_get_them(settings: Settings) -> None:
    settings.REDIS_URL, settings.STREAMS_BEAT = "", 0.2

    async def read() -> list[list[bytes]]:
        pages = [live.Page("", f"127.0.0.{nth}") for nth in range(2 * live.TURNS)]
        assert {len(live.pages_of_turn(turn)) for turn in range(live.TURNS)} == {2}
        beats = asyncio.create_task(open_pages._beat_for_ever())
        streams = [page.events() for page in pages]
        read = [[await anext(events) for events in streams] for _beat in range(3)]
        beats.cancel()
        for page in pages:
            page.close()
        return read

    assert asyncio.run(read()) == [[b"event: beat\ndata: 0.2\n\n"] * 2 * live.TURNS] * 3


def test_without_redis_a_change_concerns_the_pages_that_follow_one_of_its_topics(settings: Settings) -> None:
    settings.REDIS_URL = ""

    async def read() -> list[bool]:
        mine, other, landing = (live.Page("", "127.0.0.1") for _page in range(3))
        mine.follow(topics.of_person(1))
        other.follow(topics.of_person(2))
        landing.follow(topics.TABLES)
        assert set(await live.late_pages()) == {mine, other, landing}, "pages begin with what is now"
        await asyncio.to_thread(live.publish, "nosuchgame22", 1, [topics.of_person(1), topics.TABLES])
        late = await asyncio.wait_for(live.late_pages(), 60)
        for page in (mine, other, landing):
            page.close()
        return [page in late for page in (mine, other, landing)]

    assert asyncio.run(read()) == [True, False, True]


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_the_regular_check_finds_lost_updates_and_believes_no_open_stream(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""
    close_connections_of_threads(monkeypatch)
    game = game_of(person("Ines"), person("Tobias"))
    player = mover(game)
    play_one(game)
    session = client_of(player).session.session_key
    Seat.objects.update(seen_at=None)

    async def read() -> list[bytes]:
        page, table = live.Page(game.key, "127.0.0.1"), live.Page("nosuchgame22", "127.0.0.1")
        page.user_id, page.session_key = player.pk, session
        page.show(0)
        table.show(-1)
        streams = page.events(), table.events()
        read = [await anext(stream) for stream in streams]
        await open_pages._check(live.open_pages())
        read += [await anext(stream) for stream in streams]
        page.close()
        table.close()
        return read

    sent = [event.decode().split() for event in asyncio.run(read())]
    beat = ["event:", "beat", "data:", "20"]
    assert sent[0] == ["event:", "version", "data:", "0", *beat]
    assert sent[1] == ["event:", "version", "data:", "-1", *beat]
    assert sent[2] == ["event:", "version", "data:", "1"]
    assert sent[3] == ["event:", "gone", "data:"]
    assert not is_present(game.key, player.pk), "the connection may have ended without a word"


@pytest.mark.django_db(transaction=True)
def test_the_regular_check_ends_the_streams_of_suspended_people(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""
    close_connections_of_threads(monkeypatch)
    ines, tobias, noor = person("Ines"), person("Tobias"), person("Noor")
    User.objects.filter(pk=ines.pk).update(suspended_until=timezone.now() + timedelta(days=1))
    User.objects.filter(pk=noor.pk).update(suspended_until=timezone.now() - timedelta(days=1))
    sessions = {user.pk: client_of(user).session.session_key for user in (ines, tobias, noor)}

    async def users_of_open_pages() -> set[int]:
        pages = {user.pk: live.Page("", "127.0.0.1") for user in (ines, tobias, noor)}
        for user_id, page in pages.items():
            page.user_id, page.session_key = user_id, sessions[user_id]
        await open_pages._check(live.open_pages())
        await open_pages._update(await live.late_pages())
        still_open = live.open_pages()
        for page in pages.values():
            page.close()
        return {user_id for user_id, page in pages.items() if page in still_open}

    assert asyncio.run(users_of_open_pages()) == {tobias.pk, noor.pk}


@pytest.mark.django_db(transaction=True)
def test_the_regular_check_leaves_a_page_alone_that_is_being_opened(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REDIS_URL = ""
    close_connections_of_threads(monkeypatch)
    monkeypatch.setattr(views, "start_tasks", lambda: None)
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias)
    sessions = {user.pk: client_of(user).session.session_key for user in (ines, tobias)}
    scope = {
        **AsyncRequestFactory()._base_scope(path=f"/g/{game.key}/stream/"),
        "headers": [(b"host", b"testserver"), (b"cookie", f"sessionid={sessions[ines.pk]}".encode())],
    }
    look, lasting = views._look_async, open_pages._lasting_async

    async def read() -> int:
        looks, is_checked = asyncio.Event(), asyncio.Event()

        async def look_after_the_check(*args: Any, **options: Any) -> Any:
            looks.set()
            await is_checked.wait()
            return await look(*args, **options)

        async def open_meanwhile(log_ins: Any) -> Any:
            is_checked.set()
            await opening
            return await lasting(log_ins)

        monkeypatch.setattr(views, "_look_async", look_after_the_check)
        monkeypatch.setattr(open_pages, "_lasting_async", open_meanwhile)
        other = live.Page(game.key, "127.0.0.1")
        other.user_id, other.session_key = tobias.pk, sessions[tobias.pk]
        opening = asyncio.create_task(open_stream(scope))
        await looks.wait()
        await open_pages._check(live.open_pages())
        await open_pages._update(await live.late_pages())
        pages = live.open_pages()
        for page in pages:
            page.close()
        return len(pages)

    assert asyncio.run(read()) == 2


def test_a_connection_to_a_redis_that_is_gone_without_a_word_ends() -> None:
    async def idle_seconds() -> object:
        async with live._subscribing_client() as client, client.pubsub() as pubsub:
            await pubsub.subscribe("novaluna.test")
            connection = pubsub.connection._writer.get_extra_info("socket")
            assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)

    assert asyncio.run(idle_seconds()) == 30


@pytest.mark.django_db
def test_under_wsgi_pages_poll_instead_of_streaming() -> None:
    game = game_of(person("Ines"), person("Tobias"))
    assert Client().get(f"/g/{game.key}/stream/").status_code == 204
    seen = {"here": "0 1", "spectators": 0}
    assert json.loads(Client().get(f"/g/{game.key}/version/").content) == {"version": 0, **seen}
    play_one(game)
    assert json.loads(Client().get(f"/g/{game.key}/version/").content) == {"version": 1, **seen}
    assert Client().get("/g/nosuchgame22/version/").status_code == 404
    assert Client().get("/updates/stream/").status_code == 204
    client = client_of(mover(game))
    assert client.get(f"/g/{game.key}/version/").json() == {
        "version": 1,
        "turns": 1,
        "chat": 0,
        **seen,
    }
    assert client.get(f"/g/{game.key}/version/?visible&brief").json() == {"version": 1}
    assert client.get("/updates/").json() == {"turns": 1}
    assert set(client.get("/updates/?lists").json()) == {"turns", "lists"}
    assert set(Client().get("/updates/?lists").json()) == {"turns", "lists"}


@pytest.mark.django_db
@pytest.mark.parametrize(("pace", "stays"), [("live", False), ("day", True)])
def test_a_player_of_a_live_game_who_looks_at_another_tab_is_away(pace: str, stays: bool) -> None:
    ines = person("Ines")
    game = game_of(ines, person("Tobias"))
    Game.objects.filter(pk=game.pk).update(pace=pace)
    client_of(ines).get(f"/g/{game.key}/version/?visible")
    game.seats.filter(user=ines).update(seen_at=timezone.now() - timedelta(seconds=5))
    client_of(ines).get(f"/g/{game.key}/version/?leaving&brief")
    assert is_present(game.key, ines.pk) is stays


def test_only_a_task_that_has_ended_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    def replace(name: str, *, ends: bool) -> None:
        async def work() -> None:
            started.append(name)
            await asyncio.sleep(0 if ends else 60)

        monkeypatch.setattr(open_pages, name, work)

    async def open_two() -> None:
        for _page in range(2):
            open_pages.start_tasks()
            await asyncio.sleep(0.01)

    monkeypatch.setattr(open_pages, "_tasks", type(open_pages._tasks)())
    replace("_beat_for_ever", ends=True)
    replace("_check_for_ever", ends=False)
    replace("_check_live_for_ever", ends=False)
    replace("_update_for_ever", ends=False)
    asyncio.run(open_two())
    once = ["_check_for_ever", "_check_live_for_ever", "_update_for_ever"]
    assert started == ["_beat_for_ever", *once, "_beat_for_ever"]


@pytest.mark.django_db
@pytest.mark.parametrize("is_public", [True, False])
def test_players_and_spectators_see_how_many_people_watch_a_public_game(is_public: bool) -> None:
    ines, mina = person("Ines"), person("Mina")
    game = game_of(ines, person("Tobias"), is_public=is_public)
    path = f"{game.get_absolute_url()}version/"
    player, spectator = client_of(ines), client_of(mina)
    assert player.get(path).json()["spectators"] == 0
    spectator.get(game.get_absolute_url())
    client_of(person("Noor")).get(game.get_absolute_url())
    assert player.get(path).json()["spectators"] == (2 if is_public else 0)
    seen = spectator.get(path).json()
    others = 1 if is_public else 0
    assert (seen["spectators"], "chat" in seen) == (others, False), "not themself"
    assert Client().get(path).json()["spectators"] == (2 if is_public else 0), "visitors see them, too"
    play_out(game)
    assert player.get(path).json()["spectators"] == 0


@pytest.mark.django_db
def test_another_name_updates_the_open_pages_of_games_that_are_not_over(
    django_capture_on_commit_callbacks: Callable[..., AbstractContextManager[object]],
) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    running, over = game_of(ines, tobias), play_out(game_of(ines, tobias))
    versions = [fresh(game).live_version for game in (running, over)]
    ines.username = "Luna"
    for fields in (["last_login"], ["username"]):
        with django_capture_on_commit_callbacks(execute=True):
            ines.save(update_fields=fields)
    assert [fresh(game).live_version for game in (running, over)] == [versions[0] + 1, versions[1]]


def close_connections_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Close the connections of threads after each piece of work: they end with the event loop of a test."""
    for module in (views, open_pages):
        monkeypatch.setattr(module, "close_old_connections", connections.close_all)
