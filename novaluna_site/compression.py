"""Compresses pages and the events of streams, so that they are small without a proxy that does it."""

import secrets
import struct
import zlib

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


class EventCompressor:
    """Compresses the events of one stream as gzip, each by itself, so that none waits in a buffer.

    Between two events it keeps a few numbers; a compressor of zlib would keep 250 kB for each open page.
    Boards get random bytes, as pages do.
    """

    _EMPTY_BLOCK = b"\0\0\0\xff\xff"

    def __init__(self) -> None:
        self._crc = self._size = 0
        self._unsent = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"  # the header of gzip

    def compress(self, event: bytes) -> bytes:
        """Return whole bytes of the stream, with which a browser has the whole event."""
        self._crc, self._size = zlib.crc32(event, self._crc), self._size + len(event)
        one = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        head, self._unsent = self._unsent, b""
        padding = self._EMPTY_BLOCK * (secrets.randbelow(20) if len(event) > 200 else 0)
        return head + padding + one.compress(event) + one.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        """Return the end of the stream."""
        last = zlib.compressobj(wbits=-zlib.MAX_WBITS).flush()
        return self._unsent + last + struct.pack("<LL", self._crc, self._size % 2**32)
