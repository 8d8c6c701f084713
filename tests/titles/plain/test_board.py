"""The plain page of a game of Pairs: what each viewer sees and can choose, now and in the past."""

from dataclasses import replace

import pytest

from games.shown.plain.board import PlainBoard
from games.shown.plain.pages import PlainPages
from games.shown.plain.sections import Section, Table
from games.titles.actions import Cancel, Resign
from games.titles.boards import Unreadable
from games.titles.people import Person
from games.titles.rules import Setup
from games.titles.view import AnyView, GameView, Plan
from tests.titles.pairs.rules import Action, Choose, PairsPosition, PairsRules
from tests.titles.pairs.words import PairsWords

rules = PairsRules()
pages = PlainPages(rules, PairsWords())
DEALT = {"hands": [[1, 2, 3], [4, 4, 5], [1, 6, 7], [2, 6, 7]], "bonuses": [5, 4, 3]}
NAMES = ("Ines", "Tobias", "Halley", "Mina")
ROUND = (Choose(0, 1), Choose(1, 4), Choose(2, 1), Choose(3, 7))


def view_of(viewer: int | None, *actions: Action, rounds: int = 3) -> AnyView:
    position: PairsPosition = rules.start(Setup(4, {"rounds": rounds}, DEALT), 1)
    start, steps = position, []
    for action in actions:
        steps.append(position.apply(action))
        position = steps[-1].position
    people = tuple(Person(seat, name, is_you=seat == viewer) for seat, name in enumerate(NAMES))
    return GameView(start.seen_by(viewer), tuple(step.seen_by(viewer) for step in steps), people)


def board_of(view: AnyView, **asked: str) -> PlainBoard:
    return pages.board(view, asked, is_planning="plan" in asked)


def texts(board: PlainBoard) -> str:
    log = board.history
    return repr((board.sections, log, log.older, board.bar, board.players, board.groups))


def test_a_player_sees_their_hand_and_chooses() -> None:
    board = board_of(view_of(0))
    assert (board.heading, board.bar.title) == ("Your turn", "Choose an action")
    assert board.bar.detail == "Tobias, Halley and Mina can choose at the same time."
    assert board.sections[0].items == ("1", "2", "3")
    labels = [button.label for group in board.groups for button in group.buttons]
    assert labels == ["Choose the 1", "Choose the 2", "Choose the 3"]
    chosen = board_of(view_of(0), choice="choose 2")
    assert chosen.choice is not None
    assert pages.action_of({"do": "play", "action": chosen.choice.value}) == chosen.chosen == Choose(0, 2)
    assert board_of(view_of(0), choice="choose 7").problem


def test_who_has_chosen_waits_and_sees_only_their_own_choice() -> None:
    view = view_of(0, Choose(2, 6), Choose(0, 3))
    board = board_of(view)
    assert board.bar.title == "Waiting for Tobias and Mina"
    assert board.bar.detail == "You chose the 3."
    assert [entry.text for entry in board.history.entries] == ["You chose the 3", "Halley has chosen"]
    assert "You have chosen the 3." in board.sections[0].lines
    assert not board.groups
    spectator = board_of(view_of(None, Choose(2, 6), Choose(0, 3)))
    assert [entry.text for entry in spectator.history.entries] == ["Ines has chosen", "Halley has chosen"]


def test_a_player_reads_what_their_own_choice_revealed_when_they_can_choose_again() -> None:
    board = board_of(view_of(3, *ROUND))
    assert len(board.news) == 1
    assert board.news[0].startswith("The cards were revealed: Ines 1, Tobias 4, Halley 1 and you 7")
    assert board_of(view_of(2, *ROUND)).news == board_of(view_of(2, *ROUND, Choose(3, 2))).news[:1]
    assert not board_of(view_of(3, *ROUND, Choose(3, 2))).news, "they have chosen again"
    assert not board_of(view_of(None, *ROUND)).news
    assert not board_of(replace(view_of(3, *ROUND), at=2)).news


def test_a_table_that_is_not_the_first_part_is_after_the_actions() -> None:
    board = board_of(view_of(0, *ROUND))
    assert [section.heading for section in board.early_sections] == ["Your hand", "Round 2 of 3"]
    assert [section.heading for section in board.later_sections] == ["Cards played"]
    over = board_of(view_of(0, *ROUND, rounds=1))
    assert "Cards played" in {section.heading for section in over.early_sections}
    assert not over.later_sections
    assert not board_of(view_of(0)).later_sections


