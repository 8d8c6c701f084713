"""LUNAR in text mode: what stands where, equal cards, cards that are out, and play without confirming."""

import re
from html import unescape

import pytest

from games.lunar.notation.writing import write_action
from games.models import Game
from tests.clients import client_of
from tests.lunar.games import lunar_game, position_of, reply, user_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("dealt", "template_fields_exist")]


@pytest.fixture
def game() -> Game:
    """A game for two in which seat 0 leads the first trick."""
    game = lunar_game(2)
    for seat, line in ((0, "flip bat"), (1, "flip owl"), (0, "flip lynx")):
        reply(game, seat, line)
    return game


def page_of(game: Game, seat: int) -> str:
    return client_of(user_of(game, seat)).get(f"{game.get_absolute_url()}text/").text


def words_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.partition("<main")[2])).split())


def play_a_card(game: Game) -> int:
    """Play the first legal card by a reply; return whose it was."""
    [seat] = position_of(game).awaited
    reply(game, seat, write_action(next(iter(position_of(game).legal(seat)))))
    return seat


def test_the_table_is_above_the_cards_to_choose_from_and_only_there(game: Game) -> None:
    play_a_card(game)
    [seat] = position_of(game).awaited
    words = words_of(page_of(game, seat))
    assert words.count("Trump: wolf.") == 1
    assert words.index("Trump: wolf.") < words.index("Ranks in your hand")
    assert words.count("Trump: wolf.") == words_of(page_of(game, 1 - seat)).count("Trump: wolf.")


def test_the_trump_tiles_to_choose_from_are_above_the_hand_which_is_listed_once() -> None:
    words = words_of(page_of(lunar_game(2), 0))
    choice = words.index("Turn a trump tile face down")
    assert choice < words.index("Turn the wolf tile face down") < words.index("Your hand")
    assert "Ranks in your hand" not in words


def test_equal_cards_are_one_link(game: Game) -> None:
    hand = position_of(game).hands[0]
    html = page_of(game, 0).partition('id="move"')[2].partition("</section>")[0]
    links = re.findall(r'href="[^"]*\?card=([^&"]*)&amp;from=hand', html)
    assert sorted(unescape(card).replace("%2A", "*") for card in links) == sorted({*hand})
    twice = [card for card in {*hand} if hand.count(card) == 2]
    assert twice
    assert html.count("(2 cards)") >= len(twice)


def test_finished_tricks_list_their_cards_and_the_last_one_names_the_viewer_in_small_letters(
    game: Game,
) -> None:
    assert "Cards in finished tricks" not in words_of(page_of(game, 0))
    for _card in range(4):
        play_a_card(game)
    for seat in range(2):
        words = words_of(page_of(game, seat))
        assert words.count("Cards in finished tricks") == 1
        assert re.search(r"\b\d: 0 of \d", words)
        assert "Lead tile" not in words
        last = words.partition("Last trick (1): ")[2].partition(" It went to")[0]
        assert last.count("you: ") == 2
        assert "You" not in last


def test_a_card_is_played_by_one_press_without_confirmation(game: Game) -> None:
    user = user_of(game, 0)
    user.confirm_moves = False
    user.save()
    html = page_of(game, 0).partition('id="move"')[2].partition("</section>")[0]
    assert "?card=" not in html
    form = html[html.index("<form") :].partition("</form>")[0]
    fields = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    answer = client_of(user).post(f"{game.get_absolute_url()}text/", fields, follow=True)
    assert answer.status_code == 200
    assert [played.card for played in position_of(game).trick] == [unescape(fields["card"])]
