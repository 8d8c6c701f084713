"""Nobody chooses a deal, as anybody can check, and it is secret until its last game is over."""

import re
import uuid
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from docs.check_deal import problem_of
from games.log.deals import matches_commitment, mixed_deal
from games.models import Deal, Game
from games.novaluna.engine import TILES
from games.novaluna.rules import NovaLunaRules
from games.services import deals, invitations, tables
from games.services.solo import daily
from games.services.solo.expert_games import play_same_deal
from tests.clients import client_of
from tests.frozen import frozen_clock
from tests.games.views.checked import NONCE, OTHER, record_of, shown_on
from tests.play import fresh, game_of, person, play_out, solo_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("true_deals")]


def table_of(opener: str = "Ines", seats: int = 2, nonce: str = "") -> Game:
    return tables.open_table(person(opener), tables.TableOptions(seats), nonce=nonce)


def deal_with(secret: str, *nonces: str) -> dict[str, Any]:
    return dict(mixed_deal(NovaLunaRules(), secret, nonces, {}))


def commitment_in(client: Client, path: str, action: str) -> tuple[str, str]:
    """Return the request id and the commitment in the form of a page with this action."""
    form = client.get(path).text.split(f'action="{action}"')[1].split("</form>")[0]
    found = re.search(r'name="request_id" value="([^"]*)".*?data-commitment="(\w+)"', form, re.DOTALL)
    assert found
    return found[1], found[2]


def test_the_site_commits_before_anybody_else_joins_and_mixes_in_every_nonce() -> None:
    table = table_of(nonce=NONCE)
    committed = fresh(table).deal
    assert (committed.dealt, committed.deck, committed.nonces) == (None, [], None)
    for path in ("", "deal/"):
        page = Client().get(f"/g/{table.key}/{path}").text
        assert committed.commitment in page
        assert committed.salt not in page
    client_of(person("Tobias")).post(f"/g/{table.key}/join/", {"nonce": OTHER})
    deal = fresh(table).deal
    assert (deal.pk, deal.commitment, deal.salt) == (committed.pk, committed.commitment, committed.salt)
    assert deal.nonces == [NONCE, OTHER]
    assert deal.dealt == mixed_deal(NovaLunaRules(), deal.salt, [NONCE, OTHER], {})
    assert sorted(deal.dealt["deck"]) == sorted(TILES)


def test_each_nonce_changes_the_deal() -> None:
    dealt = [deal_with("5ec2e7", *nonces) for nonces in ([NONCE, OTHER], [OTHER, NONCE], [NONCE, ""])]
    assert len({tuple(deal["deck"]) for deal in dealt}) == 3
    orders = {tuple(deal_with(str(number), "", "")["start_order"]) for number in range(20)}
    assert orders == {(0, 1), (1, 0)}


def test_a_player_sees_their_nonce_and_who_made_it() -> None:
    table = table_of(seats=3, nonce=NONCE)
    client_of(person("Tobias")).post(f"/g/{table.key}/join/", {"nonce": "not a nonce"})
    made_by_site = table.seats.get(number=1).nonce
    assert re.fullmatch(r"[0-9a-f]{32}", made_by_site)
    page = client_of(table.opened_by).get(f"/g/{table.key}/deal/").text
    assert shown_on(page) == [fresh(table).deal.commitment, NONCE, made_by_site]
    assert page.count("made by the player&#x27;s browser") + page.count("made by the player's browser") == 1
    assert page.count("made by the site, because") == 1
    assert "when somebody takes the seat" in page
    table_of_opener = client_of(table.opened_by).get(f"/g/{table.key}/").text
    assert shown_on(table_of_opener) == [fresh(table).deal.commitment, NONCE]
    assert NONCE not in Client().get(f"/g/{table.key}/").text


def test_bots_have_no_nonce() -> None:
    table = table_of(seats=3, nonce=NONCE)
    tables.add_bots(table.key, table.opened_by, "easy")
    deal = fresh(table).deal
    assert deal.nonces == [NONCE, "", ""]
    assert matches_commitment(fresh(table))
    assert "none: a bot has this seat" in Client().get(f"/g/{table.key}/deal/").text


def test_somebody_who_leaves_takes_their_nonce_away_and_returns_with_another_one() -> None:
    table, tobias = table_of(seats=3, nonce=NONCE), person("Tobias")
    client = client_of(tobias)
    client.post(f"/g/{table.key}/join/", {"nonce": OTHER})
    client.post(f"/g/{table.key}/leave/")
    assert OTHER not in client.get(f"/g/{table.key}/deal/").text
    client.post(f"/g/{table.key}/join/", {"nonce": "ab" * 16})
    tables.join(table.key, person("Mina"))
    assert fresh(table).deal.nonces[:2] == [NONCE, "ab" * 16]
    assert matches_commitment(fresh(table))


