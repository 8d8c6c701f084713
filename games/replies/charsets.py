"""Decodes the bytes of an email's text, also if its charset is unknown, wrong or not declared."""

import codecs
import re

# Python has codecs for other things than charsets, and some take quadratic time, such as "idna".
_CHARSET = re.compile(
    r"(us-)?ascii|utf-?(7|8|(16|32)(-?[bl]e)?)|(iso|windows|cp|koi8|latin|mac|big5|gb|euc|shift|hz|ks|tis).*"
)
# Programs declare a charset and use a larger one that contains it, as browsers know too.
_LARGER = {
    "ascii": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "big5": "cp950",
}
_NAMES = {"x-sjis": "cp932", "sjis": "cp932", "x-gbk": "gb18030", "x-euc-jp": "euc_jp"}
# In these, the bytes of UTF-8 can by chance be other letters.
_MULTIBYTE = re.compile(r"gb|big5|cp9(?:32|49|50)|euc|shift|iso2022|utf|hz|johab")
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decoded(content: bytes, declared: str) -> str:
    """Return the text of these bytes in the declared charset, or in the one that they seem to have.

    Charsets that are unknown or wrong do no harm to letters of ASCII.
    """
    for charset in _likely(content, declared):
        try:
            return content.decode(charset)
        except (UnicodeError, LookupError):
            continue
    return content.decode("windows-1252", "replace")


def _likely(content: bytes, declared: str) -> list[str]:
    """Return the charsets to try, the likeliest first."""
    charset = _codec(declared)
    if mark := next((name for bytes_, name in _MARKS.items() if content.startswith(bytes_)), ""):
        return [mark, charset]
    # Half of the bytes of Latin letters in UTF-16 are NUL.
    for first, name in ((1, "utf-16-le"), (0, "utf-16-be")):
        if content[first::2].count(0) > len(content) // 4:
            return [name, charset]
    # Text in a charset of single bytes is hardly ever valid UTF-8 by chance.
    return [charset, "utf-8"] if _MULTIBYTE.match(charset) else ["utf-8", charset]


def _codec(declared: str) -> str:
    """Return Python's name of a charset; UTF-8 for an unknown one."""
    name = declared.strip().lower()
    try:
        found = codecs.lookup(_NAMES.get(name) or (name if _CHARSET.fullmatch(name) else "utf-8")).name
    except (LookupError, ValueError):
        return "utf-8"
    return _LARGER.get(found, found)
