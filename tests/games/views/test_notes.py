"""The private note of a player: kept for its writer, and unknown to everybody else."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, PrivateNote
from tests.clients import HTMX, client_of
from tests.play import person, play_out, solo_of
from tests.site.addresses import normalise
from tests.site.test_every_address import age

pytestmark = pytest.mark.django_db


def save(client: Client, game: Game, note: str, **more: str) -> tuple[int, str]:
    """Save a note without scripts; return the status and where the answer leads."""
    response = client.post(f"/g/{game.key}/note/", {"note": note, **more})
    return response.status_code, response.headers.get("Location", "")


def test_a_note_is_kept_and_shown_on_the_board_in_the_text_mode_and_with_the_review(
    game: Game, ines: User
) -> None:
    client, board = client_of(ines), f"/g/{game.key}/"
    assert save(client, game, "</textarea><script>") == (302, f"{board}#note")
    assert save(client, game, "Watch the blue 2", page="text") == (302, f"{board}text/#note")
    play_out(game)
    assert save(client, game, "Watch</textarea>\r\nthe 2", page="review") == (302, f"{board}review/#note")
    for path in (board, f"{board}text/", f"{board}review/"):
        assert "Watch&lt;/textarea&gt;\nthe 2</textarea>" in client.get(path).text
    assert save(client, game, "  ")[0] == 302
    assert not PrivateNote.objects.exists()


def test_scripts_save_a_note_and_show_that_it_is_saved(game: Game, ines: User) -> None:
    response = client_of(ines).post(f"/g/{game.key}/note/", {"note": "Later"}, headers=HTMX)
    assert response.text.strip().startswith("Saved.")
    assert PrivateNote.objects.get().text == "Later"


def test_a_note_has_at_most_5000_characters_with_its_line_breaks(game: Game, ines: User) -> None:
    client = client_of(ines)
    assert save(client, game, "x\r\n" * 2499 + "yz")[0] == 302
    kept = PrivateNote.objects.get().text
    assert len(kept) == 5000
    assert save(client, game, "x" * 5001)[0] == 400
    assert PrivateNote.objects.get().text == kept


def test_solo_players_keep_notes_and_spectators_do_not(game: Game, ines: User) -> None:
    solo = solo_of(ines)
    assert save(client_of(ines), solo, "Start in the middle")[0] == 302
    for client in (Client(), client_of(person("Noor"))):
        assert save(client, game, "Hello")[0] == 403
        assert 'id="note"' not in client.get(f"/g/{game.key}/").text
    assert PrivateNote.objects.count() == 1


def test_nobody_else_sees_that_there_is_a_note(game: Game, ines: User) -> None:
    age(play_out(game))
    writer = client_of(ines)
    keeper = User.objects.create_superuser("keeper", "keeper@example.org", "moon-and-stars-17")
    viewers = [Client(), client_of(User.objects.get(username="Tobias")), client_of(keeper)]
    parts = ("", "text/", "review/", "deal/", "record.json", "version/")
    paths = ["/", "/people/Ines/", *(f"/g/{game.key}/{part}" for part in parts)]
    admin = [f"/admin/games/game/{game.pk}/change/", f"/admin/accounts/user/{ines.pk}/change/", "/admin/"]

    def pages() -> list[bytes]:
        for client in viewers:
            for path in paths:
                client.get(path)  # The first visit of a page can store that it was seen.
        found = [normalise(client.get(path).content) for client in viewers for path in paths]
        return found + [normalise(viewers[-1].get(path).content) for path in admin]

    before = pages()
    save(writer, game, "A secret plan")
    assert pages() == before
    assert "A secret plan" in client_of(ines).get(f"/g/{game.key}/").text


def test_a_note_is_deleted_with_the_account(game: Game, ines: User) -> None:
    save(client_of(ines), game, "Later")
    ines.delete()
    assert not PrivateNote.objects.exists()
