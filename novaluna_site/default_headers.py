"""Middleware that adds the headers of every response."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from novaluna_site.around import around

# What the site never uses, so that no code in a page can ask for it.
UNUSED_FEATURES = (
    "accelerometer",
    "camera",
    "display-capture",
    "geolocation",
    "gyroscope",
    "hid",
    "magnetometer",
    "microphone",
    "midi",
    "payment",
    "serial",
    "usb",
    "xr-spatial-tracking",
)
HEADERS = {
    "Permissions-Policy": ", ".join(f"{feature}=()" for feature in UNUSED_FEATURES),
    # Every page names its viewer, so only a view that says so may be stored by a cache or a browser.
    "Cache-Control": "private, no-store",
    # Scripts use only responses with this header: proxies and wireless networks respond in our place.
    "X-Nova-Luna": "site",
}


def _add_headers(_request: HttpRequest, response: HttpResponseBase, _begun: None) -> None:
    """Add each of `HEADERS` to a response that does not have it."""
    for name, value in HEADERS.items():
        response.setdefault(name, value)


default_headers = around(lambda: None, _add_headers)