@pytest.mark.parametrize("is_later", [True, False])
def test_a_title_says_itself_which_parts_are_after_the_actions(
    monkeypatch: pytest.MonkeyPatch, is_later: bool
) -> None:
    table = Table(("Round", "You"), (("1", "5"),))
    parts = [
        Section("Hand", ("A card",), is_later=is_later),
        Section("Rounds", table=table, is_later=is_later),
    ]
    monkeypatch.setattr(PairsWords, "describe_position", lambda *_arguments: parts)
    board = board_of(view_of(0))
    assert (board.later_sections if is_later else board.early_sections) == parts


def test_the_past_shows_what_the_seat_saw() -> None:
    view = view_of(0, *ROUND, Choose(0, 2))
    past = board_of(replace(view, at=2))
    assert (past.heading, past.bar.detail) == ("Action 2 of 5", "Tobias has chosen")
    assert past.sections[0].items == ("1", "2", "3")
    unwritten = replace(past.history, new=(), recent=(), write_older=tuple)
    assert "the 4" not in texts(replace(past, history=unwritten))
    assert past.history.entries[1].text.startswith("The cards were revealed: you 1, Tobias 4, Halley 1")


def test_partners_win_and_sides_tie() -> None:
    board = board_of(view_of(1, *ROUND, rounds=1))
    assert board.heading == "You win"
    assert board.decision.endswith("Halley 1 and Mina 7. The bonus goes to you and Mina.")
    assert [(row.place, row.person.name) for row in board.ranking] == [
        *((1, "Tobias"), (1, "Mina"), (2, "Ines"), (2, "Halley")),
    ]
    assert board.history.entries[0].text.endswith("The bonus goes to you and Mina. You and Mina win")
    level = (Choose(0, 3), Choose(1, 4), Choose(2, 7), Choose(3, 6))
    tie = board_of(view_of(1, *level, rounds=1))
    assert (tie.heading, tie.bar.title) == ("A tie", "The game ends in a tie")
    assert tie.decision.endswith("Nobody gets the bonus.")


def test_leaving_and_cancelling_have_words_of_the_house() -> None:
    left = board_of(view_of(0, Resign(1, "time")))
    assert left.history.entries[0].text == "Tobias's clock ran out. You and Halley win"
    assert [row.reason for row in left.ranking][2:] == ["clock ran out", "0 points"]
    cancelled = board_of(view_of(0, Cancel()))
    assert (cancelled.heading, cancelled.ranking) == ("Game cancelled", ())
    assert cancelled.history.entries[0].text == "The players agreed to cancel the game, so nobody wins"


def test_a_plan_is_chosen_while_waiting() -> None:
    view = view_of(0, Choose(0, 3))
    board = board_of(view, plan="1")
    assert board.is_planning
    assert board.plan is not None
    values = [button.value for group in board.plan.groups for button in group.buttons]
    assert pages.wishes_of({"action": values[1], "wishes": ""}) == [Choose(0, 2)]
    planned = replace(
        view, plan=Plan((Choose(0, 2), Choose(0, 3)), holds=True, outlasts_reveals=True, most_wishes=5)
    )
    plan = board_of(planned).plan
    assert plan is not None
    assert [(wish.text, bool(wish.problem)) for wish in plan.wishes] == [
        ("Choose the 2", False),
        ("Choose the 3", True),
    ]
    assert pages.check_wish(Choose(0, 3), view.newest, 0)
    assert not pages.check_wish(Choose(0, 2), view.newest, 0)


@pytest.mark.parametrize(
    "value",
    [
        "",
        "x",
        "[]",
        "{}",
        "[1]",
        "[null]",
        '[{"do":"resign","seat":0,"reason":null}]',
        '[{"do":"cancel"}]',
        "[" * 3000,
    ],
)
def test_what_no_form_sends_is_unreadable(value: str) -> None:
    with pytest.raises(Unreadable):
        pages.action_of({"do": "play", "action": value})


def test_many_actions_have_headings() -> None:
    class Grouping(PairsWords):
        def group_action(self, action: Action, _view: AnyView) -> str:
            assert isinstance(action, Choose)
            return "Low" if action.card <= 5 else "High"

    hands = [list(range(1, 11))] * 4
    start = rules.start(Setup(4, {"rounds": 3}, {**DEALT, "hands": hands}), 1)
    people = view_of(0).people
    board = PlainPages(rules, Grouping()).board(GameView(start.seen_by(0), (), people), {})
    assert [(group.heading, len(group.buttons)) for group in board.groups] == [("Low", 5), ("High", 5)]
    few = PlainPages(rules, Grouping()).board(view_of(0), {})
    assert [(group.heading, len(group.buttons)) for group in few.groups] == [("", 3)]
