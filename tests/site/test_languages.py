"""The language of pages and emails: choosing it, storing it, and what each language needs."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from pytest_django import Settings

from accounts.models import AccountMail, User
from games.novaluna.board import words
from tests.play import game_of, person, turn_mail
from tests.pseudo_locale import own_texts

pytestmark = pytest.mark.django_db

LANGUAGE_URL = "/account/language/"
PSEUDO = ("en-xa", "⟦Ééñĝļîîšĥ⟧")


@pytest.fixture(autouse=True)
def _only_english(settings: Settings) -> None:
    """Offer English only, however many languages the site has."""
    settings.LANGUAGES = [("en", "English")]


@pytest.fixture(autouse=True)
def _restore_language() -> Iterator[None]:
    """Restore the active language after each test, because a request changes it."""
    with translation.override("en"):
        yield


@pytest.fixture
def _two_languages(settings: Settings, pseudo_locale: Path) -> None:
    settings.LANGUAGES = [*settings.LANGUAGES, PSEUDO]
    settings.LOCALE_PATHS = [pseudo_locale]


two_languages = pytest.mark.usefixtures("_two_languages")


def language_of(client: Client, path: str = "/") -> str:
    """Return the language in a page's html tag; check that the texts have that language too."""
    page = client.get(path).text
    language = re.search(r'<html lang="([\w-]+)"', page)[1]
    assert ("⟦Šķîîþ ţôô ţĥéé ɱààîîñ çôôñţééñţ⟧" in page) == (language == "en-xa")
    return language


def choose_language(client: Client, language: str) -> None:
    page = "http://testserver/solo/"
    response = client.post(LANGUAGE_URL, {"language": language}, headers={"referer": page})
    assert (response.status_code, response["Location"]) == (302, page)


def test_a_site_with_one_language_has_no_language_buttons(client: Client) -> None:
    assert LANGUAGE_URL not in client.get("/").text


@two_languages
def test_each_language_has_a_button_with_its_own_name(client: Client) -> None:
    page = client.get("/").text
    form = re.search(rf'<form[^>]*action="{LANGUAGE_URL}".*?</form>', page, re.DOTALL)[0]
    buttons = re.findall(r'name="language" value="(\S+)" lang="(\S+)"([^>]*)>([^<]*)<', form)
    assert buttons == [
        ("en", "en", ' aria-current="true"', "English"),
        ("en-xa", "en-xa", "", "⟦Ééñĝļîîšĥ⟧"),
    ]


@two_languages
def test_a_visitors_choice_is_stored(client: Client) -> None:
    assert language_of(client) == "en"
    choose_language(client, "en-xa")
    assert language_of(client) == language_of(client, "/account/signup/") == "en-xa"
    choose_language(client, "en")
    assert language_of(client) == "en"


@two_languages
@pytest.mark.parametrize("language", ["de", "xx", "", "EN", "en-xa\r\n", "../en"])
def test_an_unavailable_language_is_refused(client: Client, language: str) -> None:
    client.force_login(person("Ines"))
    response = client.post(LANGUAGE_URL, {"language": language})
    assert response.status_code == 400
    assert "django_language" not in response.cookies
    assert User.objects.get().language == ""
    assert client.post(LANGUAGE_URL).status_code == 400
    assert client.get(LANGUAGE_URL).status_code == 405


@two_languages
def test_choosing_a_language_never_redirects_to_another_site(client: Client) -> None:
    for fields in ({"next": "https://moon.example/"}, {"next": "//moon.example"}):
        response = client.post(LANGUAGE_URL, {"language": "en", **fields})
        assert (response.status_code, response["Location"]) == (302, "/")


@two_languages
def test_without_a_choice_the_browsers_language_counts(client: Client) -> None:
    assert 'lang="en-xa"' in client.get("/", headers={"accept-language": "en-XA,en;q=0.5"}).text
    assert '<html lang="en"' in client.get("/", headers={"accept-language": "tlh,en;q=0.5"}).text


@two_languages
def test_a_users_language_applies_on_each_device() -> None:
    ines, laptop, phone = person("Ines"), Client(), Client()
    choose_language(phone, "en")
    for client in (laptop, phone):
        client.force_login(ines)
    choose_language(laptop, "en-xa")
    assert User.objects.get().language == "en-xa"
    assert language_of(laptop) == language_of(phone) == "en-xa"
    phone.logout()
    assert language_of(phone) == "en"


