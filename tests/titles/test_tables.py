"""Tables of a title with partners, which people open, join and arrange on the pages of the site."""

import re
import uuid
from io import StringIO

import pytest
from bs4 import BeautifulSoup
from django.core.management import call_command
from django.test import Client

from games.log.deals import mixed_deal
from games.models import Game
from games.services import deals, invitations, tables
from games.services.errors import Conflict, NotSeated
from tests.clients import client_of
from tests.play import fresh, person
from tests.titles.pairs.words import PairsWords

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs")]


def send_form(client: Client, **answers: object) -> int:
    """Send the form of a new table of Pairs for people, and return the status of the answer."""
    fields = {"request_id": str(uuid.uuid4()), "title": "pairs", "opponents": "people", "seat_count": 4}
    return client.post("/new/", {**fields, "level": "easy", "rounds": 3, "hand": 3, **answers}).status_code


def open_pairs(client: Client, **answers: object) -> Game:
    """Return the table of Pairs for people that a client opens by the form."""
    assert send_form(client, **answers) == 302
    return Game.objects.latest("pk")


def table_of(*names: str) -> Game:
    """Return a table of Pairs at which these people sit from seat 0 on."""
    opener, *others = [person(name) for name in names]
    table = tables.open_table(opener, tables.TableOptions(4, title="pairs"))
    for user in others:
        tables.join(table.key, user)
    return fresh(table)


def names_of(game: Game) -> list[str]:
    return [seat.user.username if seat.user else seat.bot for seat in game.seats.order_by("number")]


def test_four_open_a_table_choose_partners_and_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deals, "mixed_deal", mixed_deal)
    ines, tobias, guest = client_of(person("Ines")), client_of(person("Tobias")), Client()
    table = open_pairs(ines, rounds=2)
    assert (table.title, table.options, table.is_open) == ("pairs", {"rounds": 2, "hand": 3}, True)

    # Tobias would sit opposite Ines; he chooses to play against her.
    page = tobias.get(table.get_absolute_url()).text
    assert re.findall(r'name="seat" value="(\d)"( checked)?><span>(With|Against) ', page) == [
        ("2", "", "With"),
        ("1", " checked", "Against"),
    ]
    tobias.post(f"/g/{table.key}/join/", {"seat": 3})
    page = guest.get(table.get_absolute_url()).text
    assert 'name="seat" value="2"' in page
    joining = {"request_id": str(uuid.uuid4()), "seat": 2}
    assert guest.post(f"/g/{table.key}/join/", joining).status_code == 302
    ines.post(f"/g/{table.key}/bots/", {"level": "easy", "seat": 1})

    game = fresh(table)
    assert game.is_running
    [_ines, bot, second, fourth] = game.seats.order_by("number")
    assert (bot.bot, second.is_of_guest, fourth.user.username) == ("easy", True, "Tobias")
    assert game.deal.nonces == [seat.nonce for seat in game.seats.order_by("number")]
    assert len(game.deal.dealt["bonuses"]) == 2
    call_command("verify_deal", game.key, stdout=(out := StringIO()))
    assert "The deal matches its commitment." in out.getvalue()


def test_the_form_asks_what_the_title_asks() -> None:
    client = client_of(person("Ines"))
    first, page = client.get("/new/").text, client.get("/new/?title=pairs").text
    for shown in (first, page):
        assert 'href="/new/?title=pairs"' in shown
    assert 'name="beginner"' in first
    assert 'name="beginner"' not in page
    assert re.search(r'<input type="number" name="rounds" value="3" min="1" max="3"', page)
    assert re.search(r'<option value="3" selected>3</option>\s*<option value="10">10</option>', page)
    assert re.findall(r'name="seat_count" value="(\d)"', page) == ["4"]
    assert 'href="/duplicates/new/">duplicate match' in first
    assert 'href="/duplicates/new/?title=pairs">duplicate match' in page
    assert client.get("/new/?title=chess").status_code == 404


@pytest.mark.parametrize(
    ("answers", "options"),
    [
        ({"rounds": "", "hand": ""}, {"rounds": 3, "hand": 3}),
        ({"rounds": 1, "hand": 10}, {"rounds": 1, "hand": 10}),
        ({"rounds": 4}, None),
        ({"hand": 5}, None),
        ({"seat_count": 2}, None),
    ],
)
def test_only_possible_options_open_a_table(
    answers: dict[str, object], options: dict[str, object] | None
) -> None:
    client = client_of(person("Ines"))
    if options is not None:
        assert open_pairs(client, **answers).options == options
        return
    assert send_form(client, **answers) == 400
    assert not Game.objects.exists()


