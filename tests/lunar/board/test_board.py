"""The board of LUNAR: what each viewer sees of hand, trick and track, and what they can choose."""

from collections import Counter
from dataclasses import replace

import pytest

from games.lunar.board.board import Board
from games.lunar.board.decision import describe_rounds
from games.lunar.board.drawing.symbols import symbol_of
from games.lunar.board.events import describe_trick
from games.lunar.board.hand import HeldCard
from games.lunar.board.sections import sections_of
from games.lunar.board.title_words import LunarWords
from games.lunar.engine import Card, Flip, Kind, Pass, Played, Position, RoundResult, Stage, Trick
from games.lunar.pages import LunarPages
from games.lunar.rules import LunarRules
from games.titles.actions import Resign
from games.titles.boards import RankingRow, Unreadable
from games.titles.people import Person
from tests.lunar.board.views import view_of

pages = LunarPages(LunarRules(), LunarWords())


def board_of(*args: object, asked: dict[str, str] | None = None, **more: object) -> Board:
    return pages.board(view_of(*args, **more), asked or {})


def awaited(seats: int, ends: object, seed: int = 1) -> int:
    return min(view_of(None, seats, ends, seed).position.awaited)


def held(board: Board) -> list[HeldCard]:
    return [card for fan in (*board.hand, *board.sky) for card in fan.cards if card is not None]


def asked_by(query: str) -> dict[str, str]:
    from urllib.parse import parse_qsl

    return dict(parse_qsl(query.removeprefix("?")))


