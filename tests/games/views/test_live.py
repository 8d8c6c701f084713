"""Streams send open pages what changes, at once and to nobody else."""

import contextlib
import http.client
import json
import time
import urllib.request
import uuid
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import ChatLine, Game, Seat
from games.novaluna.engine import Resign
from games.queries.overviews import overview
from games.services import hand_overs, tables
from games.services.play import play
from games.services.talk.chat import write
from novaluna_site.default_headers import HEADERS
from tests.clients import client_of
from tests.games.views.streams import LONGEST_DELAY, Stream, stream, stream_at
from tests.play import game_of, is_present, let_wait, mover, person, play_one, play_out
from tests.waiting import wait_until


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_the_stream_sends_the_version_now_and_after_every_action(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with stream(server, game) as updates:
        assert updates.response.status == 200
        assert updates.response.headers["Content-Type"] == "text/event-stream"
        assert updates.response.headers["Cache-Control"] == "private, no-store"
        updates.wait_for("version 0")
        for number in (1, 2, 3):
            play_one(game)
            updates.wait_for(f"version {number}", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_the_stream_of_a_table_sends_every_change_of_its_seats(server: str) -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(3, is_public=True, pace="slow"))
    tobias = person("Tobias")
    with stream(server, table) as updates:
        updates.wait_for("version -1")
        tables.join(table.key, tobias)
        updates.wait_for("version -2", LONGEST_DELAY)
        tables.join(table.key, person("Noor"))
        updates.wait_for("version 0", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_a_stream_has_the_headers_of_every_response(server: str) -> None:
    with stream(server, game_of(person("Ines"), person("Tobias"))) as updates:
        headers = updates.response.headers
    assert headers["Content-Type"] == "text/event-stream"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert {name: headers[name] for name in HEADERS} == HEADERS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("change", ["forged", "new password", "inactive"])
def test_a_stream_of_nobody_who_is_logged_in_is_that_of_a_visitor(server: str, change: str) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game, client = game_of(ines, tobias), client_of(ines)
    if change == "forged":
        client.cookies["sessionid"] = "0" * 32
    if change == "new password":
        ines.set_password("another-moon-18")
        ines.save(update_fields=["password"])
    if change == "inactive":
        User.objects.filter(pk=ines.pk).update(is_active=False)
    with stream(server, game, client) as updates:
        updates.wait_for("version 0")
        assert updates.events[0] == "person"
    with stream(server, game, client_of(tobias)) as updates:
        updates.wait_for(f"person {tobias.pk}")


@pytest.mark.django_db(transaction=True)
def test_the_stream_of_a_closed_table_ends(server: str) -> None:
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow"))
    with stream(server, table) as updates:
        updates.wait_for("version -1")
        tables.close(table.key, ines)
        updates.wait_for("gone", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_opening_a_stream_marks_presence(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user, client = mover(game), Client()
    client.force_login(user)
    Seat.objects.update(seen_at=None)
    assert not is_present(game.key, user.pk)
    with stream(server, game, client) as updates:
        updates.wait_for("version 0")
        assert is_present(game.key, user.pk)


@pytest.mark.django_db(transaction=True)
def test_a_suspended_person_gets_no_stream_and_is_not_present(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    user = mover(game)
    client = client_of(user)
    client.cookies["csrftoken"] = 32 * "c"
    User.objects.filter(pk=user.pk).update(suspended_until=timezone.now() + timedelta(days=1))
    Seat.objects.update(seen_at=None)
    for path in (f"/g/{game.key}/stream/?board", "/updates/stream/"):
        with stream_at(server, path, client) as updates:
            assert updates.response.status == 403
    assert not is_present(game.key, user.pk)


@pytest.mark.django_db(transaction=True)
def test_a_player_who_leaves_a_live_game_is_gone_before_all_pages_are_checked(server: str) -> None:
    game = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="live"))
    tables.join(game.key, person("Tobias"))
    seats = {seat.user: seat.number for seat in game.seats.select_related("user")}
    clients = {user: client_of(user) for user in seats}
    (own, stays), (other, leaves) = [(number, clients[user]) for user, number in seats.items() if user]
    path = f"/g/{game.key}/stream/?live"
    Seat.objects.update(seen_at=None)
    with stream_at(server, path, stays) as updates:
        updates.wait_for(f"here {own}")
        with stream_at(server, path, leaves):
            updates.wait_for(f"here {min(own, other)} {max(own, other)}")
            # The page is loaded again.
        with stream_at(server, path, leaves):
            updates.events.clear()
            time.sleep(7)
            assert f"here {own}" not in updates.events
        updates.wait_for(f"here {own}", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_every_stream_of_a_person_sends_how_many_games_wait_for_them(server: str) -> None:
    ines, tobias, noor = person("Ines"), person("Tobias"), person("Noor")
    first, table = game_of(tobias, noor), tables.open_table(ines, tables.TableOptions(2))
    with (
        stream_at(server, "/updates/stream/", client_of(ines)) as rules_page,
        stream(server, first, client_of(ines)) as page_of_another_game,
        stream_at(server, "/updates/stream/?lists", client_of(noor)) as home_page_of_another,
    ):
        for page in (rules_page, page_of_another_game):
            page.wait_for("turns 0")
        home_page_of_another.wait_for(f"lists {overview(noor.pk).lists}")
        seen = list(home_page_of_another.events)
        tables.join(table.key, tobias)
        while mover(table) != ines:
            play_one(table)
        for page in (rules_page, page_of_another_game):
            page.wait_for("turns 1", LONGEST_DELAY)
        play_one(first)
        wait_until(lambda: len(home_page_of_another.events) > len(seen), "the update of a game of Noor")
        assert not any("lists" in event for event in rules_page.events)


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_the_home_page_gets_a_new_version_of_its_lists_with_every_change_of_one(server: str) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    with (
        stream_at(server, "/updates/stream/?lists") as landing,
        stream_at(server, "/updates/stream/?lists", client_of(ines)) as home,
    ):

        def lists_change(*pages: Stream) -> None:
            for page in pages:
                user = ines.pk if page is home else None
                page.wait_for(f"lists {overview(user).lists}", LONGEST_DELAY)

        landing.wait_for(f"lists {overview(None).lists}")
        home.wait_for(f"lists {overview(ines.pk).lists}")
        table = tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow"))
        lists_change(landing, home)
        tables.join(table.key, ines)
        lists_change(landing, home)
        tables.leave(table.key, ines)
        lists_change(landing, home)
        tables.close(table.key, tobias)
        lists_change(landing, home)
        unlisted = tables.open_table(tobias, tables.TableOptions(3))
        tables.join(unlisted.key, ines)
        lists_change(home)
        tables.leave(unlisted.key, ines)
        lists_change(home)
        assert len([event for event in landing.events if "lists" in event]) == 5


@pytest.mark.django_db(transaction=True)
def test_home_pages_follow_the_seats_that_everybody_is_offered(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with stream_at(server, "/updates/stream/?lists") as landing:
        before = overview(None).lists
        landing.wait_for(f"lists {before}")
        hand_overs.offer(game.key, mover(game), is_public=True)
        offered = overview(None).lists
        assert offered != before
        landing.wait_for(f"lists {offered}", LONGEST_DELAY)
        hand_overs.withdraw(game.key, mover(game))
        wait_until(lambda: landing.events[-1] == f"lists {before}", "the lists without the seat")


@pytest.mark.django_db(transaction=True)
def test_a_hand_over_updates_the_pages_of_the_former_and_of_the_new_player(server: str) -> None:
    game, noor = game_of(person("Ines"), bots=("easy",)), person("Noor")
    former = game.seats.get(bot="").user
    assert former is not None
    let_wait(game, game.seats.get(bot="").number)
    hand_overs.offer(game.key, former, is_public=False)
    with (
        stream_at(server, "/updates/stream/?lists", client_of(former)) as theirs,
        stream_at(server, "/updates/stream/?lists", client_of(noor)) as hers,
        stream(server, game) as board,
    ):
        theirs.wait_for("turns 1")
        hers.wait_for("turns 0")
        hand_overs.take(game.seat_offers.get().key, noor)
        hers.wait_for("turns 1", LONGEST_DELAY)
        theirs.wait_for("turns 0", LONGEST_DELAY)
        theirs.wait_for(f"lists {overview(former.pk).lists}", LONGEST_DELAY)
        board.wait_for(f"version {Game.objects.get(pk=game.pk).live_version}", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_an_invitation_to_a_rematch_changes_the_lists_of_the_invited_person(server: str) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = game_of(ines, tobias, is_public=False)
    play(game.key, ines, Resign(0), 1, uuid.uuid4())
    with stream_at(server, "/updates/stream/?lists", client_of(tobias)) as home:
        before = overview(tobias.pk).lists
        home.wait_for(f"lists {before}")
        table = tables.rematch(game.key, ines)
        offered = overview(tobias.pk).lists
        assert offered != before
        home.wait_for(f"lists {offered}", LONGEST_DELAY)
        tables.close(table.key, ines)
        wait_until(lambda: home.events[-1] == f"lists {before}", "the lists without the invitation")


@pytest.mark.django_db(transaction=True)
def test_visitors_of_a_finished_game_get_what_is_written_in_its_chat(server: str) -> None:
    ines = person("Ines")
    game = game_of(ines, person("Tobias"))
    play_out(game)
    with stream(server, game) as page:
        page.wait_for("chat 0")
        write(game.key, ines, "Well played", uuid.uuid4())
        page.wait_for(f"chat {ChatLine.objects.get().pk}", LONGEST_DELAY)


@pytest.mark.django_db(transaction=True)
def test_an_unknown_game_has_no_stream(server: str) -> None:
    connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=60)
    connection.request("GET", "/g/nosuchgame22/stream/")
    assert connection.getresponse().status == 404
    connection.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_one_address_may_open_a_hundred_streams_and_no_more(server: str) -> None:
    game = game_of(person("Ines"), person("Tobias"))
    with contextlib.ExitStack() as opened:
        pages = [opened.enter_context(stream(server, game)) for _page in range(settings.STREAMS_PER_ADDRESS)]
        for page in pages:
            page.wait_for("version 0")
        with stream(server, game) as refused:
            assert refused.response.status == 204
            assert refused.response.headers["Retry-After"] == "60"
        with urllib.request.urlopen(f"{server}/g/{game.key}/version/") as poll:
            assert json.load(poll)["version"] == 0
        with stream(server, game, source="127.0.0.2") as other:
            other.wait_for("version 0")
        play_one(game)
        for page in pages:
            page.wait_for("version 1")
        pages[0].close()
        wait_until(lambda: is_open_to_one_more(server, game), "the place of the closed stream")


def is_open_to_one_more(server: str, game: Game) -> bool:
    with stream(server, game) as page:
        return bool(page.response.status == 200)
