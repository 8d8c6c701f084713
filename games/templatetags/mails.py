"""Template tags for the looks of emails, which are in each tag: mail programs apply only inline styles.

The classes are for dark mode and narrow screens, for which `mail/base.html` has a style sheet.
"""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;"
TEXT, MUTED, LINE = "#1b1f3d", "#5a5d78", "#ddd6c5"


@register.simple_tag
def font(size: int, height: int) -> SafeString:
    """Return the properties of the font of emails, with its size and the height of lines in pixels."""
    return mark_safe(f"{SANS}font-size:{size:d}px;line-height:{height:d}px;")  # noqa: S308 - only numbers vary


# Class, then the property for the space around, then all others.
_LOOKS = {
    "heading": ("m-text", "margin", f"{font(15, 22)}color:{TEXT};"),
    "line": ("m-line m-text", "padding", f"border-top:1px solid {LINE};{font(15, 22)}color:{TEXT};"),
    "link": ("m-text", "", f"color:{TEXT};text-decoration:underline;"),
    "small": ("m-pad m-muted", "padding", f"{font(14, 20)}color:{MUTED};"),
    "words": ("m-pad m-muted", "padding", f"{font(15, 22)}color:{MUTED};"),
}


@register.simple_tag
def look(name: str, space: str = "") -> SafeString:
    """Return the attributes of a tag that looks like a heading, a line of a list, a link, or words.

    `space` is its margin or padding, such as "0 32px".
    """
    names, around, style = _LOOKS[name]
    space = f"{around}:{space};" if space else ""
    return format_html('class="{}" style="{}{}"', names, space, mark_safe(style))  # noqa: S308 - a constant
