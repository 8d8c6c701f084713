"""A context processor: variables for the templates of all pages."""

from django.conf import settings
from django.http import HttpRequest

from accounts.themes import THEMES


def site(request: HttpRequest) -> dict[str, object]:
    """Return the theme, the languages, the site's URL, whether it has mailbox pages, and its provider.

    The theme is "" if the page follows the device's setting. The languages are (code, name) pairs, and empty
    if the site has only one.
    """
    theme = request.COOKIES.get("theme", "")
    return {
        "theme": theme if theme in THEMES else "",
        "languages": settings.LANGUAGES if len(settings.LANGUAGES) > 1 else (),
        "site_url": settings.SITE_URL,
        "has_mailbox": settings.MAILBOX_DIR is not None,
        "login_provider": settings.LOGIN_PROVIDER,
    }
