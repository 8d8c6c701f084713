"""The site as an installable app: the manifest, the service worker and the offline page.

The service worker caches static files and the offline page only, never pages of games or people, or streams.
"""

import json
import re
from hashlib import sha256

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import path, reverse
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.titles.registry import offers
from games.titles.talents import Talent

DARK_BACKGROUND = "#0b0e1c"  # of pages in the dark theme

revalidated = cache_control(private=True, no_cache=True)


@require_safe
@revalidated
def manifest(request: HttpRequest) -> HttpResponse:
    """Return the web app manifest: names, icons, colours and shortcuts."""
    has_solo = offers(Talent.SOLO)
    return JsonResponse(
        {
            "id": "/",
            "name": _("%(site)s, play by mail") % {"site": settings.SITE_NAME},
            "short_name": settings.SITE_NAME,
            "description": (
                _("Play %(site)s turn by turn with friends, or solo.")
                if has_solo
                else _("Play %(site)s turn by turn with friends.")
            )
            % {"site": settings.SITE_NAME},
            "lang": get_language(),
            "dir": "rtl" if get_language_bidi() else "ltr",
            "start_url": reverse("games:home"),
            "scope": "/",
            "display": "standalone",
            "background_color": DARK_BACKGROUND,
            "theme_color": DARK_BACKGROUND,
            "categories": ["games"],
            "icons": [
                _icon("favicon.svg", "any", "image/svg+xml"),
                _icon("app-192.png", "192x192"),
                _icon("app-512.png", "512x512"),
                _icon("app-maskable-512.png", "512x512", purpose="maskable"),
            ],
            "shortcuts": [
                *([{"name": _("Solo"), "url": reverse("games:solo")}] if has_solo else []),
                {"name": _("New game"), "url": reverse("games:new")},
            ],
        },
        content_type="application/manifest+json",
    )


def _icon(name: str, sizes: str, kind: str = "image/png", **more: str) -> dict[str, str]:
    return {"src": static(f"games/icons/{name}"), "sizes": sizes, "type": kind, **more}


@require_safe
@revalidated
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker's script.

    The script changes with the static files and the offline page, so browsers then update their cache.
    """
    page = render_to_string("webapp/offline.html", request=request)
    files = sorted(set(re.findall(rf'(?:href|src)="({re.escape(settings.STATIC_URL)}[^"]+)"', page)))
    release = getattr(staticfiles_storage, "manifest_hash", "") + page
    context = {
        "cache": json.dumps(f"novaluna-{sha256(release.encode()).hexdigest()[:12]}"),
        "static_url": json.dumps(settings.STATIC_URL),
        "offline_url": json.dumps(reverse("offline")),
        "browsers_url": json.dumps(reverse("games:add_browser")),
        "icon": json.dumps(static("games/icons/app-192.png")),
        "files": json.dumps(files),
    }
    return render(request, "webapp/service-worker.js", context, content_type="text/javascript")


@require_safe
@revalidated
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the service worker shows without a network; it is the same for every user."""
    return render(request, "webapp/offline.html")


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service_worker"),
    path("offline/", offline, name="offline"),
]
