"""The pseudo-locale: English with accents, doubled vowels and brackets, generated from the sources for tests.

A page in this language shows three faults: plain English means a text is not marked for translation; a
missing closing bracket means it is truncated; two bracketed texts in one sentence mean that code joined them.
`make pseudo` serves the site in it.

This finds the same texts as Django's `makemessages`, but without the gettext programs, and also the texts of
Django and allauth.
"""

import re
import sys
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path

import allauth
import django
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract, extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).parents[1]
PACKAGES = ("accounts", "games", "novaluna_site")
KEYWORDS = DEFAULT_KEYWORDS | {f"{name}_lazy": spec for name, spec in DEFAULT_KEYWORDS.items()}

LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "àƀçđéƒĝĥîĵķļɱñôþɋŕšţûṽŵẋýžÀƁÇĐÉƑĜĤÎĴĶĻṀÑÔÞɊŔŠŢÛṼŴẊÝŽ",
)
# Placeholders, tags, entities and URLs do not change.
UNCHANGED = re.compile(r"(%\(\w+\)[a-z]|%[a-z%]|\{\w*\}|</?\w[^>]*>|&#?\w+;|https?://\S+)")


def pseudo(text: str) -> str:
    """Return `text` in the pseudo-locale; a text without letters does not change.

    >>> pseudo("Table of %(names)s")
    '⟦Ţààƀļéé ôôƒ %(names)s⟧'
    """
    if not re.search("[A-Za-z]", UNCHANGED.sub("", text)):
        return text
    parts = UNCHANGED.split(text)
    parts[::2] = [re.sub("([aeiou])", r"\1\1", part).translate(LETTERS) for part in parts[::2]]
    start, end = re.match(r"\s*", text)[0], re.search(r"\s*$", text)[0]
    return f"{start}⟦{''.join(parts).strip()}⟧{end}"


def write(folder: Path) -> None:
    """Write the catalogue into `folder`, which is to be one of the `LOCALE_PATHS`."""
    catalogue = Catalog(locale="en")
    for text, context in chain(own_texts(), _installed_texts()):
        catalogue.add(
            text, pseudo(text) if isinstance(text, str) else tuple(map(pseudo, text)), context=context
        )
    path = folder / "en_XA" / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_mo(file, catalogue)


# A text, or a tuple of singular and plural, with its context.
Text = tuple[str | tuple[str, ...], str | None]


def own_texts() -> Iterator[Text]:
    """Yield the marked texts of this project's Python files and templates."""
    for package in PACKAGES:
        for file in (ROOT / package).rglob("*.py"):
            for _line, text, _comments, context in extract_from_file("python", file, KEYWORDS):
                yield text, context
    for file in (*(ROOT / "templates").rglob("*.*"), *(ROOT / "games").rglob("templates/**/*.*")):
        # templatize() returns gettext calls between blank text; their indentation has no meaning.
        calls = re.sub(r"^\s+", "", templatize(file.read_text()), flags=re.MULTILINE)
        for _line, text, _comments, context in extract("python", BytesIO(calls.encode()), KEYWORDS):
            yield text, context


def _installed_texts() -> Iterator[Text]:
    for package in (django, allauth):
        for file in Path(package.__file__).parent.rglob("locale/en/LC_MESSAGES/django.po"):
            with file.open("rb") as po:
                yield from ((message.id, message.context) for message in read_po(po) if message.id)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
