"""The chat of a game: who reads and writes it, what is unread, and whose lines are hidden."""

import re
import uuid
from datetime import timedelta

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import LONGEST_LINE, ChatLine, Game, Seat, TrailEntry
from games.queries.chat import chat_of
from games.queries.lists import lobby
from games.services import tables
from games.services.errors import Refused, TooOften
from games.services.talk import chat
from tests.clients import HTMX, client_of
from tests.play import fresh, game_of, person, play_one, play_out, solo_of

pytestmark = pytest.mark.django_db


def write(game: Game, user: User, text: str) -> ChatLine:
    chat.write(game.key, user, text, uuid.uuid4())
    return ChatLine.objects.latest("pk")


def post(user: User, game: Game, text: str, **more: str) -> tuple[int, str]:
    """Post a line without scripts; return the status and where the answer leads."""
    fields = {"text": text, "request_id": str(uuid.uuid4()), **more}
    response = client_of(user).post(f"/g/{game.key}/chat/", fields)
    return response.status_code, response.headers.get("Location", "")


def texts(game: Game, viewer: User) -> list[str]:
    shown = chat_of(fresh(game), viewer)
    return [line.text for line in shown.lines] if shown else []


def unread(game: Game, viewer: User) -> int:
    shown = chat_of(fresh(game), viewer)
    assert shown is not None
    return shown.unread


def test_players_write_and_read_on_the_page_and_in_the_text_mode(
    game: Game, ines: User, tobias: User
) -> None:
    board = f"/g/{game.key}/"
    assert post(ines, game, "Good  luck,\nhave fun") == (302, f"{board}#chat-lines")
    assert post(tobias, game, "You too", text_mode="1") == (302, f"{board}text/#chat-lines")
    for path in (board, f"{board}text/", f"{board}chat/"):
        page = client_of(tobias).get(path).text
        assert page.index("Good luck, have fun") < page.index("You too")


def test_a_line_is_stored_once(game: Game, ines: User) -> None:
    once = str(uuid.uuid4())
    for _press in range(2):
        post(ines, game, "Hello", request_id=once)
    assert ChatLine.objects.count() == 1


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_another_line_from_the_same_page_is_refused_and_kept_in_the_form(
    game: Game, ines: User, headers: dict[str, str]
) -> None:
    client, address, once = client_of(ines), f"/g/{game.key}/chat/", str(uuid.uuid4())
    client.post(address, {"text": "Hello", "request_id": once}, headers=headers)
    page = client.post(address, {"text": "How are you?", "request_id": once}, headers=headers)
    assert page.status_code == 409
    form = BeautifulSoup(page.text, "html.parser").select_one(".chat__form")
    assert form
    fields = {field["name"]: field["value"] for field in form.select("input[name]")}
    assert fields["text"] == "How are you?"
    client.post(address, fields, headers=headers)
    assert texts(game, ines) == ["Hello", "How are you?"]


def test_a_refused_line_of_the_text_mode_leads_back_to_it(game: Game, ines: User) -> None:
    client, address, text = client_of(ines), f"/g/{game.key}/chat/", f"/g/{game.key}/text/"
    refused = client.post(address, {"text": " ", "request_id": str(uuid.uuid4()), "text_mode": "1"})
    page = BeautifulSoup(refused.text, "html.parser")
    assert page.select(f'main a[href="{text}"]')
    fields = {field["name"]: field["value"] for field in page.select(".chat__form input[name]")}
    assert client.post(address, fields | {"text": "Hello"})["Location"] == f"{text}#chat-lines"


@pytest.mark.parametrize("text", ["", "   ", "x" * 501])
def test_a_line_without_text_or_with_too_much_is_refused_and_kept_in_the_form(
    game: Game, ines: User, text: str
) -> None:
    fields = {"text": text, "request_id": str(uuid.uuid4())}
    response = client_of(ines).post(f"/g/{game.key}/chat/", fields, headers=HTMX)
    assert response.status_code == 400
    assert 'role="alert"' in response.text
    assert f'value="{text}"' in response.text
    assert not ChatLine.objects.exists()


def test_the_longest_line_is_stored(game: Game, ines: User) -> None:
    assert f'maxlength="{LONGEST_LINE}"' in client_of(ines).get(f"/g/{game.key}/chat/").text
    assert post(ines, game, "x" * LONGEST_LINE)[0] == 302


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "javascript:alert(1)",
        "https://example.org/\"onmouseover='alert(1)'",
        "https://example.org/<svg/onload=alert(1)>",
        "data:text/html,<script>alert(1)</script>",
        "www.example.org/&quot;onclick=alert(1)",
    ],
)
def test_no_line_becomes_a_script_or_an_attribute(game: Game, ines: User, text: str) -> None:
    write(game, ines, text)
    lines = client_of(ines).get(f"/g/{game.key}/chat/?line=0", headers=HTMX).text
    for danger in ("<script", "<img", "<svg/", 'href="javascript', 'href="data', '"onmouseover', '"onclick'):
        assert danger not in lines


