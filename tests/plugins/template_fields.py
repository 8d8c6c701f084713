"""Finds templates that read a field which the value of one of our classes does not have.

Django shows nothing for such a field, and `{% if %}` takes it as false.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from django.template import Variable, VariableDoesNotExist

_OURS = ("accounts.", "games.", "novaluna_site.")


@contextmanager
def checked() -> Iterator[None]:
    """Fail at the end of the context if a template read a field that does not exist."""
    missing: set[str] = set()
    resolve: Any = Variable._resolve_lookup  # type: ignore[attr-defined]

    def resolve_and_note(variable: Variable, context: Any) -> Any:
        try:
            return resolve(variable, context)
        except VariableDoesNotExist as error:
            value = error.params[1]
            if type(value).__module__.startswith(_OURS) and _has_fields(value):
                template = getattr(context, "template_name", "")
                missing.add(f"{variable.var} of a {type(value).__name__} in {template}")
            raise

    with mock.patch.object(Variable, "_resolve_lookup", resolve_and_note):
        yield
    assert not missing, f"Templates read fields that do not exist: {'; '.join(sorted(missing))}"


def _has_fields(value: object) -> bool:
    """Return whether the fields of a value are fixed by its class, unlike those of a session or a form."""
    return isinstance(value, tuple) or not hasattr(value, "__getitem__")
