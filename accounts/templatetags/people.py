"""Template tags of the account pages."""

from django import template
from django.forms import BoundField

register = template.Library()


@register.filter
def without_placeholder(field: BoundField) -> str:
    """Render a field of allauth without its placeholder, which only repeats the label."""
    return field.as_widget(attrs={"placeholder": False})
