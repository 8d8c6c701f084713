"""Template filters that keep names and notation out of the translation that a reader's browser may make."""

from django import template
from django.utils.safestring import SafeString

from games import marked

register = template.Library()


@register.filter
def untranslated(name: str) -> SafeString:
    """Return a name or notation, as HTML, that is not to be translated."""
    return marked.name(name).html


@register.filter
def untranslated_names(text: str) -> SafeString:
    """Return a text, as HTML, in which marked names and notation are not to be translated."""
    return marked.as_html(text)
