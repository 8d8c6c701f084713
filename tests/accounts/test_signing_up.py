"""Signing up: people can play immediately, and get turn emails when they have confirmed their address."""

import re
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from allauth.account.forms import SignupForm
from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from django_webtest import DjangoTestApp
from webtest import TestResponse

from accounts import outbox
from accounts.addresses import confirmed_address, main_address
from accounts.models import AccountMail, User
from accounts.views import SignUp
from tests.accounts.conftest import link_path
from tests.clients import without_marks
from tests.play import game_of, person
from tests.plugins.mailserver import MailServer

pytestmark = pytest.mark.django_db

NEWCOMER = {"username": "Ines", "email": "ines@example.org", "password1": "moon-and-stars-17"}

HINT = "To get emails about your games, confirm"


def test_a_new_user_can_play_immediately(client: Client) -> None:
    table = {"opponents": "people", "seat_count": 2, "level": "easy", "request_id": uuid.uuid4()}
    assert client.post("/new/", table | {"is_public": "on"}).url.startswith("/account/login/")

    response = client.post("/account/signup/", NEWCOMER)
    assert (response.status_code, response.url) == (302, "/")
    response = client.post("/new/", table)
    assert response.url.startswith("/g/")
    assert User.objects.get().username == "Ines"


def sign_up_from(django_app: DjangoTestApp, path: str) -> TestResponse:
    """Follow the link to sign up at the top of a page, and return the answer to the form."""
    page = django_app.get(path).click("Sign up", href="signup", index=0)
    form = next(form for form in page.forms.values() if "username" in form.fields)
    for name, value in NEWCOMER.items():
        form[name] = value
    return form.submit()


@pytest.mark.parametrize("path", ["/rules/", "/solo/", "/learn/2/", "/daily/"])
def test_a_new_user_from_a_page_about_the_game_is_welcomed(django_app: DjangoTestApp, path: str) -> None:
    assert "Welcome, Ines!" in without_marks(sign_up_from(django_app, path).follow().text)


def test_a_new_user_from_a_game_returns_to_it(django_app: DjangoTestApp) -> None:
    address = game_of(person("Tobias"), person("Mina")).get_absolute_url()
    assert sign_up_from(django_app, address).location == address


def test_the_first_page_of_a_new_user_starts_a_game_by_one_press(client: Client) -> None:
    page = client.post("/account/signup/", NEWCOMER, follow=True)
    assert "Welcome, Ines!" in without_marks(page.text)
    assert "No game is waiting" not in page.text
    form = {"request_id": page.context["play_form"]["request_id"].value()}
    game = client.post("/play/", form, follow=True)
    assert game.context["game"].is_running
    assert game.context["game"].opened_by.username == "Ines"
    home = client.get("/").text
    assert "Hello, Ines" in without_marks(home)
    assert 'action="/play/"' not in home


@pytest.mark.databases
def test_an_address_that_is_too_long_is_refused_not_truncated(client: Client) -> None:
    longest = f"{'a' * 60}@{'.'.join(['b' * 60] * 3)}.{'c' * 6}.org"
    assert len(longest) == 254
    response = client.post("/account/signup/", NEWCOMER | {"email": f"a{longest}"})
    assert response.status_code == 400
    assert "at most 254 characters" in response.text
    assert not User.objects.exists()
    assert client.post("/account/signup/", NEWCOMER | {"email": longest}).status_code == 302
    assert main_address(User.objects.get()) == longest


def test_the_link_in_the_email_shows_a_button_that_confirms_the_address(
    client: Client, inbox: MailServer
) -> None:
    client.post("/account/signup/", NEWCOMER)
    user = User.objects.get()
    assert confirmed_address(user) is None
    assert "We sent an email to ines@example.org." in client.get("/").text
    assert HINT in client.get("/").text

    link = link_path(inbox.wait_for("confirm your email address", to="ines@example.org"), "confirm-email")
    assert "<b>ines@example.org</b> is the email address of Ines" in client.get(link).text
    assert confirmed_address(user) is None  # malware scanners open the links in emails

    client.post(link)
    assert confirmed_address(user) == "ines@example.org"
    assert HINT not in client.get("/").text


def test_the_email_has_the_link_in_its_text_and_as_a_button(client: Client, inbox: MailServer) -> None:
    client.post("/account/signup/", NEWCOMER)
    mail = inbox.wait_for("confirm your email address", to="ines@example.org")
    [text, html] = [part.get_content() for part in mail.walk() if not part.is_multipart()]
    [link] = re.findall(r"https?://\S+/confirm-email/\S+", text)
    assert f'href="{link}"' in html
    assert html.count("If you didn't sign up for") == text.count("If you didn't sign up for") == 1


