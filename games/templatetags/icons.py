"""Pictures from the sheet of symbols (`games/sprite.svg`) in templates."""

from functools import cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


# Cached, because a board page shows dozens of icons and there are few different ones.
@register.simple_tag
@cache
def icon(symbol: str, classes: str = "icon") -> SafeString:
    """Return the picture of a symbol, hidden from screen readers; `classes` may be empty."""
    attribute = format_html(' class="{}"', classes) if classes else ""
    return format_html('<svg{} aria-hidden="true"><use href="#{}"/></svg>', attribute, symbol)


@register.simple_tag
def seat_mark(seat: int) -> SafeString:
    """Return the small mark of a seat, in its colour."""
    return icon(f"disc-{seat}", "disc-mark")
