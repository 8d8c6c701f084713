"""Handing over a seat: offers by link and to everybody, objections, and what goes to the new player."""

import random
import re
from html import unescape
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.models import Attendance, Game, Kind, Notification, Plan, SeatChange, SeatOffer
from games.services import hand_overs, tables
from games.services.play import resign_for
from games.services.private import notes
from games.tasks import finish_hand_over, sweep
from tests.clients import client_of, without_marks
from tests.frozen import FrozenClock
from tests.play import (
    fresh,
    game_of,
    legal_fields,
    mover,
    person,
    play_all,
    play_one,
    play_out,
    position_of,
    random_actions,
    review_of,
    turn_mail,
)

pytestmark = pytest.mark.django_db


def post(user: User | None, game: Game, **fields: object) -> int:
    client = client_of(user) if user else Client()
    return client.post(f"/g/{game.key}/hand-over/", fields).status_code


def page_of(game: Game, user: User, path: str = "") -> str:
    return without_marks(re.sub(r"\s+", " ", client_of(user).get(f"/g/{game.key}/{path}").text))


def offer_of(game: Game) -> SeatOffer:
    return game.seat_offers.latest("pk")


def seat_page(game: Game) -> str:
    return f"/seats/{offer_of(game).key}/"


def assert_projections_are_right() -> None:
    out = StringIO()
    try:
        call_command("rebuild_games", "--check", stdout=out, stderr=out)
    except SystemExit:
        raise AssertionError(out.getvalue()) from None
    assert ": 0 differ from their logs" in out.getvalue()