@pytest.mark.parametrize("seats", [2, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_cards_that_can_be_chosen_are_the_legal_ones_and_others_say_why(seats: int, seed: int) -> None:
    def ends(position: Position) -> bool:
        return (
            position.stage is Stage.PLAY
            and len(position.tricks) == 2 + seed
            and len(position.trick) == seed % 4
        )

    seat = awaited(seats, ends, seed)
    view = view_of(seat, seats, ends, seed)
    board = pages.board(view, {})
    chosen = [pages.board(view, asked_by(card.query)) for card in held(board)]
    for card, after in zip(held(board), chosen, strict=True):
        assert bool(card.reason) == (after.chosen is None)
        assert after.problem == card.reason
        assert card.title
        assert card.detail == card.reason
        assert [one.id for one in held(after) if one.is_chosen] == ([] if card.reason else [card.id])
    assert {after.chosen for after in chosen if after.chosen} == set(view.position.legal(seat))
    legal = next(card for card in held(board) if not card.reason)
    for nth in ("5", "9", "x", ""):
        after = pages.board(view, asked_by(legal.query) | {"nth": nth})
        assert [one.code for one in held(after) if one.is_chosen] == [legal.code]


@pytest.mark.parametrize("seed", range(4))
def test_the_bar_says_where_the_first_card_came_from_that_limits_the_second(seed: int) -> None:
    def ends(position: Position) -> bool:
        own = [played for played in position.trick if position.awaited <= {played.seat}]
        return position.stage is Stage.PLAY and len(own) == 1

    bar = board_of(awaited(2, ends, seed), 2, ends, seed).bar
    first, second = ("your hand", "the sky") if bar.title.endswith("the sky") else ("the sky", "your hand")
    assert bar.title.endswith(f" from {second}")
    assert f" from {first}." in bar.detail


def test_four_cards_are_chosen_one_by_one_and_then_passed() -> None:
    view = view_of(2, 4, lambda position: True)
    query = ""
    for place in (0, 1, 6, 7):
        board = pages.board(view, asked_by(query))
        assert board.chosen is None
        query = held(board)[place].query
    board = pages.board(view, asked_by(query))
    assert isinstance(board.chosen, Pass)
    assert [card.is_chosen for card in held(board)] == [place in (0, 1, 6, 7) for place in range(12)]
    assert board.passing is not None
    assert all(slot.symbol for slot in board.passing.slots)
    undone = pages.board(view, asked_by(held(board)[6].query))
    assert [card.is_chosen for card in held(undone)] == [place in (0, 1, 7) for place in range(12)]
    fields = {"do": board.do, "cards": " ".join(board.checked.choice.cards)}
    assert pages.action_of(fields) == board.chosen._replace(seat=-1)


def test_cards_that_are_passed_leave_the_hand_while_others_choose() -> None:
    def has_passed(position: Position) -> bool:
        return position.stage is Stage.PASSING and position.passes[0] is not None

    view = view_of(0, 4, has_passed)
    board = pages.board(view, {})
    assert board.passing is not None
    given = Counter(slot.symbol for slot in board.passing.slots)
    left = Counter(card.symbol for card in held(board))
    assert (given.total(), left.total()) == (4, 8)
    assert given + left == Counter(map(symbol_of, view.position.hands[0]))
    assert len(held(pages.board(view_of(1, 4, has_passed), {}))) == 12, "this seat has chosen nothing yet"


def test_a_tile_is_chosen_and_turned() -> None:
    seat = awaited(4, lambda position: position.stage is Stage.TRUMP)
    view = view_of(seat, 4, lambda position: position.stage is Stage.TRUMP)
    tiles = pages.board(view, {}).felt.tiles
    assert all(tile.query for tile in tiles)
    board = pages.board(view, asked_by(tiles[2].query))
    assert isinstance(board.chosen, Flip)
    assert pages.action_of({"do": board.do, "suit": tiles[2].suit}) == board.chosen._replace(seat=-1)


def test_nobody_sees_another_hand_and_spectators_see_none() -> None:
    for viewer in (None, 0, 3):
        view = view_of(viewer, 4, lambda position: len(position.tricks) == 5)
        backs = {card.symbol for card in held(pages.board(view, {}))}
        assert backs.isdisjoint({"card-back-rank", "card-back-suit"}) == (viewer is not None)


def test_everybody_can_look_at_the_stars_that_each_side_has_won() -> None:
    for viewer in (None, 3):
        view = view_of(viewer, 4, lambda position: len(position.tricks) == 9)
        tricks = view.position.tricks
        shown = pages.board(view, {}).felt.kept_stars
        assert sum(len(kept.symbols) for kept in shown) == sum(len(trick.stars) for trick in tricks) > 0
        assert all(symbol.endswith("-star") for kept in shown for symbol in kept.symbols)
        assert all("with a star" in kept.text for kept in shown)
        winners = {trick.winner for trick in tricks if trick.stars}
        assert len(shown) == len(winners)
        if viewer == 3 and 1 in winners:
            assert shown[0].side.startswith("You and ")


def test_the_last_trick_of_a_round_stays_until_the_first_of_the_next() -> None:
    board = board_of(0, 4, lambda position: len(position.rounds) == 1)
    assert board.felt.last_trick is not None
    assert board.felt.last_trick.number == 12
    assert board.felt.before_last is not None
    assert board.felt.before_last.number == 11
    assert board.news is not None
    assert board.news.title == "Round 1 is over"
    assert [cell.points for _side, cell in board.news.sides] == [side.points for side in board.track.sides]
    assert sum(side.tricks for side in board.track.sides) == 0
    assert sum(side.tricks for side in board.news.track.sides) == 12


@pytest.mark.parametrize("seats", [2, 4])
def test_a_game_that_a_player_leaves_before_the_first_trick_of_a_round_shows_its_trump_tiles(
    seats: int,
) -> None:
    view = view_of(0, seats, lambda one: len(one.rounds) == 1 and one.stage is Stage.TRUMP)
    left = replace(view, steps=(*view.steps, view.position.apply(Resign(1))))
    for shown in (left, replace(left, at=left.version)):
        board = pages.board(shown, {})
        assert board.felt.stage == Stage.OVER
        assert board.felt.shows_tiles
        assert board.where == "Round 2 · choosing trump"
        assert not board.felt.trick
        assert board.felt.last_trick is None
        assert [bool(seat.lead) for seat in board.felt.seats].count(True) == 2
        assert not any("Last trick" in line for line in sections_of(shown)[0].lines)
    assert any("Last trick" in line for line in sections_of(view)[0].lines)


def test_a_spectator_sees_what_the_trick_is_worth_with_its_stars() -> None:
    def has_star(position: Position) -> bool:
        return any(played.card.has_star for played in position.trick) and 0 < len(position.tricks) < 11

    board = board_of(None, 4, has_star)
    position = board.view.position
    worth, stars = position.setup.points, sum(played.card.has_star for played in position.trick)
    for side, won in enumerate(position.tricks_won):
        before = worth[won] + position.stars_won[side]
        then = worth[won + 1] + position.stars_won[side] + stars
        change = f"still have {then} point" if then == before else f"have {then} point"
        assert change in board.track.at_stake[side]
        assert (f"this round, not {before}." in board.track.at_stake[side]) == (then != before)
    assert not board_of(0, 4, has_star).track.at_stake


def test_the_moment_at_which_a_round_ended_shows_its_tricks_and_nobody_to_move() -> None:
    view = view_of(0, 4, lambda position: len(position.rounds) == 1)
    now, past = pages.board(view, {}), pages.board(replace(view, at=view.version), {})
    assert [sum(side.tricks for side in board.track.sides) for board in (now, past)] == [0, 12]
    assert (now.where, past.where) == ("Round 2 · passing", "Round 1")
    assert [seat.status for seat in now.felt.seats] == ["to choose"] * 4
    assert not any(seat.is_turn or seat.status for seat in past.felt.seats)
    assert not any(player.is_turn or player.when for player in past.players)
    assert {side.tricks for side in past.track.sides} == {
        int(player.brief.split()[0]) for player in past.players
    }
    before = pages.board(replace(view, at=view.version - 1), {})
    assert sum(side.tricks for side in before.track.sides) == 11
    assert pages.board(replace(view, at=0), {}).where == "Round 1 · passing"


@pytest.mark.parametrize("seats", [2, 4])
def test_the_moment_at_which_a_round_ended_shows_no_cards_of_the_next(seats: int) -> None:
    view = view_of(0, seats, lambda position: len(position.rounds) == 1)
    before, view = view.position_after(view.version - 1), replace(view, at=view.version)
    board = pages.board(view, {})
    assert not held(board)
    assert {(seat.ranks, seat.suits) for seat in board.felt.seats} == {(0, 0)}
    assert {fan.pile for fan in board.sky} == ({0} if seats == 2 else set())
    assert board.felt.round == 1
    assert board.felt.trump is not None
    assert board.felt.trump.suit == before.trump
    assert sum(one.count for one in board.felt.out) == 48
    sections = {section.heading: section for section in sections_of(view)}
    assert str(sections["Round 1"].lines[0]).startswith("Trump: ")
    assert "Hands" not in sections
    assert not sections["Your hand"].items


def test_the_last_tricks_of_a_game_are_the_next_ones_of_its_count() -> None:
    board = board_of(0, 2, lambda position: not position.awaited)
    assert board.felt.before_last is not None
    assert board.felt.last_trick is not None
    counts = board.felt.before_last.count, board.felt.last_trick.count
    assert counts == (board.felt.count - 1, board.felt.count)


def test_the_result_of_a_round_is_shown_until_the_viewer_acts_or_a_card_is_led() -> None:
    def has_passed(position: Position) -> bool:
        return len(position.rounds) == 1 and 0 not in position.awaited

    assert board_of(0, 4, has_passed).news is None
    assert board_of(1, 4, has_passed).news
    assert board_of(None, 4, lambda position: len(position.rounds) == 1 and bool(position.trick)).news is None


@pytest.mark.parametrize(
    "data", [{"do": "play"}, {"do": "pass", "cards": "2 7 W"}, {"do": "flip", "suit": "X"}, {}]
)
def test_a_form_that_no_page_has_is_unreadable(data: dict[str, str]) -> None:
    with pytest.raises(Unreadable):
        pages.action_of(data)


def test_a_finished_game_says_what_decided_it() -> None:
    board = board_of(1, 4, lambda position: False, seed=3)
    assert [row.place for row in board.ranking] == [1, 2], "a row for each team"
    for row in board.ranking:
        assert sorted(one.seat % 2 for one in (row.person, *row.partners)) == [row.person.seat % 2] * 2
    assert "won by" in board.decision
    assert len(board.track.rounds) == len(board.view.newest.rounds)


def test_a_finished_game_says_from_which_trick_on_a_side_was_ahead() -> None:
    board = board_of(1, 4, lambda _position: False, seed=3)
    results = board.view.newest.rounds
    led = [number for number, result in enumerate(results, 1) if len(set(result.points)) == 2]
    assert [text.split(",")[0] for text in board.turns] == [f"Round {number}" for number in led]
    assert all(" went ahead in points " in text for text in board.turns)


def test_partners_who_are_bots_of_one_level_share_a_badge() -> None:
    def bots_of(*levels: str) -> str:
        person, *partners = (Person(seat, "Zora", bot=level) for seat, level in enumerate(levels))
        return RankingRow(place=1, person=person, figures=(), reason="", partners=tuple(partners)).bots

    assert (bots_of("easy", "easy"), bots_of("easy", "hard"), bots_of("", "")) == ("easy", "", "")
    assert not bots_of("easy"), "a bot without a partner has a badge of its own"


@pytest.mark.parametrize(
    ("rounds", "sentence"),
    [
        ([((3, 9), (2, 2), (12, 2))], ""),
        (
            [((6, 6), (2, 2), (7, 7)), ((1, 11), (0, 4), (10, 4)), ((3, 9), (3, 1), (13, 1))],
            (
                "Round 3 made the biggest difference: 13 points for 3 tricks and 3 stars against 1 point for "
                "9 tricks and 1 star."
            ),
        ),
        (
            [((8, 4), (0, 4), (10, 6)), ((4, 8), (0, 4), (2, 14)), ((7, 5), (4, 0), (14, 3))],
            (
                "Round 3 made the biggest difference: 14 points for 7 tricks and 4 stars against 3 "
                "points for 5 tricks."
            ),
        ),
    ],
)
def test_a_sentence_names_the_round_in_which_the_winner_gained_most(
    rounds: list[tuple[tuple[int, int], ...]], sentence: str
) -> None:
    results = [RoundResult(*pairs) for pairs in rounds]
    assert describe_rounds(0, results) == sentence
    swapped = [RoundResult(*((two, one) for one, two in pairs)) for pairs in rounds]
    assert describe_rounds(1, swapped) == sentence


def test_cards_from_the_partner_are_marked_until_the_viewer_acts() -> None:
    def is_turning(flips: int) -> object:
        return lambda position: position.stage is Stage.TRUMP and len(position.flips) == flips

    first = awaited(4, is_turning(0))
    for seat in range(4):
        board = board_of(seat, 4, is_turning(0))
        marked = [card for card in held(board) if card.is_received]
        assert len(marked) == 4
        assert board.giver
        assert f"from {board.giver}." in board.bar.detail
    assert board_of(first, 4, is_turning(1)).giver == ""
    assert board_of((first + 1) % 4, 4, is_turning(1)).giver
    assert board_of(None, 4, is_turning(0)).giver == ""


@pytest.mark.parametrize("seats", [2, 4])
def test_a_past_trick_is_whole_after_its_last_card_and_its_winner_is_named(seats: int) -> None:
    view = view_of(0, seats, lambda position: len(position.tricks) == 3 and not position.trick)
    now, past = pages.board(view, {}), pages.board(replace(view, at=view.version), {})
    assert [card.symbol for card in now.felt.trick] == [""] * 4
    assert [bool(card.symbol) for card in past.felt.trick] == [True] * 4
    assert [card.note.startswith("led") for card in past.felt.trick] == [True, False, False, False]
    assert [card.has_won for card in past.felt.trick].count(True) == 2
    assert now.felt.won is not None
    assert now.felt.won == past.felt.won
    assert " won: " in now.felt.won.brief
    before = pages.board(replace(view, at=view.version - 1), {})
    assert before.felt.won is None


def test_the_bar_names_no_lists_but_the_announcement_does() -> None:
    def ends(position: Position) -> bool:
        if position.stage is not Stage.PLAY or position.lead_suit is None or len(position.trick) != 1:
            return False
        legal = position.legal(min(position.awaited))
        return {play.card.suit for play in legal if play.card.kind is Kind.SUIT} == {position.lead_suit}

    board = board_of(awaited(2, ends), 2, ends)
    assert board.bar.detail.startswith("Play a")
    assert "From your hand: " not in board.bar.detail
    assert "From your hand: " in board.task


@pytest.mark.parametrize(
    ("last", "why"), [("7", "wolf 7 over wolf 6"), ("6", "wolf 6 over wolf 6 (equal: the last card wins)")]
)
def test_a_trick_of_equal_cards_says_why_it_was_won(last: str, why: str) -> None:
    cards = tuple(Played(number % 2, Card(code)) for number, code in enumerate(["W", "W", "6", last]))
    assert describe_trick(Trick(cards, winner=1)) == why
