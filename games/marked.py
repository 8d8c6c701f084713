"""Texts that know which of their parts are names and notation, which browsers must not translate.

`gettext` and `ngettext` return such texts, so they remember the names that are put into them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils import translation
from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst


class MarkedText(str):
    """A plain text; its `html` is the same text with its names and notation marked."""

    _html: SafeString | None = None  # of a text with names or notation

    @property
    def html(self) -> SafeString:
        """The text as HTML."""
        return escape(str(self)) if self._html is None else self._html

    def __mod__(self, words: Mapping[str, object]) -> MarkedText:
        """Return the text with these words at its placeholders, which have names."""
        text = MarkedText(super().__mod__(words))
        if _has_marks((self, *words.values())):
            # Numbers stay numbers, for "%(count)d"; a "%" is nothing that HTML escapes.
            parts = {
                key: word if isinstance(word, int | float) else as_html(word) for key, word in words.items()
            }
            text._html = mark_safe(str(self.html) % parts)  # noqa: S308 (every part is escaped)
        return text

    def join(self, texts: Iterable[str], /) -> MarkedText:
        """Return the texts with this one between them."""
        parts = list(texts)
        text = MarkedText(super().join(parts))
        if _has_marks((self, *parts)):
            text._html = mark_safe(self.html.join(map(as_html, parts)))  # noqa: S308 (every part is escaped)
        return text

    def removeprefix(self, prefix: str, /) -> MarkedText:
        """Return the text without its first words, which have the same marks here and in `prefix`."""
        text = MarkedText(super().removeprefix(prefix))
        if self._html is not None:
            text._html = mark_safe(self._html.removeprefix(as_html(prefix)))  # noqa: S308 (as before)
        return text


def name(text: str) -> MarkedText:
    """Return a name or notation as a text that is not to be translated."""
    marked = MarkedText(text)
    marked._html = format_html('<span translate="no">{}</span>', str(text))
    return marked


def capitalise(text: str) -> MarkedText:
    """Return a text that begins with a capital letter; it must not begin with a name or notation."""
    marked = MarkedText(capfirst(text))
    if _has_marks((text,)):
        marked._html = mark_safe(capfirst(as_html(text)))  # noqa: S308 (as before)
    return marked


def as_html(text: object) -> SafeString:
    """Return a text as HTML, with its names and notation marked; a plain text has none."""
    if isinstance(text, MarkedText):
        return text.html
    return conditional_escape(text if isinstance(text, str) else str(text))


def gettext(message: str) -> MarkedText:
    """Return a translated text that remembers the names that are put into it."""
    return MarkedText(translation.gettext(message))


def ngettext(singular: str, plural: str, number: int) -> MarkedText:
    """Return a translated text in the singular or plural, as `gettext` does."""
    return MarkedText(translation.ngettext(singular, plural, number))


def _has_marks(texts: Iterable[object]) -> bool:
    return any(isinstance(text, MarkedText) and text._html is not None for text in texts)
