"""Template tags for the lines of a chat and for notes."""

import re

from django import template
from django.urls import reverse
from django.utils.html import Urlizer
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from games.models import Game, version_of_note
from games.titles.history import query_at

register = template.Library()
register.filter("note_version", version_of_note)

LINK = re.compile(r"(<a .*?</a>)")


class _Urlizer(Urlizer):
    """Makes links that neither recommend their target nor give it access to the page."""

    url_template = '<a href="{href}" rel="nofollow ugc noopener noreferrer">{url}</a>'


@register.filter
def with_links(text: str) -> SafeString:
    """Return a text of a player as HTML: escaped, with links to the web and email addresses in it."""
    return mark_safe(_Urlizer()(text, autoescape=True))  # noqa: S308  # the class escapes the text


@register.simple_tag
def chat_text(text: str, game: Game, *, is_text: bool = False) -> SafeString:
    """Return a line of the chat as HTML, in which "action 23" leads to the board after that action.

    It does so in English and in the language of the page, for actions that the game has. `is_text` is set for
    a page of the text mode.
    """
    page = reverse("games:text" if is_text else "games:game", args=[game.key])
    words = {"action", _("action")}
    moment = re.compile(rf"\b(?:{'|'.join(map(re.escape, words))}) (\d{{1,4}})\b", re.IGNORECASE)

    def link(found: re.Match[str]) -> str:
        # Also the newest action has its number in the address, because the line stays when others follow.
        number = int(found[1])
        return found[0] if number > game.version else f'<a href="{page}{query_at(number)}">{found[0]}</a>'

    parts = LINK.split(with_links(text))
    # Every other part is a link already.
    linked = [part if place % 2 else moment.sub(link, part) for place, part in enumerate(parts)]
    return mark_safe("".join(linked))  # noqa: S308  # the parts are escaped, and links have only a number