def test_links_to_the_web_are_links_that_give_nothing_away(game: Game, ines: User) -> None:
    write(game, ines, "See https://example.org/a?b=1&c=2.")
    lines = client_of(ines).get(f"/g/{game.key}/chat/", headers=HTMX).text
    assert (
        '<a href="https://example.org/a?b=1&amp;c=2" rel="nofollow ugc noopener noreferrer">'
        "https://example.org/a?b=1&amp;c=2</a>." in lines
    )


def test_a_line_that_names_an_action_leads_to_it(game: Game, ines: User) -> None:
    play_one(game)
    play_one(game)
    write(game, ines, "Action 1, <b>action 2</b> or action 3? See https://example.org/action 1")
    lines = client_of(ines).get(f"/g/{game.key}/chat/", headers=HTMX).text
    assert f'<a href="/g/{game.key}/?at=1">Action 1</a>,' in lines
    assert f'&lt;b&gt;<a href="/g/{game.key}/?at=2">action 2</a>&lt;/b&gt; or action 3?' in lines
    assert ">https://example.org/action</a> 1" in lines
    text = client_of(ines).get(f"/g/{game.key}/text/").text
    assert f'<a href="/g/{game.key}/text/?at=1">Action 1</a>' in text


def test_a_person_writes_twenty_lines_an_hour_in_all_games(game: Game, ines: User, tobias: User) -> None:
    other = game_of(ines, tobias)
    for number in range(20):
        write(game if number % 2 else other, ines, f"Line {number}")
    with pytest.raises(TooOften):
        write(game, ines, "One more")
    response = client_of(ines).post(
        f"/g/{game.key}/chat/", {"text": "One more", "request_id": str(uuid.uuid4())}
    )
    assert response.status_code == 429
    assert 3500 < int(response["Retry-After"]) <= 3600
    assert "within an hour. Please try again in 60 minutes." in response.text
    assert "Retry-After" not in client_of(ines).get(f"/g/{game.key}/chat/")
    assert 'value="One more"' in response.text
    write(game, tobias, "I still can")
    ChatLine.objects.update(written_at=timezone.now() - timedelta(hours=1))
    write(game, ines, "An hour later")


@pytest.mark.parametrize("is_public", [True, False])
def test_spectators_read_the_chat_of_a_public_game_after_its_end(
    ines: User, tobias: User, *, is_public: bool
) -> None:
    game, spectator = game_of(ines, tobias, is_public=is_public), client_of(person("Noor"))
    write(game, ines, "secret plan")
    pages = [f"/g/{game.key}/", f"/g/{game.key}/text/", f"/g/{game.key}/chat/"]
    for client in (Client(), spectator):
        assert not any("secret plan" in client.get(page).text for page in pages)
        assert client.get(f"/g/{game.key}/chat/", headers=HTMX).text.strip() == ""
    play_out(game)
    for client in (Client(), spectator):
        assert all(("secret plan" in client.get(page).text) == is_public for page in pages)
    assert post(person("Mina"), game, "Hi")[0] == 302
    assert game.chat_lines.count() == 1


def test_guests_read_and_are_told_how_to_write(ines: User) -> None:
    guest = User.objects.create(username="Lucky Comet", is_guest=True)
    game = game_of(ines, guest)
    write(game, ines, "Welcome")
    page = client_of(guest).get(f"/g/{game.key}/").text
    assert "Welcome" in page
    assert "Only people with an account write here" in page
    assert re.search(r'\?next=[^>]*" target="_blank">', page), "the clock of the game goes on"
    assert 'id="chat-text"' not in page
    with pytest.raises(Refused, match="Guests can't write"):
        write(game, guest, "Hi")


def test_players_of_a_table_chat_before_the_start(ines: User, tobias: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace="slow"))
    assert 'id="chat"' not in client_of(ines).get(f"/g/{table.key}/").text, "nobody would answer"
    tables.join(table.key, tobias)
    write(table, tobias, "Hi Ines")
    assert "Hi Ines" in client_of(ines).get(f"/g/{table.key}/").text
    assert "Hi Ines" not in client_of(person("Noor")).get(f"/g/{table.key}/").text
    tables.leave(table.key, tobias)
    assert "Hi Ines" not in client_of(tobias).get(f"/g/{table.key}/").text


def test_games_with_bots_and_solo_games_have_no_chat(ines: User) -> None:
    for game in (game_of(ines, bots=("easy",)), solo_of(ines)):
        assert chat_of(game, ines) is None
    with pytest.raises(Refused):
        write(solo_of(ines), ines, "Hello me")


