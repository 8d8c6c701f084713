"""At a table of four, the chat says what partners may not write; at a table of two there are none."""

import pytest

from tests.clients import client_of
from tests.lunar.games import lunar_game, user_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("seats", "times"), [(4, 1), (2, 0)])
def test_the_chat_says_what_partners_may_not_write(seats: int, times: int) -> None:
    game = lunar_game(seats)
    for part in ("", "text/", "chat/"):
        page = client_of(user_of(game, 0)).get(f"{game.get_absolute_url()}{part}").text
        assert page.count("Partners must not write about their cards or plans.") == times
