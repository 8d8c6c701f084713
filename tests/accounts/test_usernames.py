"""Names that would be taken for somebody or something else."""

import pytest
from django.core.exceptions import ValidationError

from accounts.usernames import not_reserved
from games.models import BOT_NAMES


@pytest.mark.parametrize("name", [*BOT_NAMES, *(name.upper() for name in BOT_NAMES), "Admin", "you"])
def test_reserved(name: str) -> None:
    with pytest.raises(ValidationError):
        not_reserved(name)


def test_like_a_reserved_one() -> None:
    not_reserved("Halley77")
