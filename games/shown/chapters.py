"""Chapters of the rules of a title, and the search in them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.safestring import SafeString, mark_safe


@dataclass(frozen=True)
class Chapter:
    """A chapter of the rules; `slug` is its anchor."""

    slug: str
    title: str
    html: SafeString


def render_chapters(
    folder: str, titles: Mapping[str, object], context: Mapping[str, object]
) -> tuple[Chapter, ...]:
    """Return the chapters of these titles by slug, whose templates are in a folder of the title."""
    # Marked safe because the text is of the title, in templates that escape their variables.
    return tuple(
        Chapter(slug, str(title), mark_safe(render_to_string(f"{folder}/{slug}.html", dict(context))))  # noqa: S308 - see above
        for slug, title in titles.items()
    )


def search(chapters: Sequence[Chapter], query: str) -> Sequence[Chapter]:
    """Return the chapters in which each word of `query` starts a word of the text, and mark these words."""
    words = [re.compile(rf"\b{re.escape(word)}", re.IGNORECASE) for word in query.split()]
    return [
        Chapter(chapter.slug, chapter.title, _mark(chapter.html, words))
        for chapter in chapters
        if all(word.search(f"{chapter.title} {strip_tags(chapter.html)}") for word in words)
    ]


def _mark(html: str, words: Sequence[re.Pattern[str]]) -> SafeString:
    """Return a chapter with `words` marked in its text, but not in its tags and drawings."""
    wanted = re.compile("|".join(word.pattern for word in words), re.IGNORECASE)
    parts = re.split(r"(<svg.*?</svg>|<[^>]*>|&\w+;)", html, flags=re.DOTALL)
    parts[::2] = [wanted.sub(r"<mark>\g<0></mark>", text) for text in parts[::2]]
    return mark_safe("".join(parts))  # noqa: S308 (the text is of the title, and marks add no text)
