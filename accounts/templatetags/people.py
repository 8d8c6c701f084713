"""Template tags of the account pages."""

from django import template
from django.forms import BoundField
from django.template import RequestContext

from accounts.addresses import unconfirmed_address

register = template.Library()


@register.filter
def without_placeholder(field: BoundField) -> str:
    """Render a field of allauth without its placeholder, which only repeats the label."""
    return field.as_widget(attrs={"placeholder": False})


@register.inclusion_tag("accounts/_confirm_hint.html", takes_context=True)
def confirm_hint(context: RequestContext) -> dict[str, object]:
    """Show a note "confirm your address" to users without a confirmed address; show others nothing."""
    user = context["user"]
    address = unconfirmed_address(user) if user.is_authenticated else None
    return {"address": address, "request": context["request"], "csrf_token": context.get("csrf_token")}
