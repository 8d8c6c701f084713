"""The chapters of the help page, with what each title adds to them."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.ratings import GAMES_OF_NEWCOMERS, START
from games.shown.chapters import Chapter, render_chapters
from games.shown.clocks import PACE_LABELS
from games.shown.words import join_words
from games.titles.registry import TITLES, all_with, offers
from games.titles.talents import Talent

CHAPTERS = {
    "clocks": _("Clocks"),
    "ratings": _("Ratings"),
    "hints": _("Hints"),
    "reviews": _("Reviews, and what “action 23” means"),
    "deals": _("Is the deal fair?"),
    "duplicates": _("Duplicate matches"),
    "mail": _("Play by email"),
    "leaving": _("Leaving, and reliable players"),
    "watching": _("Watching and following"),
    "guests": _("Guests and signing up"),
    "chat": _("Chat, hiding lines, blocking and reporting"),
}
# Chapters about what not every title has.
NEEDS = {"hints": Talent.HINTS, "reviews": Talent.REVIEWS, "duplicates": Talent.DUPLICATE}


def help_chapters(guest_days: int) -> Sequence[Chapter]:
    """Return the chapters in the reader's language, without those about what no title of the site has.

    `guest_days` is how long the games of a guest are kept after their last visit.
    """
    shown = {slug: title for slug, title in CHAPTERS.items() if slug not in NEEDS or offers(NEEDS[slug])}
    facts = {
        "paces": PACE_LABELS.values(),
        "start": round(START),
        "least_games": GAMES_OF_NEWCOMERS,
        "guest_days": guest_days,
        "hinted": join_words([title.pages.name for title in all_with(Talent.HINTS)]),
        "reviewed": join_words([title.pages.name for title in all_with(Talent.REVIEWS)]),
    }
    return [_with_titles(chapter) for chapter in render_chapters("games/help", shown, facts)]


def _with_titles(chapter: Chapter) -> Chapter:
    """Return a chapter with the words that titles add to it, each with the name of the title."""
    html = chapter.html
    for title in TITLES.values():
        if words := title.pages.add_to_help(chapter.slug):
            html += format_html("<p><b>{}:</b> {}</p>", title.pages.name, words)
    return replace(chapter, html=html)