def test_who_wants_no_emails_need_not_confirm_the_address(client: Client) -> None:
    client.post("/account/signup/", NEWCOMER)
    client.get("/")  # Shows the message of the sign-up.
    assert HINT in client.get("/").text
    client.post("/account/notifications/", {"digest_hour": "7"})
    client.get("/account/notifications/")
    assert HINT not in client.get("/").text


def test_the_link_works_in_a_browser_that_is_not_logged_in(client: Client, inbox: MailServer) -> None:
    client.post("/account/signup/", NEWCOMER)
    link = link_path(inbox.wait_for("confirm your email address"), "confirm-email")
    assert Client().post(link).status_code == 302
    assert confirmed_address(User.objects.get()) == "ines@example.org"


def test_a_damaged_link_confirms_nothing(client: Client, inbox: MailServer) -> None:
    client.post("/account/signup/", NEWCOMER)
    link = link_path(inbox.wait_for("confirm your email address"), "confirm-email")
    damaged = link[:-3] + "x/"
    assert "This link does not work" in client.get(damaged).text
    assert client.post(damaged).status_code == 404
    assert confirmed_address(User.objects.get()) is None


def test_an_email_is_sent_after_the_mail_server_was_down(client: Client, inbox: MailServer) -> None:
    inbox.refusal = "451 Please try again later"
    response = client.post("/account/signup/", NEWCOMER, follow=True)
    assert response.redirect_chain == [("/", 302)]
    assert response.context["user"].username == "Ines"
    assert "We sent an email to ines@example.org" in response.text
    assert inbox.mails == []

    inbox.refusal = ""
    AccountMail.objects.update(due_at=timezone.now())
    for mail_id in outbox.due_ids():
        outbox.deliver(mail_id)
    client.post(link_path(inbox.wait_for("confirm your email address"), "confirm-email"))
    assert confirmed_address(User.objects.get()) == "ines@example.org"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"username": "tobias"}, "Somebody has that name already"),
        ({"username": "Halley"}, "That name is reserved"),
        ({"username": "YOU"}, "That name is reserved"),
        ({"username": "Ines Adler"}, "begin with a letter or digit"),
        ({"username": "In\u00a0es"}, "begin with a letter or digit"),
        ({"username": "\u0406nes"}, "begin with a letter or digit"),  # a Cyrillic letter
        ({"username": "_ines"}, "begin with a letter or digit"),
        ({"username": "I"}, "at least 2 characters"),
        ({"username": "free-moon.com"}, "looks like a web address"),
        ({"username": "moon.ZIP-file"}, "looks like a web address"),
        ({"username": "www.moon.ru"}, "looks like a web address"),
        ({"username": "I" * 31}, "at most 30 characters"),
        ({"username": ""}, "This field is required"),
        ({"email": "ines@"}, "valid email address"),
        ({"email": ""}, "This field is required"),
        ({"password1": "moon-17"}, "at least 8 characters"),
        ({"password1": "password"}, "too common"),
        ({"username": "astronomer", "password1": "astronomer"}, "too similar"),
    ],
)
def test_wrong_input_is_refused_at_the_field(client: Client, changes: dict[str, str], message: str) -> None:
    person("Tobias")
    response = client.post("/account/signup/", NEWCOMER | changes)
    assert response.status_code == 400
    assert message in response.text
    assert 'aria-invalid="true"' in response.text
    assert User.objects.count() == 1


@pytest.mark.databases
@pytest.mark.django_db(transaction=True)
def test_one_of_two_people_who_choose_a_name_at_the_same_time_gets_it() -> None:
    barrier = threading.Barrier(2)
    original = SignUp.form_valid

    def wait_for_both(view: SignUp, form: SignupForm) -> HttpResponse:
        barrier.wait(timeout=60)
        return original(view, form)

    def sign_up(password: str) -> HttpResponse:
        try:
            return Client().post("/account/signup/", NEWCOMER | {"password1": password})
        finally:
            connections.close_all()

    with pytest.MonkeyPatch.context() as patch, ThreadPoolExecutor(2) as pool:
        patch.setattr(SignUp, "form_valid", wait_for_both)
        first, second = sorted(
            pool.map(sign_up, ("moon-and-stars-17", "sun-and-clouds-18")),
            key=lambda answer: answer.status_code,
        )

    assert (first.status_code, second.status_code) == (302, 400)
    assert "Somebody has that name already" in second.text
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    "name", ["Jo", "ines.adler", "Mr.Moon", "moon.4.you", "Ines-Adler_77", "7ofNine", "I" * 30]
)
def test_valid_usernames(client: Client, name: str) -> None:
    assert client.post("/account/signup/", NEWCOMER | {"username": name}).status_code == 302
    assert User.objects.get().username == name
