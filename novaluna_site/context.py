"""What every page knows."""

from django.conf import settings
from django.http import HttpRequest

from accounts.themes import THEMES


def site(request: HttpRequest) -> dict[str, object]:
    """Return the chosen theme (empty: as the system has it) and whether mails are read on a page here."""
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in THEMES else "",
        "has_mailbox": settings.MAILBOX_DIR is not None,
    }
