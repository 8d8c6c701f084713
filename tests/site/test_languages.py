"""The language of pages and mails: who chooses it, where it is kept, and what a language needs."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from pytest_django import Settings

from accounts.models import User
from games import words
from games.services.mails import turn_mail
from tests.play import game_of, person
from tests.pseudo_locale import own_texts

pytestmark = pytest.mark.django_db

SWITCH = "/account/language/"
PSEUDO = ("en-xa", "⟦Ééñĝļîîšĥ⟧")


@pytest.fixture(autouse=True)
def _no_language_left() -> Iterator[None]:
    """What the pages of a test speak, the next test does not."""
    with translation.override("en"):
        yield


@pytest.fixture
def _two_languages(settings: Settings, pseudo_locale: Path) -> None:
    settings.LANGUAGES = [*settings.LANGUAGES, PSEUDO]
    settings.LOCALE_PATHS = [pseudo_locale]


two_languages = pytest.mark.usefixtures("_two_languages")


def language_of(client: Client, path: str = "/") -> str:
    """Return the language that a page says it has, which its texts must have too."""
    page = client.get(path).text
    language = re.search(r'<html lang="([\w-]+)"', page)[1]
    assert ("⟦Šķîîþ ţôô ţĥéé çôôñţééñţ⟧" in page) == (language == "en-xa")
    return language


def choose(client: Client, language: str) -> None:
    page = "http://testserver/solo/"
    answer = client.post(SWITCH, {"language": language}, headers={"referer": page})
    assert (answer.status_code, answer["Location"]) == (302, page)


def test_without_a_choice_there_is_no_switch(client: Client) -> None:
    assert SWITCH not in client.get("/").text


@two_languages
def test_the_switch_offers_each_language_in_its_own_name(client: Client) -> None:
    page = client.get("/").text
    switch = re.search(rf'<form[^>]*action="{SWITCH}".*?</form>', page, re.DOTALL)[0]
    buttons = re.findall(r'name="language" value="(\S+)" lang="(\S+)"([^>]*)>([^<]*)<', switch)
    assert buttons == [
        ("en", "en", ' aria-current="true"', "English"),
        ("en-xa", "en-xa", "", "⟦Ééñĝļîîšĥ⟧"),
    ]


@two_languages
def test_a_visitor_keeps_the_chosen_language(client: Client) -> None:
    assert language_of(client) == "en"
    choose(client, "en-xa")
    assert language_of(client) == language_of(client, "/account/signup/") == "en-xa"
    choose(client, "en")
    assert language_of(client) == "en"


@two_languages
@pytest.mark.parametrize("language", ["de", "xx", "", "EN", "en-xa\r\n", "../en"])
def test_what_is_not_offered_is_refused(client: Client, language: str) -> None:
    client.force_login(person("Ines"))
    answer = client.post(SWITCH, {"language": language})
    assert answer.status_code == 400
    assert "django_language" not in answer.cookies
    assert User.objects.get().language == ""
    assert client.post(SWITCH).status_code == 400
    assert client.get(SWITCH).status_code == 405


@two_languages
def test_the_switch_leads_nowhere_else(client: Client) -> None:
    for elsewhere in ({"next": "https://moon.example/"}, {"next": "//moon.example"}):
        answer = client.post(SWITCH, {"language": "en", **elsewhere})
        assert (answer.status_code, answer["Location"]) == (302, "/")


@two_languages
def test_a_browser_may_ask_for_a_language(client: Client) -> None:
    assert 'lang="en-xa"' in client.get("/", headers={"accept-language": "en-XA,en;q=0.5"}).text
    assert '<html lang="en"' in client.get("/", headers={"accept-language": "tlh,en;q=0.5"}).text


@two_languages
def test_a_member_gets_their_language_on_each_device() -> None:
    ines, at_home, on_the_way = person("Ines"), Client(), Client()
    choose(on_the_way, "en")
    for client in (at_home, on_the_way):
        client.force_login(ines)
    choose(at_home, "en-xa")
    assert User.objects.get().language == "en-xa"
    assert language_of(at_home) == language_of(on_the_way) == "en-xa"
    on_the_way.logout()
    assert language_of(on_the_way) == "en"


@two_languages
def test_a_language_that_is_no_longer_offered_is_forgotten(client: Client) -> None:
    ines = person("Ines")
    User.objects.update(language="de")
    client.force_login(ines)
    assert language_of(client) == "en"


@two_languages
def test_who_signs_up_is_written_to_in_the_language_of_the_page(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    choose(client, "en-xa")
    form = {"username": "Ines", "email": "ines@example.org", "password1": "moon-and-stars-17"}
    assert client.post(reverse("account_signup"), form).status_code == 302
    assert User.objects.get().language == "en-xa"
    assert mailoutbox[0].subject == "⟦Þļééààšéé çôôñƒîîŕɱ ýôôûûŕ ààđđŕééšš⟧"


@two_languages
def test_account_mails_have_the_language_of_whom_they_reach(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    person("Ines")
    User.objects.update(language="en-xa")
    person("Tobias")
    for address in ("ines@example.org", "tobias@example.org"):
        client.post(reverse("account_reset_password"), {"email": address})
    assert [mail.subject for mail in mailoutbox] == [
        "⟦Çĥôôôôšéé àà ñééŵ þààššŵôôŕđ⟧",
        "Choose a new password",
    ]


@two_languages
def test_turn_mails_have_the_language_of_whom_they_reach() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    ines.language = "en-xa"
    game = game_of(ines, tobias)
    for language in ("en", "en-xa"):
        with translation.override(language):
            to_ines, to_tobias = (turn_mail(game, user, user.email, 0) for user in (ines, tobias))
            assert translation.get_language() == language
        assert to_ines.subject == "⟦Ýôôûûŕ ţûûŕñ ààĝààîîñšţ Tobias⟧"
        assert to_tobias.subject == "Your turn against Ines"
        assert "⟦Ţààķéé ýôôûûŕ ţûûŕñ:⟧" in to_ines.body
        assert "Take your turn:" in to_tobias.body


def test_a_language_has_its_own_plural_forms(settings: Settings, tmp_path: Path) -> None:
    """Polish has three of them, for 1, for 2 and for 5; and 22 is like 2."""
    polish = Catalog(locale="pl")
    polish.add(("%(count)d goal", "%(count)d goals"), ("%(count)d cel", "%(count)d cele", "%(count)d celów"))
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, polish)
    settings.LANGUAGES = [*settings.LANGUAGES, ("pl", "polski")]
    settings.LOCALE_PATHS = [tmp_path]
    with translation.override("pl"):
        assert [words.goals(n) for n in (1, 2, 5, 22)] == ["1 cel", "2 cele", "5 celów", "22 cele"]
    assert [words.goals(n) for n in (1, 2)] == ["1 goal", "2 goals"]


def test_translators_can_reorder_what_a_text_is_given() -> None:
    """Each value has a name, and what the singular tells, every plural form can tell."""
    for text, _context in own_texts():
        one, many = (text, text) if isinstance(text, str) else text
        for form in (one, many):
            assert not re.search(r"%[sd]|\{\}", form), text
        assert set(re.findall(r"%\((\w+)\)", one)) <= set(re.findall(r"%\((\w+)\)", many)), text


def test_dates_are_written_as_the_language_has_them(settings: Settings) -> None:
    day = datetime(2026, 3, 7, 18, 5, tzinfo=UTC)
    settings.LANGUAGES = [*settings.LANGUAGES, ("de", "Deutsch")]
    for language, short, long in (
        ("en", "7 Mar 2026", "7 March 2026, 18:05"),
        ("de", "07.03.2026", "7. März 2026 18:05"),
    ):
        with translation.override(language):
            assert date_format(day, "SHORT_DATE_FORMAT") == short
            assert date_format(day, "DATETIME_FORMAT") == long


def test_a_language_that_is_written_from_right_to_left_says_so(settings: Settings, client: Client) -> None:
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "العربية")]
    choose(client, "ar")
    assert '<html lang="ar" dir="rtl"' in client.get("/").text
