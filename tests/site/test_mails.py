"""The texts of turn emails, rendered from plain data."""

import re
from unittest.mock import patch

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from accounts.models import User

CONTEXT = {
    "user": User(username="Ines"),
    "game_url": "https://nova-luna.example/g/abc/",
    "opponents": ["Tobias", "Halley"],
    "sentences": ["Tobias took yellow 1: time 38 to 39.", "Halley refilled the wheel."],
    "rows": [
        {"name": "Ines", "is_you": True, "discs": 1, "time": 41},
        {"name": "Tobias", "is_you": False, "discs": 16, "time": 39},
        {"name": "Halley", "is_you": False, "discs": 18, "time": 44},
    ],
    "display": [
        [None, {"colour": "yellow", "cost": 6}],
        [{"colour": "red", "cost": 5}, {"colour": "blue", "cost": 3}],
    ],
    "unsubscribe_url": "https://nova-luna.example/account/turn-mails/off/1.token/",
    "settings_url": "https://nova-luna.example/account/settings/",
}


def render(name: str, **changes: object) -> str:
    return render_to_string(f"novaluna/mail/{name}", CONTEXT | changes)


@pytest.mark.parametrize(
    ("opponents", "subject"),
    [
        (["Tobias"], "Your turn against Tobias"),
        (["Tobias", "Halley"], "Your turn against Tobias and Halley"),
        (["Tobias", "Halley", "Mina"], "Your turn against Tobias, Halley and Mina"),
        (["O'Neill"], "Your turn against O'Neill"),
    ],
)
def test_the_subject_names_the_opponents(opponents: list[str], subject: str) -> None:
    assert render_to_string("mail/turn_subject.txt", {"opponents": opponents}).strip() == subject


def test_the_text_version_has_all_information() -> None:
    lines = render("turn.txt").splitlines()
    assert lines[0] == "Your turn, Ines."
    items = [line for line in lines if line.startswith("- ")]
    assert items == [
        "- Tobias took yellow 1: time 38 to 39.",
        "- Halley refilled the wheel.",
        "- You: 1 disc left, time 41",
        "- Tobias: 16 discs left, time 39",
        "- Halley: 18 discs left, time 44",
    ]
    for url in ("game_url", "unsubscribe_url", "settings_url"):
        assert any(line.endswith(str(CONTEXT[url])) for line in lines)
    assert not re.search(r"[<&]", "\n".join(lines))


def test_the_html_version_has_the_same_information_and_a_picture() -> None:
    html = render("turn.html")
    for words in (
        "Your turn, Ines",
        "Tobias took yellow 1: time 38 to 39.",
        "1 disc left",
        "16 discs left",
        "time 44",
    ):
        assert words in html
    assert re.findall(r'title="(\w+ \d)"', html) == ["yellow 6", "red 5", "blue 3"]
    for url in ("game_url", "unsubscribe_url", "settings_url"):
        assert f'href="{CONTEXT[url]}"' in html
    assert "<script" not in html


def test_the_html_version_has_the_active_language() -> None:
    words = {"blue": "blau", "red": "rot", "yellow": "gelb"}
    with (
        translation.override("de"),
        patch("django.utils.translation._trans.gettext", lambda text: words.get(text, text)),
    ):
        html = render("turn.html")
    assert '<html lang="de">' in html
    assert re.findall(r'title="(\w+ \d)"', html) == ["gelb 6", "rot 5", "blau 3"]


def test_the_first_turns_email_has_no_history_and_no_picture() -> None:
    html = render("turn.html", sentences=[], display=[])
    assert "Since your last turn" not in html
    assert "Your display" not in html
    assert "Since your last turn" not in render("turn.txt", sentences=[], display=[])


@pytest.mark.parametrize("name", ["turn.txt", "turn.html"])
def test_what_happened_comes_before_what_can_be_done(name: str) -> None:
    offer = {"title": "Refill the wheel", "detail": "A refill adds 9 tiles.", "line": "refill"}
    text = render(name, offers=[(offer, "https://nova-luna.example/move/1/")], reply_to="reply@example.org")
    assert text.index("Tobias took") < text.index("Refill the wheel") < text.index("answer this email")
    if name.endswith("html"):
        assert text.index("Tobias took") < text.index("Your display") < text.index("Refill the wheel")


def test_the_text_version_lists_the_tiles_in_reach_before_the_moves_that_number_them() -> None:
    offer = {"title": "Blue 4", "detail": "", "line": "take 1 at E1"}
    offers = [(offer, "https://nova-luna.example/move/1/")]
    reach = ["blue 4 costs 4 in time. Goals: two red"]
    text = render("turn.txt", offers=offers, reach=reach, reply_to="reply@example.org")
    assert text.index("1. blue 4 costs 4 in time") < text.index("take 1 at E1")


def test_the_example_of_a_reply_is_not_repeated() -> None:
    offer = {"title": "Refill the wheel", "detail": "", "line": "refill"}
    offers = [(offer, "https://nova-luna.example/move/1/")]
    html = render("turn.html", offers=offers, can_refill=True, reply_to="reply@example.org")
    assert "such as “refill” or “resign”" in html


@pytest.mark.parametrize("name", ["turn.txt", "turn.html"])
@pytest.mark.parametrize("reply_to", ["", "reply@example.org"])
def test_a_move_says_with_which_words_one_replies(name: str, reply_to: str) -> None:
    offer = {"title": "Blue 4", "detail": "", "line": "take 1 at E1"}
    text = render(name, offers=[(offer, "https://nova-luna.example/move/1/")], reply_to=reply_to)
    words = " ".join(re.sub(r"<[^>]+>", " ", text).split())
    assert ("or reply with: take 1 at E1" in words) is bool(reply_to)
    assert "Blue 4" in words


def test_four_players_have_two_lines_and_three_have_one() -> None:
    """On a phone of 320 pixels, four columns would be too wide."""
    rows = [*CONTEXT["rows"], {"name": "Mina", "is_you": False, "discs": 17, "time": 40}]  # type: ignore[misc]
    for shown, lengths in ((rows[:3], [3]), (rows, [2, 2])):
        html = render("turn.html", rows=shown)
        lines = re.findall(r"<tr>((?:(?!</?tr>).)*discs? left(?:(?!</?tr>).)*)</tr>", html, re.DOTALL)
        assert [line.count("<td") for line in lines] == lengths


def test_names_are_escaped_in_html_and_plain_in_text() -> None:
    assert "<b>Tobias</b> took" not in render("turn.html", sentences=["<b>Tobias</b> took red 2."])
    assert "<b>Tobias</b> took" in render("turn.txt", sentences=["<b>Tobias</b> took red 2."])
