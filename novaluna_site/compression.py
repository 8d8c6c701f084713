"""Middleware that compresses pages, so that they are small without a proxy that does it."""

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")


class CompressionMiddleware(GZipMiddleware):
    """Compresses responses that are text, except for streams, whose events would wait in a buffer.

    Compression can reveal a secret of a page to an attacker who chooses other parts of that page and reads
    the size of the response (BREACH). Our pages repeat their address in links, and lists of games have the
    keys of private tables. So Django adds up to 100 random bytes to each response, which proxies do not do.
    CSRF tokens and request ids differ in each response, no page has the session's key, and requests that
    another site's page sends in the background have no session (SameSite=Lax).
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_text = response.get("Content-Type", "").startswith(TEXTS)
        if response.streaming or not is_text:
            return response
        return super().process_response(request, response)
