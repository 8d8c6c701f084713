"""Promise 3: no response or mail contains a secret of a running game."""

import pytest
from django.test import Client

from games.models import Game
from tests.clients import HTMX
from tests.play import fresh, game_of, mover, person, play_one, position_of, turn_mail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    game = game_of(person("Ines"), person("Tobias"))
    for _action in range(5):
        play_one(game)
    return fresh(game)


def undrawn(game: Game) -> list[str]:
    return game.deal.deck[-position_of(game).draw_pile :]


def responses(game: Game, client: Client) -> dict[str, str]:
    """Return the text of every page of a game that this client gets, by address."""
    tile = position_of(game).in_reach[0].code
    addresses = [
        "",
        f"?tile={tile}",
        f"?tile={tile}&x=0&y=1",
        "?at=2",
        "?resign=1",
        "deal/",
        "record.json",
        "version/",
    ]
    pages = {address: client.get(f"/g/{game.key}/{address}").text for address in addresses}
    pages["htmx"] = client.get(f"/g/{game.key}/", headers=HTMX).text
    pages["refused"] = client.post(f"/g/{game.key}/play/", {"do": "place"}).text
    pages["home"] = client.get("/").text
    return pages


@pytest.mark.parametrize("who", ["nobody", "spectator", "mover", "other player"])
def test_no_page_of_a_running_game_shows_an_undrawn_tile(game: Game, who: str) -> None:
    client = Client()
    if who == "spectator":
        client.force_login(person("Noor"))
    elif who == "mover":
        client.force_login(mover(game))
    elif who == "other player":
        client.force_login(game.seats.exclude(number=game.to_move).get().user)
    hidden = undrawn(game)
    assert len(hidden) > 40
    for address, page in responses(game, client).items():
        assert game.deal.salt not in page, address
        # Every page has the symbols of all tiles, `id="tile-…"`. A tile that is shown uses `#tile-…`.
        shown = [code for code in hidden if f'#tile-{code}"' in page or f"take-{code}" in page]
        assert shown == [], address
        assert " ".join(hidden[:2]) not in page, address
        for quote in ("'", '"', "&quot;", "&#x27;"):
            assert f"{quote}, {quote}".join(hidden[:2]) not in page, address


def test_the_mail_of_a_running_game_does_not_contain_the_deck(game: Game) -> None:
    user = mover(game)
    mail = turn_mail(game, user)
    text = mail.body + str(mail.alternatives[0].content)
    assert game.deal.salt not in text
    assert " ".join(undrawn(game)[:2]) not in text


def test_the_public_log_has_no_undrawn_tiles(game: Game) -> None:
    from games.log.replay import public_log

    log = public_log(game)
    for position in [log.start, *(step.position for step in log.steps)]:
        assert len(position.setup.deck) == 68 - position.draw_pile
