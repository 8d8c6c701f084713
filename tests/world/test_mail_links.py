"""Links in emails: they need no cookies or say so before the press, and change nothing until it."""

import re

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress
from allauth.account.utils import user_pk_to_url_str
from django.test import Client

from accounts.confirmations import Confirmation
from accounts.models import AccountMail, User
from games.models import Action, Channel, ClosedAddress, Game, Kind, Notification
from games.notifications.delivery import write_message
from games.queries.mail_links import invitation_url, stop_invitations_url, stop_url
from games.services import invitations, tables
from games.views.invitations import owe_mail
from tests.clients import client_of, without_marks
from tests.play import fresh, game_of, mover, person, turn_mail

pytestmark = pytest.mark.django_db


class Browser:
    """A browser that keeps no cookies, and sends the form of a page as it is."""

    def __init__(self) -> None:
        self.client = Client(enforce_csrf_checks=True)

    def get(self, path: str) -> str:
        """Return the page at a path, after redirects."""
        for _redirect in range(5):
            self.client.cookies.clear()
            answer = self.client.get(path)
            if answer.status_code != 302:
                return answer.text
            path = path_of(answer.headers["Location"])
        raise AssertionError(path)

    def press(self, path: str, button: str = "") -> tuple[int, str]:
        """Load a page, press a button of its first form, and return the status and the next page."""
        page = without_marks(self.get(path))
        forms = re.findall(r"<main.*?>(.*)</main>", page, re.DOTALL)[0].split("<form")[1:]
        form = next(one.partition("</form>")[0] for one in forms if button in one)
        fields = dict(re.findall(r'<input[^>]* name="(\w+)"[^>]* value="([^"]*)"', form))
        fields |= dict(re.findall(rf'name="(\w+)" value="([^"]*)">{button or "-"}', form))
        target = re.search(rf'formaction="([^"]+)">{button}', form) or re.search(r'action="([^"]+)"', form)
        self.client.cookies.clear()
        answer = self.client.post(target[1] if target else path, fields)
        if answer.status_code != 302:
            return answer.status_code, answer.text
        return 302, self.get(answer.headers["Location"])


def path_of(url: str) -> str:
    return re.sub(r"^https?://[^/]+", "", url)


@pytest.fixture
def table() -> Game:
    return tables.open_table(person("Ines"), tables.TableOptions(2))


def move_link(game: Game) -> str:
    found = re.search(r"^http://[^/]+(/move/\S+)$", turn_mail(game, mover(game)).body, re.M)
    assert found
    return found[1]


def test_the_link_of_a_move_works_without_cookies(game: Game) -> None:
    browser, link = Browser(), move_link(game)
    assert "Confirm" in browser.get(link)
    assert not Action.objects.exists()
    for _press in range(2):
        status, page = browser.press(link) if not Action.objects.exists() else (302, browser.get(link))
        assert status == 302
        assert "Your move is played" in page
    assert Action.objects.count() == 1


def test_another_site_that_does_not_know_the_token_can_press_nothing(game: Game) -> None:
    link = move_link(game)
    forged = re.sub(
        r"(?<=/move/).*?(?=/)", lambda token: token[0][:-1] + "a" * (token[0][-1] != "a") + "b", link
    )
    assert client_of(mover(game)).post(forged).status_code == 404
    assert not Action.objects.exists()


def test_an_invitation_by_name_is_declined_and_taken_back_without_cookies(table: Game) -> None:
    tobias = person("Tobias")
    invitations.invite(table.key, User.objects.get(username="Ines"), tobias)
    browser, link = Browser(), path_of(invitation_url(table, tobias))
    _status, page = browser.press(link, "Decline")
    assert "You have declined, but your seat is still free. You can change your mind." in page
    assert "Decline<" not in page
    assert not table.seats.kept().exists()
    _status, page = browser.press(link, "Accept as Tobias")
    assert fresh(table).seats.filter(user=tobias).exists()
    assert "Are you Tobias?" in without_marks(page)


def test_an_invitation_of_an_address_says_before_the_press_that_a_seat_needs_cookies(table: Game) -> None:
    ines = User.objects.get(username="Ines")
    invitations.invite_address(
        table.key, ines, "noor@example.com", lambda game: owe_mail(game, ines, "noor@example.com")
    )
    link = path_of(invitation_url(table, "noor@example.com"))
    browser = Browser()
    page = browser.get(link)
    assert "must accept cookies" in page
    assert "answer the email with yes or no" in page
    assert browser.press(link, "Join as a guest")[0] == 403
    assert not User.objects.filter(is_guest=True).exists()
    # A normal browser sends the cookie of the first page, and another site could not do this.
    usual = Client(enforce_csrf_checks=True)
    usual.get(link)
    assert "must accept cookies" not in usual.get(link).text
    assert usual.post(link, {"log_in": "1"}).status_code == 403
    status, page = browser.press(link, "Decline")
    assert status == 302
    assert "You have declined" in page
    assert not table.seats.kept().exists()