def test_lists_name_the_title_and_its_options() -> None:
    open_pairs(client_of(person("Ines")), rounds=2, is_public="on")
    home = client_of(person("Noor")).get("/").text
    assert "4\xa0players · Rounds: 2 · Cards in a hand: 3" in home
    assert "/join/" not in home, "the page of the table asks for the side first"


def test_pages_speak_of_the_title_and_its_deal() -> None:
    table = open_pairs(client_of(person("Ines")))
    page = Client().get(table.get_absolute_url()).text
    assert "to a game of Pairs" in page
    assert "New to the game?" not in page
    deal = Client().get(f"/g/{table.key}/deal/").text
    assert "everything random in it follows from the secret and all nonces" in deal
    for text in (page, deal):
        assert "tile" not in text.partition("<main")[2].partition("</main>")[0]


def test_the_opener_chooses_partners_and_others_take_free_seats() -> None:
    table = table_of("Ines", "Tobias", "Mina")
    ines, tobias, mina = (seat.user for seat in table.seats.filter(user__isnull=False).order_by("number"))
    page = client_of(ines).get(table.get_absolute_url()).text
    assert "Side 1" in page
    assert 'aria-label="Play with Tobias"' in page
    assert 'aria-label="Play with Mina"' not in page, "she is the partner already"
    client_of(ines).post(f"/g/{table.key}/swap/", {"number": 1, "other": 2})
    assert names_of(table) == ["Ines", "Mina", "Tobias", ""]

    assert "Sit here" in client_of(tobias).get(table.get_absolute_url()).text
    client_of(tobias).post(f"/g/{table.key}/swap/", {"number": 2, "other": 3})
    assert names_of(table) == ["Ines", "Mina", "", "Tobias"]
    for numbers in ((3, 0), (3, 1)):
        with pytest.raises(Conflict):
            tables.swap(table.key, tobias, *numbers)
    with pytest.raises(NotSeated):
        tables.swap(table.key, tobias, 0, 1)
    assert client_of(mina).post(f"/g/{table.key}/swap/", {"number": 1}).status_code == 400
    tables.join(table.key, person("Noor"))
    with pytest.raises(Conflict, match="has started"):
        tables.swap(table.key, ines, 0, 1)


def test_a_side_that_somebody_has_taken_is_refused() -> None:
    table = table_of("Ines", "Tobias")
    with pytest.raises(Conflict, match="choose again"):
        tables.join(table.key, person("Mina"), number=1)


def test_a_rematch_keeps_sides_and_options() -> None:
    table = table_of("Ines", "Tobias", "Mina")
    game = tables.join(table.key, noor := person("Noor"))
    Game.objects.filter(pk=game.pk).update(
        status=Game.Status.OVER, ending="rounds", options={"rounds": 1, "hand": 3}
    )
    again = tables.rematch(game.key, noor)
    assert (again.title, again.options) == ("pairs", {"rounds": 1, "hand": 3})
    for name in ("Ines", "Mina", "Tobias"):
        tables.rematch(game.key, game.seats.get(user__username=name).user)
    assert names_of(fresh(again)) == names_of(game)
    assert fresh(again).is_running


def test_every_row_of_a_table_names_its_title() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    tables.open_table(ines, tables.TableOptions(4, title="pairs", is_public=True, pace="slow"))
    table = tables.open_table(ines, tables.TableOptions(4, title="pairs"))
    invitations.invite(table.key, ines, tobias)
    for user in (ines, tobias):
        home = BeautifulSoup(client_of(user).get("/").text, "html.parser")
        assert [badge.text.strip() for badge in home.select("li.row .badge")] == ["Pairs", "Pairs"]


def test_a_guest_reads_once_what_the_title_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PairsWords, "introduction", "Pairs is a game of cards and partners.")
    page = Client().get(table_of("Ines").get_absolute_url()).text
    assert "Pairs is a game of cards and partners." in page
    assert page.count("or a few turns a day") == 1


def test_an_invitation_says_by_the_pace_whether_all_players_are_online_together() -> None:
    ines = person("Ines")
    pages = {
        pace: Client().get(tables.open_table(ines, tables.TableOptions(2, pace=pace)).get_absolute_url()).text
        for pace in ("live", "day")
    }
    assert "all players are online at the same time" in pages["live"]
    assert "turns a day" not in pages["live"]
    assert "do not have to be online at the same time" in pages["day"]
