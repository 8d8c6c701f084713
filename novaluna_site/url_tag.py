"""The template tag `url` of all templates, which keeps the addresses that a process has looked up."""

from collections.abc import Hashable
from functools import lru_cache

from django import template
from django.conf import settings
from django.template import Context, defaulttags
from django.template.base import Parser, Token
from django.urls import NoReverseMatch, reverse
from django.utils.html import conditional_escape

KEPT_ADDRESSES = 16_384

register = template.Library()


class KeptURLNode(defaulttags.URLNode):
    """Django's node, but an address is looked up once; a board page shows thirty.

    No address of the site depends on the application of the current page.
    """

    def render(self, context: Context) -> str:
        """Return the address, or an empty text if it is for a variable. Raises NoReverseMatch."""
        args = tuple(arg.resolve(context) for arg in self.args)
        kwargs = tuple((name, value.resolve(context)) for name, value in self.kwargs.items())
        try:
            address = _address(settings.ROOT_URLCONF, self.view_name.resolve(context), args, kwargs)
        except NoReverseMatch:
            return super().render(context)  # which knows when this is an error
        if self.asvar:
            context[self.asvar] = address
            return ""
        return conditional_escape(address) if context.autoescape else address


@register.tag
def url(parser: Parser, token: Token) -> KeptURLNode:
    """Return the node for `{% url name argument … as variable %}`."""
    node = defaulttags.url(parser, token)
    return KeptURLNode(node.view_name, node.args, node.kwargs, node.asvar)


@lru_cache(KEPT_ADDRESSES)
def _address(
    urlconf: str, name: str, args: tuple[Hashable, ...], kwargs: tuple[tuple[str, Hashable], ...]
) -> str:
    return reverse(name, urlconf, args, dict(kwargs))
