"""Template filters for the lines of a chat and for notes."""

from django import template
from django.utils.html import Urlizer
from django.utils.safestring import SafeString, mark_safe

from games.models import version_of_note

register = template.Library()
register.filter("note_version", version_of_note)


class _Urlizer(Urlizer):
    """Makes links that neither recommend their target nor give it access to the page."""

    url_template = '<a href="{href}" rel="nofollow ugc noopener noreferrer">{url}</a>'


@register.filter
def with_links(text: str) -> SafeString:
    """Return a text of a player as HTML: escaped, with links to the web and email addresses in it."""
    return mark_safe(_Urlizer()(text, autoescape=True))  # noqa: S308  # the class escapes the text
