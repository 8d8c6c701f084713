"""People in templates."""

from collections.abc import Sequence

from django import template
from django.forms import BoundField
from django.template import RequestContext
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from accounts.addresses import unconfirmed_address

register = template.Library()


@register.filter
def names(people: Sequence[str]) -> str:
    """Return the names as one would say them.

    >>> names(["Tobias", "Halley", "Mina"])
    'Tobias, Halley and Mina'
    """
    return get_text_list(list(people), _("and"))


@register.filter
def without_placeholder(field: BoundField) -> str:
    """Render a field of allauth's without its placeholder, which says the label again in other words."""
    return field.as_widget(attrs={"placeholder": False})


@register.inclusion_tag("accounts/_confirm_hint.html", takes_context=True)
def confirm_hint(context: RequestContext) -> dict[str, object]:
    """Show a signed-in person that turn mails wait for a confirmed address; nothing to anybody else."""
    user = context["user"]
    address = unconfirmed_address(user) if user.is_authenticated and user.turn_mails else None
    return {"address": address, "request": context["request"], "csrf_token": context.get("csrf_token")}
