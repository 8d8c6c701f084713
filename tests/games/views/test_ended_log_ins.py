"""The streams of a log-in end with it: an ended session learns nothing more about its person."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.clients import client_of, confirm_password
from tests.games.views.streams import LONGEST_DELAY, stream, stream_at
from tests.play import game_of, person, play_one


def end_from_elsewhere(ines: User, _here: Client) -> None:
    elsewhere = client_of(ines)
    elsewhere.get("/")
    elsewhere.post("/account/sessions/")


def change_password(ines: User, _here: Client) -> None:
    elsewhere = client_of(ines)
    confirm_password(elsewhere)
    new = "another-moon-18"
    fields = {"oldpassword": "moon-and-stars-17", "password1": new, "password2": new}
    assert elsewhere.post("/account/password/change/", fields).status_code == 302


def log_out(_ines: User, here: Client) -> None:
    here.post("/account/logout/")


def deactivate(ines: User, _here: Client) -> None:
    ines.is_active = False
    ines.save(update_fields=["is_active"])


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("end", [end_from_elsewhere, change_password, log_out, deactivate])
def test_the_streams_of_a_session_end_with_it_and_no_others(
    server: str, end: Callable[[User, Client], None]
) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game, here = game_of(ines, tobias), client_of(ines)
    here.get("/")
    with (
        stream(server, game, here) as board,
        stream_at(server, "/updates/stream/?lists", here) as home,
        stream(server, game, client_of(tobias)) as of_tobias,
    ):
        for page in (board, home, of_tobias):
            page.wait_for_turns()
        end(ines, here)
        for page in (board, home):
            page.wait_for_the_end(LONGEST_DELAY)
        play_one(game)
        of_tobias.wait_for("version 1", LONGEST_DELAY)
        assert not of_tobias.has_ended
        assert "version 1" not in board.events
