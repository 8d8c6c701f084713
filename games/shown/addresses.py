"""Addresses of lessons and rules by title; those that name no title belong to the first one with some."""

from django.urls import reverse

from games.titles.registry import has_talent, titles_with
from games.titles.talents import Talent


def lesson_url(key: str, number: int | None = None) -> str:
    """Return the address of a lesson of a title, or of its first one; empty if the title has none."""
    if not has_talent(key, Talent.LESSONS):
        return ""
    if number is None:
        return reverse("games:learn", kwargs=_named(key, Talent.LESSONS))
    return reverse("games:learn_step", kwargs={**_named(key, Talent.LESSONS), "number": number})


def rules_url(key: str) -> str:
    """Return the address of the rules of a title; empty if the title has no page with them."""
    if not has_talent(key, Talent.RULES):
        return ""
    return reverse("games:rules", kwargs=_named(key, Talent.RULES))


def _named(key: str, talent: Talent) -> dict[str, str]:
    return {} if titles_with(talent)[0] == key else {"title": key}
