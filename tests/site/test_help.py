"""The help page: its chapters, the search in them, and the ways to it and to the rules."""

import re

import pytest
from django.test import Client

from games.shown import help as chapters
from tests.clients import HTMX

pytestmark = pytest.mark.django_db


def page(path: str, **headers: str) -> str:
    response = Client().get(path, headers=headers)
    assert response.status_code == 200
    return response.text


def sections(text: str) -> list[str]:
    return re.findall(r'<section id="([a-z]+)"', text)


def test_the_help_has_every_chapter_and_the_words_of_titles() -> None:
    text = page("/help/")
    assert sections(text) == list(chapters.CHAPTERS)
    assert "10 min, +30 s a turn" in text
    assert "take 2 at E1 S1" in text
    assert "After a game of Nova Luna, the expert" in " ".join(text.split())
    assert "kept for 30 days after your last visit" in " ".join(text.split())
    assert 'href="/help/"' in page("/"), "the foot of every page leads there"


def test_the_search_shows_chapters_with_the_word_and_leads_back_to_all() -> None:
    for headers in ({}, HTMX):
        text = page("/help/?q=fingerprint", **headers)
        assert sections(text) == ["deals"]
        assert "<mark>fingerprint</mark>" in text
        assert re.search(r'href="/help/">\s*Show all chapters', text)
        assert 'href="/rules/?q=fingerprint"' in text


def test_the_search_in_the_rules_knows_diagonals_and_leads_to_the_help() -> None:
    text = page("/rules/?q=diagonal")
    assert sections(text) == ["goals"]
    assert re.search(r'href="/rules/">\s*Show all chapters', text)
    assert 'href="/help/?q=diagonal"' in text
    assert sections(page("/help/?q=clocks")) == ["clocks", "mail"] or "clocks" in sections(
        page("/help/?q=clocks")
    )


@pytest.mark.parametrize("path", ["/new/", "/account/notifications/"])
def test_words_lead_to_their_chapters(path: str, ines: object) -> None:
    client = Client()
    client.force_login(ines)  # type: ignore[arg-type]
    anchors = re.findall(r'href="/help/#([a-z]+)"', client.get(path).text)
    expected = {"clocks", "ratings", "leaving"} if path == "/new/" else {"mail"}
    assert expected <= set(anchors) <= set(chapters.CHAPTERS)