def test_an_address_is_confirmed_without_cookies_and_logs_nobody_out() -> None:
    noor, mina = person("Noor", confirmed=False), client_of(person("Mina"))
    link = f"/account/confirm-email/{Confirmation(EmailAddress.objects.get(user=noor)).key}/"
    assert "Please confirm that" in mina.get(link).text
    assert "_auth_user_id" in mina.session, "anybody could send the link of an own account"
    assert not EmailAddress.objects.get(user=noor).verified
    assert Browser().press(link)[0] == 302
    assert EmailAddress.objects.get(user=noor).verified


def test_a_new_password_needs_cookies_and_the_page_says_so_before_it_is_entered() -> None:
    noor = person("Noor")
    key = default_token_generator.make_token(noor)
    link = f"/account/password/reset/key/{user_pk_to_url_str(noor)}-{key}/"
    page = Browser().get(link)
    assert "This page needs cookies" in page
    assert 'name="password1"' not in page
    mina = client_of(person("Mina"))
    assert 'name="password1"' in mina.get(link, follow=True).text
    assert "_auth_user_id" in mina.session


def test_the_links_that_stop_emails_work_without_cookies(table: Game) -> None:
    ines = User.objects.get(username="Ines")
    unsubscribe = path_of(stop_url(ines, Kind.TURN, Channel.MAIL))
    stop = path_of(stop_invitations_url(table, "noor@example.com"))
    assert "are off" in Browser().press(unsubscribe)[1]
    assert "no more invitations" in Browser().press(stop)[1]
    assert ClosedAddress.objects.exists()
    assert "Stop all invitations?" in Browser().press(stop, "Allow invitations again")[1]
    assert not ClosedAddress.objects.exists()


def test_an_error_page_without_cookies_names_them() -> None:
    status = Client(enforce_csrf_checks=True).post("/account/login/", {"login": "x"})
    assert status.status_code == 403
    assert "Your browser sent no cookies" in status.text


def test_what_scanners_and_prefetching_browsers_send_changes_nothing(table: Game) -> None:
    ines, tobias = User.objects.get(username="Ines"), person("Tobias")
    noor = person("Noor", confirmed=False)
    game = game_of(ines, tobias)
    invitations.invite(table.key, ines, tobias)
    links = [
        move_link(game),
        path_of(invitation_url(table, tobias)),
        path_of(invitation_url(table, tobias)) + "decline/",
        path_of(stop_url(tobias, Kind.TURN, Channel.MAIL)),
        path_of(stop_invitations_url(table, "noor@example.com")),
        f"/account/confirm-email/{Confirmation(EmailAddress.objects.get(user=noor)).key}/",
    ]

    def state() -> list[object]:
        return [
            Action.objects.count(),
            list(table.seats.values_list("user", "invited", "has_declined", "seen_at")),
            list(game.seats.order_by("number").values_list("user", "seen_at")),
            ClosedAddress.objects.count(),
            list(tobias.notification_choices.values_list("kind", "is_wanted")),
            list(EmailAddress.objects.order_by("pk").values_list("verified", flat=True)),
            AccountMail.objects.count(),
        ]

    before = state()
    for client in (Client(), client_of(tobias)):
        for link in links:
            client.get(link)
            client.head(link)
            client.options(link)
            client.get(link, headers={"Sec-Purpose": "prefetch;prerender", "Purpose": "prefetch"})
            client.put(link)
            client.delete(link)
            assert state() == before, link


def test_a_page_that_holds_a_token_sends_it_to_no_other_site(game: Game) -> None:
    answer = Client().get(move_link(game))
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "no-store" in answer.headers["Cache-Control"]
    assert not re.findall(r'(?:src|rel="[a-z ]+" href|action)="(?:https?:)?//(?!testserver)', answer.text)


def test_every_email_of_games_has_a_link_that_stops_it_with_one_post(game: Game) -> None:
    notification = Notification(pk=1, game=game, user=mover(game), kind=Kind.TURN, channel=Channel.MAIL)
    message = write_message([notification])
    sent = turn_mail(game, mover(game))
    assert sent.extra_headers["List-Unsubscribe"].strip("<>").partition("/account/")[1]
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    answer = Client(enforce_csrf_checks=True).post(
        path_of(message.unsubscribe_url), {"List-Unsubscribe": "One-Click"}
    )
    assert answer.status_code == 200
    assert "are off" in answer.text
