"""The charset of requests."""

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.wsgi import WSGIRequest


class _AlwaysUtf8:
    """Ignores the charset that a request declares; `malformed_input` refuses every other than UTF-8.

    Django reads the query in the declared charset before any middleware runs. It fails if Python has a codec
    of that name which is no charset, such as "hex".
    """

    @property
    def encoding(self) -> None:
        return None

    @encoding.setter
    def encoding(self, charset: str) -> None:
        pass


# The stubs have `encoding` as a variable, and a property here.
class Utf8WSGIRequest(_AlwaysUtf8, WSGIRequest):  # type: ignore[misc]
    """A request under WSGI."""


class Utf8ASGIRequest(_AlwaysUtf8, ASGIRequest):  # type: ignore[misc]
    """A request under ASGI."""