def sweep_and_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the sweep, and the hand-overs that it queues, twice each."""
    queued: list[tuple[str, int]] = []
    monkeypatch.setattr("games.tasks.queue", lambda *task, **options: queued.append(task) or True)
    sweep()
    for name, pk in queued * 2:
        if name == "games.finish_hand_over":
            finish_hand_over(pk)


def game_of_three(pace: str = "", *, is_public: bool = False) -> tuple[Game, User, User, User]:
    ines, tobias, mina = person("Ines"), person("Tobias"), person("Mina")
    game = tables.open_table(ines, tables.TableOptions(3, is_public=is_public, pace=pace))
    for user in (tobias, mina):
        tables.join(game.key, user)
    return fresh(game), ines, tobias, mina


@pytest.mark.parametrize("pace", ["", "day"])
def test_a_friend_takes_the_seat_of_a_leaving_player_and_finishes_the_game(
    clock: FrozenClock, pace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, *_people = game_of_three(pace)
    rng = random.Random(1)
    if pace:
        play_one(game)
    else:
        game = play_all(game, [*random_actions(position_of(game), rng)][:-6])
    leaver, friend = mover(game), person("Noor")
    other = next(seat.user for seat in game.seats.select_related("user") if seat.user != leaver)
    assert other is not None
    assert "Hand over your seat" in page_of(game, leaver)
    assert post(leaver, game, do="link") == 302
    assert f"http://testserver{seat_page(game)}" in page_of(game, leaver, "hand-over/")
    assert f"{leaver} offers their seat" in page_of(game, other)
    assert offer_of(game).key not in page_of(game, other)
    clock.move_on(hours=1)
    for _press in range(2):
        assert client_of(friend).post(seat_page(game)).status_code == 302
    assert "If nobody objects" in client_of(friend).get(seat_page(game)).text
    assert f"Noor wants the seat of {leaver}" in page_of(game, other, "text/")
    assert Notification.objects.filter(kind=Kind.SEAT).count() == 2
    assert client_of(other).post(seat_page(game)).status_code == 409

    clock.move_on(hours=22)
    sweep_and_work(monkeypatch)
    assert mover(game) == leaver
    clock.move_on(hours=0.5 if pace else 2.5)
    if pace:
        # The bank of the day runs while the seat is offered: the leaver moves, and keeps the seat alive.
        play_one(game)
        clock.move_on(hours=2)
    sweep_and_work(monkeypatch)
    names = [seat.name for seat in game.seats.select_related("user")]
    assert "Noor" in names
    assert str(leaver) not in names
    assert_projections_are_right()
    assert f"{leaver} handed the seat over to Noor" in page_of(game, other)
    assert f"{leaver} played until action" in page_of(game, other)
    assert client_of(leaver).post(
        f"/g/{game.key}/play/", {**legal_fields(game), "number": fresh(game).version + 1}
    ).status_code in (400, 403)

    if pace:
        for seat in game.seats.exclude(user=friend):
            resign_for(fresh(game), seat, "time")
    while fresh(game).is_running:
        clock.move_on(minutes=1)
        play_one(game, rng)
    assert_projections_are_right()
    assert Attendance.objects.get(game=game, user=leaver).has_finished
    assert Attendance.objects.get(game=game, user=friend).has_finished
    assert Attendance.objects.filter(game=game).count() == 4
    assert not game.seat_offers.running().exists()
    record = client_of(friend).get(f"/g/{game.key}/record.json").json()
    assert {"player": "Noor", "former": str(leaver), "reason": "hand"}.items() <= record["seat_changes"][
        -1
    ].items()


def test_another_player_objects_and_the_seat_stays(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, ines, tobias, mina = game_of_three("day", is_public=True)
    stranger = person("Noor")
    assert post(ines, game, do="everybody") == 302
    assert "The seat of Ines" in without_marks(client_of(stranger).get("/").text)
    assert "The seat of Ines" in without_marks(Client().get("/").text)
    assert "The seat of Ines" not in without_marks(client_of(tobias).get("/").text)
    client_of(stranger).post(seat_page(game))
    assert "The seat of Ines" not in client_of(person("Otto")).get("/").text
    offer = offer_of(game).pk
    assert post(ines, game, do="object", offer=offer) == 409
    assert post(stranger, game, do="object", offer=offer) == 403
    assert post(None, game, do="object", offer=offer) == 302
    assert post(mina, game, do="object") == 400
    for _press in range(2):
        assert post(mina, game, do="object", offer=offer) == 302
    assert offer_of(game).outcome == SeatOffer.Outcome.OBJECTED
    assert client_of(person("Paul")).post(seat_page(game)).status_code == 409
    objected = without_marks(client_of(stranger).get(seat_page(game)).text)
    assert "A player objected, so Ines plays on." in objected
    assert "You start with the full time" not in objected
    assert post(ines, game, do="link") == 409
    clock.move_on(hours=25)
    sweep_and_work(monkeypatch)
    assert game.seats.filter(user=ines).exists()
    assert not SeatChange.objects.filter(reason="hand").exists()
    assert post(ines, game, do="link") == 302
    assert post(ines, game, do="withdraw") == 302
    assert "not free any more" in client_of(stranger).get(seat_page(game)).text


def test_against_bots_a_guest_gets_the_seat_immediately_and_nothing_of_the_former_player() -> None:
    ines = person("Ines")
    game = game_of(ines, bots=("easy",), is_public=False)
    notes.keep_note(game.key, ines, "My secret note")
    assert post(ines, game, do="everybody") == 409
    assert post(ines, game, do="link") == 302
    assert client_of(ines).post(seat_page(game)).status_code == 409
    visitor = Client()
    page = visitor.get(seat_page(game)).text
    assert "Take the seat as a guest" in page
    request_id = re.search(r'name="request_id" value="([^"]+)"', page)
    assert request_id
    assert visitor.post(seat_page(game), {"log_in": ""}).url.startswith("/account/login/")
    assert visitor.post(seat_page(game), {"request_id": request_id.group(1)}).url == f"/g/{game.key}/"
    seat = game.seats.select_related("user").get(bot="")
    assert seat.is_of_guest
    assert not Notification.objects.pending().filter(user=ines).exists()
    assert not Plan.objects.filter(game=game).exists()
    assert "My secret note" not in visitor.get(f"/g/{game.key}/").text
    page = without_marks(visitor.get(f"/g/{game.key}/").text)
    assert "Ines handed the seat over to you" in page
    assert "played until action" not in page, "Ines has not moved"
    assert client_of(ines).get(f"/g/{game.key}/hand-over/").status_code == 302
    assert_projections_are_right()


def test_an_offer_lapses_when_its_player_resigns() -> None:
    game, ines, tobias, _mina = game_of_three()
    hand_overs.offer(game.key, ines, is_public=False)
    hand_overs.offer(game.key, tobias, is_public=False)
    resign_for(fresh(game), game.seats.get(user=ines), "time")
    assert [offer.offered_by for offer in game.seat_offers.running()] == [tobias]
    gone = game.seat_offers.get(seat=0)
    assert client_of(person("Noor")).post(f"/seats/{gone.key}/").status_code == 409


def test_earlier_actions_keep_the_name_of_who_made_them(
    clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, *_people = game_of_three()
    leaver = mover(game)
    play_one(game)
    hand_overs.offer(game.key, leaver, is_public=False)
    hand_overs.take(offer_of(game).key, person("Noor"))
    clock.move_on(days=1, minutes=1)
    sweep_and_work(monkeypatch)
    other, took = mover(game), f"{leaver} took"
    seat = game.seats.get(user=other).number
    assert other.username not in (leaver.username, "Noor")
    for path in ("", "?at=1", f"displays/{seat}/?at=1", "text/", "text/?at=1"):
        page = re.sub(r"<[^>]+>", "", page_of(game, other, path))
        assert took in page, path
        assert "Noor took" not in page, path
    mail = str(turn_mail(fresh(game), other).body)
    assert took in mail
    assert "Noor took" not in mail


def test_the_review_names_who_made_each_action(clock: FrozenClock, monkeypatch: pytest.MonkeyPatch) -> None:
    game, *_people = game_of_three()
    leaver, seat = mover(game), fresh(game).to_move
    play_one(game)
    hand_overs.offer(game.key, leaver, is_public=False)
    hand_overs.take(offer_of(game).key, person("Noor"))
    clock.move_on(days=1, minutes=1)
    sweep_and_work(monkeypatch)
    play_out(game)
    review_of(fresh(game), samples=2)
    page = re.sub(r"<[^>]+>", " ", page_of(game, person("Visitor"), "review/"))
    rows = dict(re.findall(rf"\b(\d+)\s+({leaver}|Noor):", re.sub(r"\s+", " ", page)))
    own = [
        str(number) for number, action in enumerate(game.actions.order_by("number"), 1) if action.seat == seat
    ]
    assert rows == {number: str(leaver) if number == "1" else "Noor" for number in own}
    assert f"{leaver} and " not in page.split("Key actions of")[0], "the result belongs to the new player"


def test_who_has_taken_a_seat_can_give_it_up_before_it_is_theirs(clock: FrozenClock) -> None:
    game, ines, tobias, _mina = game_of_three(is_public=True, pace="day")
    noor, lena = client_of(person("Noor")), client_of(person("Lena"))
    post(ines, game, do="everybody")
    first = seat_page(game)
    noor.post(first)
    assert "Don't take the seat" in unescape(noor.get(first).text)
    assert "Don't take the seat" not in unescape(lena.get(first).text)
    assert lena.post(first, {"do": "give_up"}).status_code == 409
    assert offer_of(game).taker == User.objects.get(username="Noor"), "only the taker can"
    for _press in range(2):
        page = noor.post(first, {"do": "give_up"}, follow=True).text
        assert "It is free again." in page
    assert f"{ines} offers their seat" in page_of(game, tobias)
    assert game.seat_offers.count() == 2
    again = seat_page(game)
    assert again != first
    refused = noor.post(again)
    assert refused.status_code == 409
    assert "You can take it again after a day." in refused.text
    lena.post(again)
    assert f"Lena wants the seat of {ines}" in page_of(game, tobias)
    clock.move_on(days=2)
    finish_hand_over(offer_of(game).pk)
    assert "Lena" in {seat.name for seat in game.seats.select_related("user")}
    refused = lena.post(again, {"do": "give_up"})
    assert refused.status_code == 409
    assert "The seat is yours now." in refused.text
    assert client_of(tobias).post("/seats/AAAAAAAAAAAA/", {"do": "give_up"}).status_code == 404
