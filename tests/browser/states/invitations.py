"""Invitations to tables: how they are sent, and how they look to the person who is invited."""

from django.urls import reverse
from playwright.sync_api import Page, expect

from games.models import Game
from games.queries.mail_links import invitation_token
from games.services import invitations, tables
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import finished_game, people

ADDRESS = "olga-with-quite-a-long-name@an-even-longer-domain.example.org"


def invited_table() -> Game:
    """Return a table of Ines, at which seats are kept for Tobias and for somebody with an email address."""
    ines, tobias, _mina, noor = people("Ines", "Tobias", "Mina", "Noor")
    finished_game()
    play.game_of(ines, noor)
    table = tables.open_table(ines, tables.TableOptions(4))
    invitations.invite(table.key, ines, tobias)
    invitations.invite_address(table.key, ines, ADDRESS, lambda _table: None)
    return table


@state
def table_inviting() -> Visit:
    return Visit(invited_table().get_absolute_url(), people("Ines")[0])


@minor_state
def table_inviting_refused() -> Visit:
    def invite(page: Page) -> None:
        page.locator("input[name=who]").fill("dragon")
        page.locator(".invite__who button").click()
        expect(page.locator("#h-similar")).to_be_visible()

    people("Dragonfly")
    return Visit(invited_table().get_absolute_url(), people("Ines")[0], after=invite, is_refused=True)


@minor_state
def table_all_kept() -> Visit:
    ines, tobias = people("Ines", "Tobias")
    table = tables.open_table(ines, tables.TableOptions(2))
    invitations.invite(table.key, ines, tobias)
    return Visit(table.get_absolute_url(), ines)


@minor_state
def new_table_for_somebody() -> Visit:
    return Visit(reverse("games:new") + "?invite=Tobias", people("Ines", "Tobias")[0])


@minor_state
def table_invited() -> Visit:
    return Visit(invited_table().get_absolute_url(), people("Tobias")[0])


@minor_state
def home_invited() -> Visit:
    invited_table()
    tobias, noor = people("Tobias", "Noor")
    by_address = tables.open_table(noor, tables.TableOptions(2))
    invitations.invite_address(by_address.key, noor, tobias.email, lambda _table: None)
    return Visit("/", tobias)


@minor_state
def invitation_of_address() -> Visit:
    return Visit(reverse("games:invitation", args=[invitation_token(invited_table(), ADDRESS)]))


@minor_state
def invitation_of_account() -> Visit:
    token = invitation_token(invited_table(), people("Tobias")[0])
    return Visit(reverse("games:invitation", args=[token]))


@minor_state
def invitation_over() -> Visit:
    token = invitation_token(invited_table(), "noor@example.org")
    return Visit(reverse("games:invitation", args=[token]), is_refused=True)


@minor_state
def stop_invitations() -> Visit:
    token = invitation_token(invited_table(), ADDRESS)
    return Visit(reverse("games:stop_invitations", args=[token]))
