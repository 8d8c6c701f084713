"""The navigation of the account pages."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

register = template.Library()

FOR_ALL = "all"
FOR_GUESTS = "guests"
FOR_OWNERS = "owners"  # of an account with an address and a password

# The name of each page's URL, its name on the pages, and for whom it is.
PAGES = (
    ("accounts:settings", _("Settings"), FOR_ALL),
    ("games:profile_settings", _("Profile"), FOR_ALL),
    ("games:hours", _("Hours and vacation"), FOR_ALL),
    ("account_signup", _("Sign up"), FOR_GUESTS),
    ("games:notifications", _("Notifications"), FOR_OWNERS),
    ("account_email", _("Email"), FOR_OWNERS),
    ("account_change_password", _("Password"), FOR_OWNERS),
    ("mfa_index", _("Security"), FOR_OWNERS),
    ("usersessions_list", _("Sessions"), FOR_ALL),
    ("games:reports", _("Reports"), FOR_ALL),
)


@register.inclusion_tag("accounts/_pages.html", takes_context=True)
def account_pages(context: Mapping[str, Any]) -> dict[str, object]:
    """Render links to the account pages; on phones folded, under the name of the current one."""
    request: HttpRequest = context["request"]
    hidden = FOR_OWNERS if context["user"].is_guest else FOR_GUESTS
    pages = [(reverse(url), name) for url, name, whose in PAGES if whose != hidden]
    return {"pages": pages, "path": request.path, "current": dict(pages).get(request.path, "")}
