"""What people write: whether a reader sees anything, marks near their letter, and directions."""

import re
import unicodedata

# Characters that look blank although Unicode lists them as letters or symbols: Hangul fillers, the empty
# Braille pattern and a musical symbol.
BLANK = set("\u115f\u1160\u3164\uffa0\u2800\U0001d159")
# General categories without anything to see by themselves: controls, formats, spaces, and marks for a letter.
UNSEEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs", "Mc", "Me", "Mn"}
# Code points that are never shown and mostly have no character yet: Unicode's Default_Ignorable_Code_Point.
IGNORABLE = re.compile("[\u2065\ufff0-\ufff8\U000e0000-\U000e0fff]")
# No language puts more marks on one letter; Hebrew with points and accents, and Tibetan, come close.
MOST_MARKS = 5


# Embeddings, overrides and isolates. Without an end, they turn around what follows, also in emails, where
# nothing isolates a text. The marks for one place (U+200E, U+200F, U+061C) stay.
DIRECTIONS = re.compile("[\u202a-\u202e\u2066-\u2069]")


def tidy(text: str) -> str:
    """Return a text as it is stored: composed (NFC), without controls of direction, and with few marks.

    >>> tidy("e\u0301 \u202eabc") == "\u00e9 abc"
    True
    """
    return unicodedata.normalize("NFC", bound_marks(DIRECTIONS.sub("", text)))


def has_visible(text: str) -> bool:
    """Return whether a reader sees anything of a text.

    >>> has_visible("\u200b \u3164"), has_visible("☾"), has_visible("\u0301")
    (False, True, False)
    """
    return any(_is_visible(character) for character in text)


def bound_marks(text: str) -> str:
    """Return the text with at most five marks on a letter, so that they cover no other line.

    >>> bound_marks("Z" + 99 * "\u0301") == "Z" + 5 * "\u0301"
    True
    """
    kept, marks = [], 0
    for character in text:
        category = unicodedata.category(character)
        # Joiners and other format characters between marks are not seen, so the marks are on one letter.
        marks = marks + 1 if category in ("Mn", "Me") else marks if category == "Cf" else 0
        if marks <= MOST_MARKS or category == "Cf":
            kept.append(character)
    return "".join(kept)


def _is_visible(character: str) -> bool:
    is_unseen = unicodedata.category(character) in UNSEEN or character in BLANK
    return not is_unseen and not IGNORABLE.match(character)