def test_joining_twice_keeps_the_first_nonce() -> None:
    table, client = table_of(seats=3), client_of(person("Tobias"))
    for nonce in (NONCE, OTHER):
        client.post(f"/g/{table.key}/join/", {"nonce": nonce})
    assert table.seats.get(number=1).nonce == NONCE


def test_a_person_who_accepts_by_mail_has_a_nonce_of_the_site() -> None:
    table, tobias = table_of(nonce=NONCE), person("Tobias")
    invitations.invite(table.key, table.opened_by, tobias)
    invitations.accept_by_mail(table, tobias, "")
    seat = table.seats.get(user=tobias)
    assert len(seat.nonce) == 32
    assert not seat.has_own_nonce
    assert fresh(table).deal.nonces == [NONCE, seat.nonce]


def test_a_visitor_who_logs_in_to_sit_down_brings_the_nonce_of_the_form() -> None:
    table, client = table_of(seats=3), Client()
    person("Tobias")
    page = client.post(f"/g/{table.key}/join/", {"nonce": NONCE, "log_in": "1"}, follow=True)
    login = {"login": "Tobias", "password": "moon-and-stars-17", "next": table.get_absolute_url()}
    client.post(page.redirect_chain[-1][0], login)
    seat = table.seats.get(number=1)
    assert (seat.nonce, seat.has_own_nonce) == (NONCE, True)


@pytest.mark.parametrize(
    ("path", "action", "fields"),
    [
        ("/", "/play/", {}),
        ("/solo/", "/solo/start/", {}),
        ("/new/", "/new/", {"opponents": "bots", "level": "easy", "seat_count": 3}),
        ("/new/", "/new/", {"opponents": "people", "level": "easy", "seat_count": 3}),
    ],
)
def test_the_form_that_opens_a_table_has_the_commitment_already(
    path: str, action: str, fields: dict[str, object]
) -> None:
    client = client_of(person("Ines"))
    request_id, commitment = commitment_in(client, path, action)
    answer = client.post(action, {"request_id": request_id, "nonce": NONCE, **fields})
    assert answer.status_code == 302
    game = Game.objects.get()
    assert game.deal.commitment == commitment
    assert game.seats.get(number=0).nonce == NONCE
    assert matches_commitment(game)


def test_a_guest_who_plays_now_mixes_in_a_nonce_of_their_own() -> None:
    guest = Client()
    request_id, commitment = commitment_in(guest, "/", "/play/")
    guest.post("/play/", {"request_id": request_id, "nonce": NONCE})
    game = Game.objects.get()
    assert game.deal.commitment == commitment
    assert game.deal.nonces == [NONCE, ""]


def test_the_form_for_a_rematch_has_the_commitment_already() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = play_out(game_of(ines, tobias))
    form = client_of(ines).get(game.get_absolute_url()).text.split(f'action="/g/{game.key}/rematch/"')[1]
    [commitment] = re.findall(r'data-commitment="(\w+)"', form.split("</form>")[0])
    client_of(ines).post(f"/g/{game.key}/rematch/", {"nonce": NONCE})
    client_of(tobias).post(f"/g/{game.key}/rematch/", {"nonce": OTHER})
    again = Game.objects.get(rematch_of=game)
    assert again.is_running
    assert again.deal.commitment == commitment
    assert sorted(again.deal.nonces) == sorted([NONCE, OTHER])


@pytest.mark.databases
def test_a_secret_is_used_for_one_deal() -> None:
    """Somebody who knows the secret of a finished game cannot get it again with the same form."""
    request_id = uuid.uuid4()
    first = tables.open_solo(person("Ines"), request_id, nonce=NONCE)
    second = tables.open_solo(person("Tobias"), request_id, nonce=NONCE)
    assert first.deal.salt != second.deal.salt
    assert first.deal.dealt["deck"] != second.deal.dealt["deck"]


def test_the_secret_depends_on_the_secret_key_of_the_site(settings: Settings) -> None:
    request_id = uuid.uuid4()
    first = deals.secret_for(str(request_id))
    settings.SECRET_KEY = "another"
    assert deals.secret_for(str(request_id)) != first


