"""What every page knows."""

from django.conf import settings
from django.http import HttpRequest

from accounts.themes import THEMES


def site(request: HttpRequest) -> dict[str, object]:
    """Return the chosen theme (empty: as the system has it), languages, the address, whether mails lie here.

    The languages are (code, name) pairs, and none where there is no choice.
    """
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in THEMES else "",
        "languages": settings.LANGUAGES if len(settings.LANGUAGES) > 1 else (),
        "site_url": settings.SITE_URL,
        "has_mailbox": settings.MAILBOX_DIR is not None,
    }
