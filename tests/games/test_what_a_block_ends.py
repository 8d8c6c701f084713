"""What a block ends: what two people share and has not started, and that one follows the other."""

import re
from collections.abc import Callable
from unittest.mock import Mock

import pytest
from django.http import HttpResponse
from django.test import Client

from accounts.models import User
from games.models import Block, Follow, Game, Seat
from games.services import hand_overs, invitations, tables
from games.services.private import blocks
from games.services.tables import duplicates
from tests.clients import client_of
from tests.games.test_blocked_pair import open_table
from tests.play import game_of, person, play_out

pytestmark = pytest.mark.django_db


def sit_together(opener: User, other: User) -> None:
    tables.join(open_table(opener).key, other)


def enter_together(opener: User, other: User) -> None:
    match = duplicates.open_match(opener, 2, 2, pace=Game.Pace.SLOW, is_public=True)
    duplicates.enter(match.key, other)


def invite(opener: User, other: User) -> None:
    invitations.invite(open_table(opener).key, opener, other)


def invite_to_match(opener: User, other: User) -> None:
    match = duplicates.open_match(opener, 2, 2, pace=Game.Pace.SLOW, is_public=True)
    duplicates.invite(match.key, opener, other, lambda _match: None)


def test_a_block_is_stored_with_all_that_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """So a crash leaves no blocked pair at one table."""
    ines, tobias = person("Ines"), person("Tobias")
    sit_together(ines, tobias)
    monkeypatch.setattr(hand_overs, "keep_apart", Mock(side_effect=ZeroDivisionError))
    with pytest.raises(ZeroDivisionError):
        blocks.block(ines, tobias)
    assert not Block.objects.exists()
    assert Game.objects.with_seat_of(ines).with_seat_of(tobias).exists()


@pytest.mark.parametrize("meet", [sit_together, enter_together, invite, invite_to_match])
@pytest.mark.parametrize("is_opener_first", [True, False])
def test_what_has_not_started_ends_with_the_block(
    meet: Callable[[User, User], None], is_opener_first: bool
) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    meet(*((ines, tobias) if is_opener_first else (tobias, ines)))
    blocks.block(ines, tobias)
    for one, other in ((ines, tobias), (tobias, ines)):
        tables_of_both = Game.objects.with_seat_of(one).with_seat_of(other)
        assert not tables_of_both.exists()
        assert not Seat.objects.kept_for(one).filter(game__opened_by=other).exists()
    for match in duplicates.DuplicateMatch.objects.all():
        assert match.entries.count() == 1
        assert not match.invitations.exists()


def test_a_block_ends_following_and_is_nobodys_business() -> None:
    ines, tobias = person("Mina"), person("Vera")
    Follow.objects.create(user=tobias, followed=ines)
    client = client_of(ines)
    page = client.post("/people/Vera/block/", {"is_blocked": "True"}, follow=True)
    assert "You have blocked Vera." in page.text
    assert "Stop blocking" in page.text
    assert not Follow.objects.exists()
    seen = client_of(tobias).get("/people/Mina/").text
    assert "blocked" not in seen.lower().replace("is_blocked", "")

    settings = client.get("/account/profile/").text
    assert re.search(r">Vera<.*Stop blocking", settings, re.DOTALL)
    page = client.post("/people/Vera/block/", {"is_blocked": "False", "to_list": "on"}, follow=True)
    assert "You no longer block Vera." in page.text
    assert "You have blocked nobody." in page.text
    assert not Block.objects.filter(user=ines).exists()


def test_nobody_blocks_themselves(ines: User) -> None:
    page = client_of(ines).post("/people/Ines/block/", {"is_blocked": "True"}, follow=True)
    assert "You can&#x27;t block yourself." in page.text


def rename(client: Client, name: str) -> HttpResponse:
    """Send the settings of a guest with another name."""
    fields = dict.fromkeys(("confirm_moves", "plays_forced", "shortcuts", "tips"), "True")
    return client.post("/account/settings/", {**fields, "username": name, "sound": "False"})


def test_a_blocked_guest_keeps_the_name_in_games_that_go_on() -> None:
    """Who has blocked a guest reads the name there, so another one would be a message."""
    ines, guest = person("Ines"), User.objects.create_user("Amber-Comet", is_guest=True)
    game, client = game_of(ines, guest), client_of(guest)
    assert rename(client, "Vera").status_code == 302
    blocks.block(ines, guest)
    refused = rename(client, "where-is-she")
    assert refused.status_code == 400
    assert "You keep this name until the games that you play now are over." in refused.text
    assert User.objects.filter(username="Vera").exists()
    assert rename(client, "Vera").status_code == 302, "other settings can be changed"
    play_out(game)
    assert rename(client, "Mina").status_code == 302


def test_a_guest_takes_another_name_if_nobody_who_plays_with_them_has_blocked_them() -> None:
    ines, tobias, guest = person("Ines"), person("Tobias"), User.objects.create_user("Amber", is_guest=True)
    game_of(ines, guest)
    blocks.block(guest, ines)
    blocks.block(tobias, guest)
    assert rename(client_of(guest), "Vera").status_code == 302


def test_a_blocked_guest_whose_name_moderators_have_refused_chooses_another() -> None:
    ines, guest = person("Ines"), User.objects.create_user("Amber-Comet", is_guest=True)
    game_of(ines, guest)
    blocks.block(ines, guest)
    User.objects.filter(pk=guest.pk).update(chooses_name=True)
    assert rename(client_of(guest), "Vera").status_code == 302
