"""Lines of the chat that nobody can see, or that cover others."""

import unicodedata
import uuid

import pytest
from django.http import HttpResponse

from accounts.models import User
from games.models import ChatLine, Game, Notification
from tests.clients import HTMX, client_of

pytestmark = pytest.mark.django_db

# By their code points, because editors show none of them: spaces of no width, fillers, marks of direction,
# joiners, variation selectors, tags, controls, a private character and marks without a letter.
UNSEEN = [
    *(0x200B, 0x2800, 0x3164, 0x200E, 0xFEFF, 0x00AD, 0x2060, 0x180E, 0x115F, 0x034F),
    *(0x1160, 0xFFA0, 0x200D, 0x202E, 0x2066, 0x2065, 0xFE0F, 0xE0101, 0xE0041, 0x061C, 0x17B5, 0x1D159),
    *(0x00A0, 0x3000, 0x2028, 0x0085, 0x007F, 0xE000, 0x0301, 0x20DD, 0xFFF0),
]
SEEN = [
    "0",
    ".",
    "☾",
    "👍🏽",
    "❤\ufe0f",
    "\U0001fae8",
    "да",
    "はい",
    "\u200f\u05db\u05df",
    "e\u0301",
    "🏴\U000e0067\U000e007f",
    "❤\u200d🔥",
]


def composed(text: str) -> str:
    """Return a text as it is stored: one character for a letter with its mark, where there is one."""
    return unicodedata.normalize("NFC", text)


def post(user: User, game: Game, text: str) -> HttpResponse:
    fields = {"text": text, "request_id": str(uuid.uuid4())}
    return client_of(user).post(f"/g/{game.key}/chat/", fields, headers=HTMX)


def test_a_line_without_anything_to_see_is_refused_and_nobody_is_notified(game: Game, ines: User) -> None:
    owed = Notification.objects.count()
    for code in UNSEEN:
        for text in (chr(code), f" {chr(code)}\n{chr(code)} ", 3 * chr(code)):
            answer = post(ines, game, text)
            assert answer.status_code == 400, f"U+{code:04X} {unicodedata.category(chr(code))}"
    answer = post(ines, game, "".join(map(chr, UNSEEN)))
    assert "others can see" in answer.text
    assert not ChatLine.objects.exists()
    assert Notification.objects.count() == owed


def test_short_lines_in_any_script_and_emoji_are_stored(game: Game, ines: User) -> None:
    for text in SEEN:
        assert post(ines, game, text).status_code == 200, text
    assert list(ChatLine.objects.order_by("pk").values_list("text", flat=True)) == [
        composed(text) for text in SEEN
    ]


@pytest.mark.parametrize("mark", ["\u0301", "\u0489", "\u20e3"])
def test_a_letter_keeps_at_most_five_marks(game: Game, ines: User, mark: str) -> None:
    post(ines, game, "Z" + 499 * mark)
    assert ChatLine.objects.get().text == composed("Z" + 5 * mark)


@pytest.mark.parametrize("unseen", ["\u200d", "\u200c", "\u200b", "\u2060", "\u00ad"])
def test_characters_that_nobody_sees_part_no_marks_from_each_other(
    game: Game, ines: User, unseen: str
) -> None:
    post(ines, game, "Z" + 99 * f"\u0301{unseen}")
    assert unicodedata.normalize("NFD", ChatLine.objects.get().text).count("\u0301") == 5


def test_marks_of_languages_stay(game: Game, ines: User) -> None:
    """Vietnamese, pointed and accented Hebrew, Thai, Arabic and Tibetan."""
    text = "Nguye\u0302\u0303n בְּרֵאשִׁ֖ית ที่นี่ العَرَبِيَّة བསྒྲུབས"
    post(ines, game, text)
    assert ChatLine.objects.get().text == composed(text)
