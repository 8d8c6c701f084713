"""Makes any text of an email safe to compare, to store and to show."""

import unicodedata

_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# Format characters are invisible. No word needs selectors of variants and the tones of emoji.
_INVISIBLE = "Cf"
_SELECTORS = {*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0x1F3FB, 0x1F400)), "\u034f"}
# PostgreSQL stores no NUL, and no database stores half of a surrogate pair.
_UNSTORABLE = {"Cc", "Cs"}


def one_line(text: str) -> str:
    r"""Return a text on one line, with plain letters, digits and spaces, and without invisible characters.

    Letters and digits of other widths and forms are written as usual ones (NFKC). A character that cannot be
    stored, such as NUL, is shown as the replacement character, so that it never joins two halves of a word.

    >>> one_line("ｔake\u200b ２ \xa0 at\0E1")
    'take 2 at�E1'
    """
    text = " ".join(text.split())
    if text.isascii() and text.isprintable():
        return text
    # Some characters become words with spaces.
    return " ".join(unicodedata.normalize("NFKC", "".join(map(_printable, text))).split())


def _printable(character: str) -> str:
    category = unicodedata.category(character)
    if category == _INVISIBLE or character in _SELECTORS:
        return ""
    return _REPLACEMENT if category in _UNSTORABLE else character