def test_lines_are_unread_until_their_reader_has_seen_them(game: Game, ines: User, tobias: User) -> None:
    write(game, ines, "One")
    line = write(game, ines, "Two")
    assert (unread(game, ines), unread(game, tobias)) == (0, 2)
    row = next(iter([*lobby(tobias).my_turn, *lobby(tobias).waiting]))
    assert row.unread == 2
    assert "New lines in the chat:" in client_of(tobias).get("/").text
    client_of(tobias).post(f"/g/{game.key}/chat/read/", {"line": line.pk})
    assert unread(game, tobias) == 0
    assert "New lines in the chat:" not in client_of(tobias).get("/").text
    # The number of a line that does not exist yet hides no later line.
    client_of(tobias).post(f"/g/{game.key}/chat/read/", {"line": line.pk + 1000})
    write(game, ines, "Three")
    assert unread(game, tobias) == 1


def test_the_list_of_finished_games_shows_unread_lines_too(game: Game, ines: User, tobias: User) -> None:
    play_out(game)
    write(game, ines, "Well played")
    for reader, count in ((ines, 0), (tobias, 1)):
        assert client_of(reader).get("/finished/").text.count("New lines in the chat:") == count


def test_the_lines_of_a_muted_person_are_hidden_in_all_games(game: Game, ines: User, tobias: User) -> None:
    rude, other = person("Rude"), game_of(ines, tobias)
    with_rude = game_of(tobias, rude)
    client = client_of(tobias)
    write(with_rude, rude, "Something rude")
    response = client.post("/people/Rude/mute/", {"is_muted": "True", "game": with_rude.key})
    assert response.headers["Location"] == with_rude.get_absolute_url()
    write(with_rude, rude, "More")
    write(other, ines, "Something kind")
    assert (texts(with_rude, tobias), unread(with_rude, tobias)) == ([], 0)
    assert texts(other, tobias) == ["Something kind"]
    assert texts(with_rude, rude) == ["Something rude", "More"]
    assert [row.unread for row in lobby(tobias).my_turn if row.key == with_rude.key] in ([], [0])
    client.post("/people/Rude/mute/", {"is_muted": "False"})
    assert texts(with_rude, tobias) == ["Something rude", "More"]


def test_the_lines_of_a_deleted_account_stay_without_its_name(game: Game, ines: User, tobias: User) -> None:
    write(game, tobias, "Bye")
    chat.mute(ines, person("Noor"), is_muted=True)
    tobias.delete()
    shown = chat_of(fresh(game), ines)
    assert shown is not None
    assert [(line.author, line.text) for line in shown.lines] == [("a former player", "Bye")]
    assert shown.unread == 1


def test_an_administrator_removes_a_line_and_its_author_does_not(game: Game, ines: User) -> None:
    line = write(game, ines, "Something rude")
    address = f"/admin/games/chatline/{line.pk}/delete/"
    assert client_of(ines).post(address, {"post": "yes"}).status_code == 302
    assert texts(game, ines) == ["Something rude"]
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    client_of(keeper).post(address, {"post": "yes"})
    assert texts(game, ines) == []
    others = [write(game, ines, text).pk for text in ("Another one", "A third one")]
    ChatLine.objects.filter(pk=others[1]).update(author=None)
    selected = {"action": "delete_selected", "_selected_action": others, "post": "yes"}
    client_of(keeper).post("/admin/games/chatline/", selected)
    assert texts(game, ines) == []
    entries = TrailEntry.objects.filter(action="del_line").order_by("-subject")
    assert list(entries.values_list("actor", "subject")) == [
        *[(keeper.pk, ines.pk)] * 2,
        (keeper.pk, 0),
    ], "in the trail"


def test_a_page_of_a_player_polls_for_the_newest_line(game: Game, ines: User, tobias: User) -> None:
    line = write(game, ines, "Hello")
    address = f"/g/{game.key}/version/"
    assert client_of(tobias).get(address).json()["chat"] == line.pk
    assert "chat" not in client_of(person("Noor")).get(address).json()
    assert "chat" not in Client().get(address).json()
    assert Seat.objects.get(game=game, user=tobias).chat_read_to == 0


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("e\u0301te\u0301", "\u00e9t\u00e9"),
        ("left \u202eright", "left right"),
        ("\u2067abc\u2069 def", "abc def"),
        ("\u05d0\u200f!", "\u05d0\u200f!"),
        ("Z" + 99 * "\u0301", "\u0179" + 4 * "\u0301"),
        (500 * "\u0958", 500 * "\u0915\u093c"),
    ],
)
def test_lines_are_composed_and_turn_nothing_around(game: Game, ines: User, typed: str, stored: str) -> None:
    assert post(ines, game, typed)[0] == 302
    assert ChatLine.objects.get().text == stored[:500], "a composed text can be longer"


def test_a_line_of_nothing_to_see_is_refused(game: Game, ines: User) -> None:
    post(ines, game, "\u202e\u200b \u2067")
    assert not ChatLine.objects.exists()
