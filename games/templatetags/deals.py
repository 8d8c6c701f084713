"""The field in which a form that takes a seat sends a nonce."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.queries.deals.public import commitment_for

register = template.Library()

FIELD = SafeString('<input type="hidden" name="nonce">')


@register.simple_tag
def nonce_field(ticket: object = "") -> SafeString:
    """Return the hidden field of a nonce, which a script fills.

    In a form that opens a table, it has the commitment to the secret of this table: so everybody can read
    the commitment before they send their nonce. `ticket` is the request id, or the key of the game before.
    """
    if not ticket:
        return FIELD
    return format_html('<input type="hidden" name="nonce" data-commitment="{}">', commitment_for(str(ticket)))
