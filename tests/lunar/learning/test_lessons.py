"""The lessons, which accept only expected actions and lead to a first game of LUNAR."""

import re
from html import unescape

import pytest
from django.test import Client

from games.lunar.engine import Flip, Play
from games.lunar.learning.lessons import LESSONS, events_before, step_of, view_lesson
from games.models import Game
from games.titles.rules import IllegalAction

# The lessons store nothing, but their pages read the session of the visitor, and the last one starts a game.
pytestmark = [pytest.mark.django_db]

LAST = len(LESSONS)


def link_to(page: str, query: str) -> str:
    """Return the link that chooses something, if the page has it."""
    links = [unescape(link) for link in re.findall(r'href="([^"]+)"', page)]
    return next(link for link in links if link.startswith("/learn/lunar/") and query in link)


def confirm(client: Client, page: str) -> str:
    """Press Confirm without scripts, and return the page after that."""
    form = re.findall(r'<form id="choice".*?</form>', page, re.DOTALL)[0]
    address = re.findall(r'action="([^"#]+)', form)[0]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    assert 'type="submit"' in form
    return client.post(address, fields, follow=True).text


def test_the_lessons_can_be_played_to_the_end_without_scripts(client: Client) -> None:
    page = client.get("/learn/lunar/").text
    for number, lesson in enumerate(LESSONS, 1):
        assert f"Lesson {number} of {LAST}" in page
        assert str(lesson.title) in page
        match lesson.expected:
            case Play(_seat, card, source):
                chosen = link_to(page, f"card={card}" + (f"&from={source}" if source else ""))
            case Flip(_seat, suit):
                chosen = link_to(page, f"suit={suit}")
            case None:
                break
        page = confirm(client, client.get(chosen).text)
    assert number == LAST
    fields = dict(re.findall(r'name="(title|request_id)" value="([^"]+)"', page))
    client.post("/play/", fields)
    assert Game.objects.get().title == "lunar"
    assert Game.objects.get().is_running


@pytest.mark.parametrize("number", range(LAST - 1))
def test_a_lesson_accepts_its_action_and_corrects_all_others(client: Client, number: int) -> None:
    lesson, view = LESSONS[number], view_lesson(number)
    legal = list(view.newest.legal(0))
    assert lesson.expected in legal
    for action in legal:
        fields = {
            "do": "flip" if isinstance(action, Flip) else "play",
            "suit": getattr(action, "suit", ""),
            "card": getattr(action, "card", ""),
            "from": getattr(action, "source", None) or "",
        }
        answer = client.post(f"/learn/lunar/{number + 1}/", fields)
        if action == lesson.expected:
            assert (answer.status_code, answer["Location"]) == (302, f"/learn/lunar/{number + 2}/#main")
        else:
            assert answer.status_code == 200
            assert str(lesson.correction) in unescape(answer.text)


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "play"},
        {"do": "play", "card": "9"},
        {"do": "play", "card": "O"},  # the wolf was led
        {"do": "flip", "suit": "W"},
        {"do": "resign"},
        {"do": "cancel"},
    ],
    ids=str,
)
def test_what_is_not_possible_is_answered_kindly(client: Client, fields: dict[str, str]) -> None:
    answer = client.post("/learn/lunar/1/", fields)
    assert answer.status_code == 200
    assert "You can't do that here." in unescape(answer.text)


def test_what_follows_is_what_the_texts_say() -> None:
    assert [bool(events_before(number)) for number in range(LAST)] == [False, *[True] * (LAST - 1)]
    assert "You and Vega won the trick: wolf 7 over wolf 5" in events_before(1)[-1]
    assert "You and Vega won the trick: owl 1 over lynx 6" in events_before(2)[-1]
    assert "Bat is trump" in events_before(3)[-1]
    assert "3 tricks: 10 points" in events_before(4)[-1]
    assert "9 tricks: 0 points" in events_before(4)[-1]
    assert "won the trick and 1 star: " in events_before(5)[-1]
    assert "New in the sky" in events_before(6)[-1]


def test_the_other_card_of_the_fourth_lesson_would_be_a_fourth_trick() -> None:
    expected = LESSONS[3].expected
    [other] = [action for action in view_lesson(3).newest.legal(0) if action != expected]
    assert step_of(3, other).position.tricks_won == (4, 7)
    with pytest.raises(IllegalAction):
        step_of(3, Play(1, other.card))


def test_a_lesson_shows_no_hand_of_others() -> None:
    for number in range(LAST):
        view = view_lesson(number)
        for position in (view.start, *(step.position for step in view.steps)):
            assert all(card.is_hidden for hand in position.hands[1:] for card in hand)


@pytest.mark.parametrize("number", [0, LAST + 1])
def test_other_lesson_numbers_are_not_found(client: Client, number: int) -> None:
    assert client.get(f"/learn/lunar/{number}/").status_code == 404
