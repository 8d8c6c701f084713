"""The template tag `site_name` of all templates."""

from django import template
from django.conf import settings

register = template.Library()


@register.simple_tag
def site_name() -> str:
    """Return the name of the site, which pages and emails show."""
    return settings.SITE_NAME
