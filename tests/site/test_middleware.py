"""The chain that every request passes."""

import pytest
from django.conf import settings
from django.utils.module_loading import import_string


@pytest.mark.parametrize("name", settings.MIDDLEWARE)
def test_no_request_takes_a_thread_for_its_whole_time(name: str) -> None:
    """Under ASGI, one middleware that is sync alone puts all the requests within it on threads."""
    assert import_string(name).async_capable
