"""The content security policy."""

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/", "/account/signup/", "/solo/", "/nothing/", "/admin/login/"])
def test_the_policy_allows_only_this_sites_code(client: Client, path: str) -> None:
    policy = client.get(path).headers["Content-Security-Policy"]
    directives = {
        name: values for name, *values in (part.split() for part in policy.split(";") if part.strip())
    }
    assert directives["default-src"] == ["'self'"]
    assert "script-src" not in directives  # default-src applies
    assert directives["style-src"] == ["'self'"]
    assert directives["form-action"] == ["'self'"]
    assert directives["frame-ancestors"] == ["'none'"]
    for name, values in directives.items():
        assert "'unsafe-eval'" not in values
        assert "'unsafe-inline'" not in values or name == "style-src-attr"
