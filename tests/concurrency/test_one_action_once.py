"""An action is stored once or not at all, even with many simultaneous requests."""

import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections, transaction
from django.test import Client

from accounts.models import User
from games.models import Action, Game
from games.services import after_commit, bot_queue, bots, tables
from tests.clients import client_of
from tests.concurrency.simultaneous import run_simultaneously
from tests.locks import is_lock_awaited
from tests.play import form_of, fresh, game_of, let_wait, mover, person, play_one, position_of
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.databases]

REQUESTS = 20


def posts(game: Game, bodies: Sequence[dict[str, object]]) -> list[Callable[[], int]]:
    """Return a function for each body that posts it as the player to move and returns the status."""
    user = mover(game)

    def post_from(client: Client, body: dict[str, object]) -> Callable[[], int]:
        return lambda: client.post(f"/g/{game.key}/play/", body).status_code

    calls = []
    for body in bodies:
        client = client_of(user)
        calls.append(post_from(client, body))
    return calls


def test_twenty_identical_posts_store_one_action_and_get_the_same_status(game: Game) -> None:
    first = position_of(game).in_reach[0].code
    body = form_of(game, {"do": "place", "tile": first, "x": 0, "y": 0})

    statuses = run_simultaneously(posts(game, [body] * REQUESTS))

    assert statuses == [302] * REQUESTS
    assert [action.payload["tile"] for action in Action.objects.filter(game=game)] == [first]
    assert fresh(game).version == 1


def test_twenty_different_posts_for_one_number_store_one_and_refuse_the_rest(game: Game) -> None:
    tiles = [tile.code for tile in position_of(game).in_reach]
    bodies = [form_of(game, {"do": "place", "tile": tiles[n % 3], "x": 0, "y": 0}) for n in range(REQUESTS)]

    statuses = run_simultaneously(posts(game, bodies))

    assert Counter(statuses) == {302: 1, 409: REQUESTS - 1}
    assert Action.objects.filter(game=game).count() == fresh(game).version == 1


def test_one_request_id_with_two_payloads_stores_one(game: Game) -> None:
    tiles = [tile.code for tile in position_of(game).in_reach]
    body = form_of(game, {"do": "place", "tile": tiles[0], "x": 0, "y": 0})

    statuses = run_simultaneously(posts(game, [{**body, "tile": tiles[n % 2]} for n in range(REQUESTS)]))

    assert Counter(statuses) == {302: REQUESTS // 2, 409: REQUESTS // 2}
    assert Action.objects.filter(game=game).count() == 1


def test_the_last_seat_is_taken_once() -> None:
    table = tables.open_table(person("Ines"), tables.TableOptions(2, is_public=True, pace="slow"))
    calls = []
    for number in range(8):
        client = client_of(person(f"Guest{number}"))
        calls.append(lambda client=client: client.post(f"/g/{table.key}/join/").status_code)

    statuses = run_simultaneously(calls)

    assert Counter(statuses) == {302: 1, 409: 7}
    assert fresh(table).is_running
    assert table.seats.exclude(user=None).count() == 2


def clients_of(user: User, count: int) -> list[Client]:
    """Return separate clients that are all logged in as `user`."""
    return [client_of(user) for _ in range(count)]


def test_a_table_closed_twice_is_closed_once() -> None:
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow"))
    address = f"/g/{table.key}/close/"

    statuses = Counter(
        run_simultaneously([lambda c=c: c.post(address).status_code for c in clients_of(ines, 6)])
    )

    assert set(statuses) <= {302, 404}
    assert statuses[302] == 1
    assert not Game.objects.exists()


def test_a_form_sent_simultaneously_opens_one_table() -> None:
    ines = person("Ines")
    body = {"opponents": "bots", "seat_count": 2, "level": "easy", "request_id": str(uuid.uuid4())}

    statuses = run_simultaneously(
        [lambda c=c: c.post("/new/", body).status_code for c in clients_of(ines, 6)]
    )

    assert statuses == [302] * 6
    assert Game.objects.get().seats.count() == 2


def test_a_table_that_is_filled_simultaneously_starts_once() -> None:
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(4, is_public=True, pace="slow"))
    one, all_seats = {"level": "easy", "seat": 1}, {"level": "easy"}

    statuses = run_simultaneously(
        [
            lambda c=c, form=form: c.post(f"/g/{table.key}/bots/", form).status_code
            for c, form in zip(clients_of(ines, 6), (one, all_seats) * 3, strict=True)
        ]
    )

    assert statuses == [302] * 6
    assert fresh(table).is_running
    assert [seat.bot for seat in table.seats.order_by("number")] == ["", "easy", "easy", "easy"]
    assert len({seat.name for seat in table.seats.all()}) == 4


def test_simultaneous_forms_open_no_more_tables_than_one_person_may_have() -> None:
    ines = person("Ines")
    form = {"opponents": "people", "seat_count": 2, "level": "easy"}
    bodies = [form | {"request_id": str(uuid.uuid4())} for _form in range(REQUESTS)]
    clients = clients_of(ines, REQUESTS)

    statuses = run_simultaneously(
        [lambda c=c, b=b: c.post("/new/", b).status_code for c, b in zip(clients, bodies, strict=True)]
    )

    assert Counter(statuses) == {302: tables.MOST_OPEN_TABLES, 409: REQUESTS - tables.MOST_OPEN_TABLES}
    assert Game.objects.count() == tables.MOST_OPEN_TABLES


def test_an_action_that_waits_for_the_lock_of_a_table_is_played_after_the_start() -> None:
    ines = person("Ines")
    table = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow"))
    [client] = clients_of(ines, 1)
    body = {"do": "resign", "number": 1, "request_id": str(uuid.uuid4())}

    def post() -> int:
        try:
            return client.post(f"/g/{table.key}/play/", body).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            tables.join(table.key, person("Tobias"))
            answer = pool.submit(post)
            wait_until(is_lock_awaited, "the post to wait for the table's lock", pause=0.01)
        assert answer.result(timeout=60) == 302
    assert fresh(table).is_over


def test_a_bots_turn_that_many_workers_play_is_stored_once() -> None:
    game = game_of(person("Ines"), bots=("easy",))
    while not game.seats.get(number=game.to_move).bot:
        play_one(game)
        game = fresh(game)
    number = game.version + 1

    def take() -> int:
        bots.take_turn(game.pk, number)
        return 0

    run_simultaneously([take] * 8)

    assert Action.objects.filter(game=game, number=number).count() == 1
    assert fresh(game).version == number


def test_only_one_turn_of_a_persons_games_is_queued(monkeypatch: pytest.MonkeyPatch) -> None:
    queued: list[object] = []
    with monkeypatch.context() as patch:
        patch.setattr(bot_queue, "queue_turns", lambda _game, _seats: None)
        ines = person("Ines")
        games = [game_of(ines, bots=("expert",)) for _game in range(4)]
    for game in games:
        let_wait(game, 1)
    monkeypatch.setattr(bot_queue, "queue", lambda _task, game_id, *_, **__: not queued.append(game_id))

    run_simultaneously([lambda: bot_queue.queue_next_turn(ines.pk, after_commit.BOT_TURN)] * 8)

    assert queued == [min(games, key=lambda game: fresh(game).moved_at).pk]
