"""The owner of a confirmed address has a week in which a deleted account can be kept."""

import re
import uuid
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from accounts import deletion
from accounts.models import AccountMail, SecurityEvent, User
from games.models import Game, SeatOffer, Seek, today
from games.services import hand_overs, invitations, tables
from games.services.errors import Conflict
from games.services.solo import daily
from games.services.tables import duplicates
from games.tasks import remove_account
from tests.accounts.test_admin import FIELDS
from tests.clients import client_of, confirm_password
from tests.play import fresh, game_of, mover, person, play_some

pytestmark = pytest.mark.django_db

PAGE = "/account/settings/delete/"
KEEP = "/account/settings/keep/"


@pytest.fixture
def ines() -> User:
    return person("Ines")


def ask(user: User) -> None:
    """Ask on the page for the deletion of an account."""
    client = client_of(user)
    confirm_password(client)
    asked = client.post(PAGE, {"username": user.username}, follow=True)
    assert "will be deleted in a week" in asked.text
    assert client.get("/account/settings/").status_code == 302, "they are logged out"
    user.refresh_from_db()


def link_to(user: User, part: str) -> str:
    mail = AccountMail.objects.get(address=user.email)
    [url] = [url for url in re.findall(r"https?://\S+", mail.text) if part in url]
    return urlsplit(url).path


def test_the_page_says_first_what_happens_when(ines: User) -> None:
    client = client_of(ines)
    assert client.get(PAGE).url.startswith("/account/reauthenticate/")
    confirm_password(client)
    page = client.get(PAGE).text
    assert all(
        words in page for words in ("in a week", "Running games go on", "Others see no other difference")
    )


def test_it_happens_after_a_week_and_not_before(ines: User) -> None:
    ask(ines)
    assert ines.removal_due_at is not None
    left = ines.removal_due_at - timezone.now()
    assert timedelta(days=6, hours=23) < left <= timedelta(days=7)
    assert (ines.is_active, deletion.due_ids()) == (True, [])
    remove_account(ines.pk)
    assert User.objects.filter(pk=ines.pk).exists()
    User.objects.update(removal_due_at=timezone.now())
    assert deletion.due_ids() == [ines.pk]
    remove_account(ines.pk)
    assert not User.objects.filter(pk=ines.pk).exists()


def test_any_log_in_shows_a_button_that_keeps_the_account(ines: User) -> None:
    ask(ines)
    client = client_of(ines)
    for address in ("/", "/rules/", PAGE):
        assert KEEP in client.get(address, follow=True).text, address
    kept = client.post(KEEP, {"next": "/rules/"}, follow=True)
    assert kept.redirect_chain == [("/rules/", 302)]
    assert "Your account is kept" in kept.text
    assert KEEP not in kept.text
    assert User.objects.get(pk=ines.pk).removal_due_at is None
    kinds = [*ines.security_events.order_by("pk").values_list("kind", flat=True)]
    assert kinds == [SecurityEvent.Kind.DELETION_ASKED, SecurityEvent.Kind.DELETION_STOPPED]


def test_the_link_in_the_email_keeps_it_without_a_log_in_and_only_this_time(ines: User) -> None:
    ask(ines)
    link, browser = link_to(ines, "/account/keep/"), Client(enforce_csrf_checks=True)
    assert "Ines" in browser.get(link).text
    assert User.objects.get(pk=ines.pk).removal_due_at is not None, "programs that read emails open links"
    assert browser.post(link).url == "/"
    assert User.objects.get(pk=ines.pk).removal_due_at is None
    assert browser.get(link).status_code == 410
    deletion.ask(User.objects.get(pk=ines.pk))
    assert browser.post(link).status_code == 410, "another deletion has another link"


def test_a_restored_backup_gives_the_link_to_nobody_else(ines: User) -> None:
    ask(ines)
    link = link_to(ines, "/account/keep/")
    User.objects.filter(pk=ines.pk).update(mark="0123456789abcdef")
    assert Client().post(link).status_code == 410


def test_who_takes_the_account_back_keeps_it(ines: User) -> None:
    ask(ines)
    Client().post(link_to(ines, "/account/undo/"))
    assert User.objects.get(pk=ines.pk).removal_due_at is None


def test_it_cannot_be_kept_once_its_removal_has_begun(ines: User) -> None:
    ask(ines)
    link = link_to(ines, "/account/keep/")
    User.objects.update(removal_due_at=timezone.now())
    assert deletion.begin(ines.pk) == ines
    assert Client().post(link).status_code == 410
    assert not deletion.keep(ines)


def test_staff_who_change_an_account_do_not_keep_it(ines: User, admin_client: Client) -> None:
    ask(ines)
    page = f"/admin/accounts/user/{ines.pk}/change/"
    assert admin_client.post(page, FIELDS | {"is_active": "on"}).status_code == 302
    ines.refresh_from_db()
    assert ines.removal_due_at is not None


def test_no_new_game_begins_by_any_way(ines: User) -> None:
    tobias = person("Tobias")
    open_table = tables.open_table(tobias, tables.TableOptions(2, is_public=True, pace="slow"))
    kept = tables.open_table(tobias, tables.TableOptions(2))
    invitations.invite(kept.key, tobias, ines)
    running = game_of(tobias, person("Noor"), is_public=False)
    hand_overs.offer(running.key, tobias, is_public=False)
    offer = SeatOffer.objects.get()
    match = duplicates.open_match(tobias, 2, 2, pace="slow", is_public=True)
    ask(ines)
    ways = {
        "open": lambda: tables.open_table(ines, tables.TableOptions(2)),
        "against bots": lambda: tables.open_table(ines, tables.TableOptions(2), ["easy"]),
        "join": lambda: tables.join(open_table.key, ines),
        "accept": lambda: tables.join(kept.key, ines),
        "seek": lambda: tables.start_looking(ines, "novaluna", uuid.uuid4()),
        "solo": lambda: tables.open_solo(ines),
        "daily": lambda: daily.begin(ines, today()),
        "take a seat": lambda: hand_overs.take(offer.key, ines),
        "match": lambda: duplicates.enter(match.key, ines),
        "own match": lambda: duplicates.open_match(ines, 2, 2, pace="slow", is_public=True),
    }
    for begin in ways.values():
        with pytest.raises(Conflict, match="Your account will be deleted"):
            begin()


def test_what_has_not_started_ends_and_running_games_go_on(ines: User) -> None:
    tobias = person("Tobias")
    running = play_some(game_of(ines, tobias), 3)
    own = tables.open_table(ines, tables.TableOptions(3))
    joined = tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow"))
    tables.join(joined.key, ines)
    tables.start_looking(ines, "novaluna", uuid.uuid4())
    ask(ines)
    assert not Game.objects.filter(pk=own.pk).exists()
    assert not joined.seats.filter(user=ines).exists()
    assert not Seek.objects.exists()
    version = fresh(running).version
    while fresh(running).version == version or mover(running) != tobias:
        play_some(running, 1)
    assert "Ines" in client_of(tobias).get(running.get_absolute_url()).text
    assert client_of(tobias).get("/people/Ines/").status_code == 200