@two_languages
def test_a_stored_language_that_is_not_available_is_ignored(client: Client) -> None:
    ines = person("Ines")
    User.objects.update(language="de")
    client.force_login(ines)
    assert language_of(client) == "en"


@two_languages
def test_a_new_user_gets_emails_in_the_language_of_the_page(client: Client) -> None:
    choose_language(client, "en-xa")
    form = {"username": "Ines", "email": "ines@example.org", "password1": "moon-and-stars-17"}
    assert client.post(reverse("account_signup"), form).status_code == 302
    assert User.objects.get().language == "en-xa"
    assert AccountMail.objects.get().subject == "⟦Þļééààšéé çôôñƒîîŕɱ ýôôûûŕ ééɱààîîļ ààđđŕééšš⟧"


@two_languages
def test_account_emails_have_the_recipients_language(client: Client) -> None:
    person("Ines")
    User.objects.update(language="en-xa")
    person("Tobias")
    for address in ("ines@example.org", "tobias@example.org"):
        client.post(reverse("account_reset_password"), {"email": address})
    assert list(AccountMail.objects.order_by("pk").values_list("subject", flat=True)) == [
        "⟦Çĥôôôôšéé àà ñééŵ þààššŵôôŕđ⟧",
        "Choose a new password",
    ]


@two_languages
def test_turn_emails_have_the_recipients_language() -> None:
    ines, tobias = person("Ines"), person("Tobias")
    ines.language = "en-xa"
    game = game_of(ines, tobias)
    for language in ("en", "en-xa"):
        with translation.override(language):
            to_ines, to_tobias = (turn_mail(game, user, 0) for user in (ines, tobias))
            assert translation.get_language() == language
        assert to_ines.subject == "⟦Ýôôûûŕ ţûûŕñ ààĝààîîñšţ Tobias⟧"
        assert to_tobias.subject == "Your turn against Ines"
        assert "⟦Ţààķéé ýôôûûŕ ţûûŕñ:⟧" in to_ines.body
        assert "Choose on the board:" in to_tobias.body


def test_a_language_has_its_own_plural_forms(settings: Settings, tmp_path: Path) -> None:
    """Polish has three plural forms, such as for 1, 2 and 5; 22 has the same form as 2."""
    polish = Catalog(locale="pl")
    polish.add(("%(count)d goal", "%(count)d goals"), ("%(count)d cel", "%(count)d cele", "%(count)d celów"))
    folder = tmp_path / "pl" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, polish)
    settings.LANGUAGES = [*settings.LANGUAGES, ("pl", "polski")]
    settings.LOCALE_PATHS = [tmp_path]
    with translation.override("pl"):
        assert [words.format_goals(n) for n in (1, 2, 5, 22)] == ["1 cel", "2 cele", "5 celów", "22 cele"]
    assert [words.format_goals(n) for n in (1, 2)] == ["1 goal", "2 goals"]


def test_translators_can_reorder_the_values_in_a_text() -> None:
    """Every placeholder has a name, and the plural has all placeholders of the singular."""
    for text, _context in own_texts():
        one, many = (text, text) if isinstance(text, str) else text
        for form in (one, many):
            assert not re.search(r"%[sd]|\{\}", form), text
        assert set(re.findall(r"%\((\w+)\)", one)) <= set(re.findall(r"%\((\w+)\)", many)), text


def test_dates_have_the_format_of_the_language(settings: Settings) -> None:
    day = datetime(2026, 3, 7, 18, 5, tzinfo=UTC)
    settings.LANGUAGES = [*settings.LANGUAGES, ("de", "Deutsch")]
    for language, short, long in (
        ("en", "7 Mar 2026", "7 March 2026, 18:05"),
        ("de", "07.03.2026", "7. März 2026 18:05"),
    ):
        with translation.override(language):
            assert date_format(day, "SHORT_DATE_FORMAT") == short
            assert date_format(day, "DATETIME_FORMAT") == long


def test_pages_in_a_right_to_left_language_set_dir(settings: Settings, client: Client) -> None:
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "العربية")]
    choose_language(client, "ar")
    assert '<html lang="ar" dir="rtl"' in client.get("/").text
