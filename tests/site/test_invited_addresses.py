"""An invitation to an email address shows its sender nothing about who has the address."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.test import Client

from accounts import deletion
from accounts.models import AccountMail, User
from games.models import Game, Kind, Measure, Notification, Report
from games.notifications.delivery import write_message
from games.queries.mail_links import invitation_url
from games.services import tables
from games.services.private import blocks
from games.services.pruning.people import remove_account
from games.services.talk.moderation import decisions, reports
from tests.clients import client_of, without_marks
from tests.games.moderation.cases import moderator
from tests.play import game_of, person, play_out
from tests.site.test_inviting_people import STRANGER, invite, page_of

pytestmark = pytest.mark.django_db


def suspend(user: User) -> None:
    report = reports.report(person("Mina"), user, Report.About.PLAYER)
    decisions.take(report.pk, moderator(), Measure.Kind.SUSPEND, Measure.Rule.CHAT, "Be kind.", days=7)


def remove(user: User) -> None:
    deletion.delete(user)
    remove_account(user.pk)


def block(user: User) -> None:
    blocks.block(user, User.objects.get(username="Ines"))


def decline(user: User) -> None:
    tables.decline(Game.objects.get().key, user)


def join(user: User) -> None:
    tables.join(Game.objects.get().key, user)


BOTH_ORDERS = [(act, named) for act in (decline, join) for named in ("first", "last")]
WITH_AND_WITHOUT_NAME = [(act, named) for act in (block, suspend, remove) for named in ("last", "")]


@pytest.mark.parametrize(("act", "named"), [*BOTH_ORDERS, *WITH_AND_WITHOUT_NAME])
def test_nothing_that_a_person_does_shows_whose_an_address_is(
    ines: User, tobias: User, act: Callable[[User], None], named: str
) -> None:
    """The opener guesses two addresses, and sees the same of both afterwards."""
    table = tables.open_table(ines, tables.TableOptions(4))
    guesses = [tobias.email, "tobi@example.org"]
    for who in {"first": ["Tobias", *guesses], "last": [*guesses, "Tobias"], "": guesses}[named]:
        assert invite(ines, table, who) == 302
    act(tobias)
    page = page_of(table, ines)
    assert [f"Kept for {guess}" in page for guess in guesses] == [True, True]
    assert "Kept for Tobias" not in page
    assert not table.seats.kept_for(tobias).exists()


def test_who_accepts_by_an_address_reads_before_that_the_opener_learns_it(ines: User, tobias: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3))
    sentence = "Ines invites you by your email address. If you accept, they see that the address is yours."
    for who, is_said in ((tobias.email, True), ("Tobias", False)):
        invite(ines, table, who)
        message = write_message([Notification.objects.filter(kind=Kind.INVITATION).latest("pk")])
        link = urlsplit(invitation_url(table, tobias)).path
        for text in (message.text, message.html, Client().get(link).text, page_of(table, tobias)):
            assert (sentence in " ".join(without_marks(text).split())) == is_said
        assert (sentence in without_marks(client_of(tobias).get("/").text)) == is_said


def test_the_opener_sees_the_same_with_and_without_an_account(ines: User, tobias: User) -> None:
    """An address with an account is a notification in its channels; the opener's page does not differ."""
    play_out(game_of(ines, tobias))
    pages = []
    for address in (tobias.email, STRANGER):
        own = tables.open_table(ines, tables.TableOptions(3))
        invite(ines, own, address)
        page = page_of(own, ines).replace(address, "ADDRESS").replace(own.key, "KEY")
        # The tokens of forms, the nonces, the age and the time.
        pages.append(re.sub(r"[\w-]{32,}|Opened [^.]+|data-time=\S+", "", page))
    assert pages[0] == pages[1]
    assert "Kept for ADDRESS" in pages[0]
    assert 'value="Tobias"' in pages[0]
    assert [one.user for one in Notification.objects.filter(kind=Kind.INVITATION)] == [tobias]
    assert AccountMail.objects.count() == 1


def test_others_do_not_see_the_address(ines: User, tobias: User) -> None:
    table = tables.open_table(ines, tables.TableOptions(3))
    invite(ines, table, STRANGER)
    tables.join(table.key, tobias)
    page = page_of(table, tobias)
    assert "Kept for somebody" in page
    assert STRANGER not in page
    assert STRANGER not in Client().get(table.get_absolute_url()).text
