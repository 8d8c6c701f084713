"""The site as an app on one's own device: its manifest, its service worker, its page without a network.

The worker keeps static files and the offline page: no page of a game or a person, no stream, no data.
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

NIGHT = "#0b0e1c"  # the page's background in the dark theme

checked_each_time = cache_control(private=True, no_cache=True)


@require_safe
@checked_each_time
def manifest(request: HttpRequest) -> HttpResponse:
    """Return what a browser needs to know to install the site: names, icons, colours, shortcuts."""
    return JsonResponse(
        {
            "id": "/",
            "name": _("Nova Luna, play by mail"),
            "short_name": "Nova Luna",
            "description": _("Play Nova Luna with friends, a turn at a time, or alone."),
            "lang": get_language(),
            "dir": "rtl" if get_language_bidi() else "ltr",
            "start_url": reverse("games:home"),
            "scope": "/",
            "display": "standalone",
            "background_color": NIGHT,
            "theme_color": NIGHT,
            "categories": ["games"],
            "icons": [
                _icon("favicon.svg", "any", "image/svg+xml"),
                _icon("app-192.png", "192x192"),
                _icon("app-512.png", "512x512"),
                _icon("app-maskable-512.png", "512x512", purpose="maskable"),
            ],
            "shortcuts": [
                {"name": _("Solo"), "url": reverse("games:solo")},
                {"name": _("New table"), "url": reverse("games:new")},
            ],
        },
        content_type="application/manifest+json",
    )


def _icon(name: str, sizes: str, kind: str = "image/png", **more: str) -> dict[str, str]:
    return {"src": static(f"games/icons/{name}"), "sizes": sizes, "type": kind, **more}


@require_safe
@checked_each_time
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the worker's script, which changes with any static file and with the offline page."""
    page = render_to_string("webapp/offline.html", request=request)
    files = sorted(set(re.findall(rf'(?:href|src)="({re.escape(settings.STATIC_URL)}[^"]+)"', page)))
    release = getattr(staticfiles_storage, "manifest_hash", "") + page
    context = {
        "cache": json.dumps(f"novaluna-{sha256(release.encode()).hexdigest()[:12]}"),
        "static_url": json.dumps(settings.STATIC_URL),
        "offline_url": json.dumps(reverse("offline")),
        "files": json.dumps(files),
    }
    return render(request, "webapp/service-worker.js", context, content_type="text/javascript")


@require_safe
@checked_each_time
def offline(request: HttpRequest) -> HttpResponse:
    """Return the page that the worker shows where there is no network; it knows nothing of its reader."""
    return render(request, "webapp/offline.html")


urlpatterns = [
    path("manifest.webmanifest", manifest, name="manifest"),
    path("service-worker.js", service_worker, name="service_worker"),
    path("offline/", offline, name="offline"),
]
