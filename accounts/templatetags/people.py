"""Template tags of the account pages."""

import json

from allauth.usersessions.models import UserSession
from django import template
from django.core.serializers.json import DjangoJSONEncoder
from django.forms import BoundField
from django.utils.translation import gettext as _

from accounts import visits
from accounts.models import SecurityEvent

register = template.Library()


@register.filter
def without_placeholder(field: BoundField) -> str:
    """Render a field of allauth without its placeholder, which only repeats the label."""
    return field.as_widget(attrs={"placeholder": False})


@register.filter
def as_json(value: object) -> str:
    """Return a value as JSON, for an attribute."""
    return json.dumps(value, cls=DjangoJSONEncoder)


@register.filter
def browser(session: UserSession | SecurityEvent) -> str:
    """Return the browser of a session or an event in words."""
    return visits.browser_of(session.user_agent)


@register.filter
def network(event: SecurityEvent) -> str:
    """Return the network of an event; empty if it is unknown."""
    return visits.in_words(event.network)


@register.filter
def place(session: UserSession) -> str:
    """Return the place and the network of a session, as far as they are known."""
    return ", ".join(filter(None, [visits.place_of(session), visits.in_words(session.ip)]))


@register.simple_tag
def passkey_failures() -> str:
    """Return, as JSON, what a page says when a browser makes or uses no passkey, by the name of its error."""
    return as_json(
        {
            "NotAllowedError": _("No passkey was used: it was cancelled or took too long. Please try again."),
            "InvalidStateError": _("This device has a passkey for your account already."),
            "SecurityError": _("Passkeys don't work here. Please open the site at its usual web address."),
            "NotSupportedError": _("This browser or device can't use passkeys."),
            "other": _("That did not work. Please load the page again and retry."),
        }
    )
