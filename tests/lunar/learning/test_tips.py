"""Tips in a first game: one for each stage, and about points that another trick would lose."""

from dataclasses import replace

import pytest

from games.lunar.board.game_view import GameView
from games.lunar.engine import Position, Setup, Suit
from games.lunar.learning.tables import table
from games.lunar.learning.tips import tip_of
from games.models import Game
from games.titles.people import Person
from tests.clients import client_of
from tests.lunar.games import lunar_game, user_of
from tests.lunar.notation.positions import four, passes_by, played, random_positions, two


def seen(position: Position, viewer: int | None = 0, at: int | None = None) -> GameView:
    people = tuple(Person(seat, f"P{seat}", is_you=seat == viewer) for seat in range(position.seats))
    return GameView(position.seen_by(viewer), (), people, at)


def tip(position: Position, viewer: int | None = 0) -> str:
    found = tip_of(seen(position, viewer))
    return found.text if found else ""


def test_each_stage_has_a_tip() -> None:
    assert "Pass four cards to P2, who passes four to you." in tip(four())
    assert "Once everybody has chosen, you get four cards from P2." in tip(four(*passes_by(0)))
    assert "The suit that stays face up is trump" in tip(four(*passes_by(0, 1, 2, 3)))
    trick = table("1 2 W O", "3 4 W L", "5 B O", "6 L B", trump=Suit.BAT)
    assert tip(trick) == "Lead any card. If it is a suit, your partner adds a rank, and the other way round."
    assert tip(trick, viewer=1).startswith("A trick begins with any card."), "the board does not move"


@pytest.mark.parametrize(
    ("points", "aim"),
    [
        (four().setup.points, "Aim for 1–3 or 7–8 tricks: 10 points. Other numbers give 5 at most. "),
        (tuple(range(13)), "Aim for 12 tricks: 12 points. Other numbers give 11 at most. "),
        ((0, 9, *(0,) * 11), "Aim for 1 trick: 9 points. Other numbers give 0 at most. "),
        ((9, 0, 9, 9, *(0,) * 9), "Aim for 0 or 2–3 tricks: 9 points. Other numbers give 0 at most. "),
        ((3,) * 13, ""),
    ],
)
def test_the_first_tip_names_the_numbers_of_tricks_that_score_best_at_the_table(
    points: tuple[int, ...], aim: str
) -> None:
    setup = Setup(4, (0, 1), points=points)
    assert tip(replace(four(), setup=setup)).startswith(f"{aim}Pass four cards to P2")
    for_two = tip(replace(two(), setup=Setup(2, (0, 1), points=points)))
    assert for_two.startswith(f"{aim}The suit that stays face up is trump")


def test_the_first_tip_leads_to_the_lessons() -> None:
    for position in (four(), two()):
        found = tip_of(seen(position))
        assert found is not None
        assert found.offers_lessons


@pytest.mark.parametrize(
    ("won", "text"),
    [
        ((3, 5), "Your side has 3 tricks: 10 points. With one more, it would get only 2 points."),
        ((8, 1), "Your side has 8 tricks: 10 points. With one more, it would get only 0 points."),
        ((7, 2), "“Last trick” shows how the last trick was won, and which cards are out of this round."),
        ((4, 5), "“Last trick” shows how the last trick was won, and which cards are out of this round."),
    ],
)
def test_a_tip_says_when_another_trick_loses_points_and_others_stay_until_the_round_ends(
    won: tuple[int, int], text: str
) -> None:
    position = table("1 W", "3 L", "5 B", "6 O", trump=Suit.BAT, won=won)
    assert tip(position) == text


def test_tips_for_two_speak_of_the_player_and_of_hand_and_sky() -> None:
    """Nobody has a side in the game for two, and following looks at the place of a card."""
    winning = table("1 2 W O", "3 4 W L", trump=Suit.BAT, won=(3, 5), sky="5 B")
    assert tip(winning) == "You have 3 tricks: 10 points. With one more, you would get only 2 points."
    lead = two(*({"seat": seat, "do": "flip", "suit": suit} for seat, suit in ((0, "B"), (1, "L"), (0, "O"))))
    two_cards = "In each trick, you play two cards: one from your hand and one from the sky"
    assert two_cards in tip(lead, viewer=0)
    from_hand = played(lead, {"seat": 0, "do": "play", "card": "O", "from": "hand"})
    assert "Your two cards make one." in tip(from_hand, viewer=0)
    assert two_cards in tip(from_hand, viewer=1), "who follows plays the first trick too"


@pytest.mark.parametrize(
    ("hand", "text"),
    [
        ("5 B O", "You can play any rank. A suit must be a bat."),
        ("5 L O", "You can play any rank. You have no bat, so you can also play any suit."),
    ],
)
def test_a_tip_about_following_reads_the_own_hand(hand: str, text: str) -> None:
    lead = table("1 B", hand, "3 L", "4 O", trump=Suit.BAT)
    assert tip(played(lead, {"seat": 0, "do": "play", "card": "B"}), viewer=1) == text


@pytest.mark.parametrize(
    ("hand", "text"), [("B L", "It must be a bat."), ("L O", "You have no bat: play any suit.")]
)
def test_a_tip_about_the_second_card_reads_the_own_hand(hand: str, text: str) -> None:
    lead = table("1 L", "2 B", "3 " + hand, "4 O", trump=Suit.BAT)
    plays = ((0, "1"), (1, "B"))
    trick = played(lead, *({"seat": seat, "do": "play", "card": card} for seat, card in plays))
    assert tip(trick, viewer=2) == f"Your side still needs a suit. {text}"


def test_no_tip_for_two_names_a_side_or_a_partner() -> None:
    texts = {
        tip(position, viewer)
        for seed in range(4)
        for position in random_positions(2, seed)
        for viewer in range(2)
    }
    assert len(texts) > 6
    assert not [text for text in texts if "side" in text.split() or "partner" in text.lower()]


def test_spectators_and_past_positions_get_none() -> None:
    assert tip_of(seen(four(), viewer=None)) is None
    assert tip_of(seen(four(), at=0)) is None


@pytest.mark.django_db
@pytest.mark.usefixtures("dealt")
def test_the_page_of_a_first_game_shows_the_tip_and_leads_to_the_lessons_of_its_title() -> None:
    game: Game = lunar_game(2)
    page = client_of(user_of(game, 0)).get(game.get_absolute_url()).text
    assert "The suit that stays face up is trump" in page
    assert "Leads the next trick after winning one" in page
    assert "this side" not in page
    assert 'href="/learn/lunar/"' in page.partition("<footer")[0]
