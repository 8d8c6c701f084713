"""Every middleware supports asynchronous requests."""

import pytest
from django.conf import settings
from django.utils.module_loading import import_string


@pytest.mark.parametrize("name", settings.MIDDLEWARE)
def test_middleware_is_async_capable(name: str) -> None:
    """Under ASGI, a single sync-only middleware makes each request use a thread for as long as it lasts."""
    assert import_string(name).async_capable
