"""Reserved usernames."""

import pytest
from django.core.exceptions import ValidationError

from accounts.usernames import BOTS, check_not_reserved


@pytest.mark.parametrize("name", [*sorted(BOTS), "Kepler", "HALLEY", "Admin", "you"])
def test_reserved_names_are_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        check_not_reserved(name)


def test_names_that_contain_a_reserved_one_are_allowed() -> None:
    check_not_reserved("Halley77")