@pytest.mark.databases
def test_closing_a_table_removes_its_deal() -> None:
    table = table_of()
    tables.close(table.key, table.opened_by)
    assert not Deal.objects.exists()


def test_a_table_from_before_mixed_deals_keeps_the_rule_of_the_site() -> None:
    table = table_of()
    table.seats.update(nonce="")
    Game.objects.filter(pk=table.pk).update(deal=None)
    assert Client().get(f"/g/{table.key}/deal/").status_code == 404
    assert Client().get(f"/g/{table.key}/").status_code == 200
    client_of(person("Tobias")).post(f"/g/{table.key}/join/", {"nonce": NONCE})
    game = fresh(table)
    assert game.deal.rule == Deal.Rule.DRAWN
    assert not game.seats.exclude(nonce="").exists()
    assert "the server shuffled the 68 tiles" in Client().get(f"/g/{game.key}/deal/").text
    record = record_of(game)
    assert record["deal_rule"] == Deal.Rule.DRAWN
    assert problem_of(record) is None


def test_the_daily_deal_has_no_nonce_and_says_why() -> None:
    with frozen_clock() as clock:
        game = daily.begin(person("Ines"), clock.now.date())
        assert game.deal.rule == Deal.Rule.DRAWN
        assert game.seats.get().nonce == ""
        page = client_of(game.opened_by).get(f"/g/{game.key}/deal/").text
        assert "You have to trust that the site" in page
        assert "Here nobody can" in Client().get("/daily/").text


def test_the_commitment_is_shown_from_the_start(game: Game) -> None:
    page = Client().get(f"/g/{game.key}/deal/").text
    assert fresh(game).deal.commitment in page
    assert fresh(game).deal.salt not in page


@pytest.mark.parametrize("who", ["nobody", "opener", "other", "administrator"])
def test_no_page_of_a_table_shows_its_secret(who: str) -> None:
    table, tobias = table_of(seats=3, nonce=NONCE), person("Tobias")
    tables.join(table.key, tobias, nonce=OTHER)
    client = Client()
    if who != "nobody":
        table.opened_by.is_superuser = table.opened_by.is_staff = who == "administrator"
        table.opened_by.save()
        client = client_of(tobias if who == "other" else table.opened_by)
    pages = ("", "deal/", "record.json", "text/", "review/", "chat/", "display/0/")
    paths = ["/", *(f"/g/{table.key}/{part}" for part in pages)]
    if who == "administrator":
        paths += ["/admin/games/game/", f"/admin/games/game/{table.pk}/change/"]
    shown = {path: set(shown_on(client.get(path, follow=True).content.decode())) for path in paths}
    deal = fresh(table).deal
    assert deal.commitment in shown[f"/g/{table.key}/deal/"], "the walk reaches the page of the deal"
    assert [path for path in paths if deal.salt in shown[path]] == []


def test_a_deal_shared_by_two_games_stays_secret_until_both_are_over() -> None:
    first, second = solo_of(person("Ines")), solo_of(person("Tobias"))
    Game.objects.filter(pk=second.pk).update(deal=first.deal)
    play_out(first)
    assert first.deal.salt not in Client().get(f"/g/{first.key}/deal/").text
    assert Client().get(f"/g/{first.key}/record.json").status_code == 409
    play_out(second)
    assert first.deal.salt in Client().get(f"/g/{first.key}/deal/").text


def test_the_experts_game_on_a_deal_shows_the_nonce_of_the_first_game() -> None:
    ines = person("Ines")
    game = play_out(tables.open_solo(ines, nonce=NONCE))
    expert = play_same_deal(game.key, ines)
    page = Client().get(f"/g/{expert.key}/deal/").text
    assert shown_on(page)[:2] == [fresh(game).deal.commitment, NONCE]
    assert "of the first game on this deal" in page


def test_a_table_has_no_record() -> None:
    assert Client().get(f"/g/{table_of().key}/record.json").status_code == 409


def test_verify_deal_checks_a_table_too() -> None:
    table, out = table_of(), StringIO()
    call_command("verify_deal", table.key, stdout=out)
    assert "The secret matches its commitment" in out.getvalue()
    assert table.deal.salt not in out.getvalue()


def test_start_orders_and_decks_differ_from_game_to_game() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    games = [game_of(ines, tobias) for _game in range(12)]
    assert len({tuple(game.deal.dealt["deck"]) for game in games}) == 12
    assert {tuple(game.deal.dealt["start_order"]) for game in games} == {(0, 1), (1, 0)}
