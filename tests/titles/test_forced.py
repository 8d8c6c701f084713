"""The house plays the only legal action of a seat, if its player wants that and its title allows it."""

import uuid
from collections.abc import Iterator
from unittest import mock

import pytest

from accounts.models import AccountMail, User
from games.models import Action, Game, Kind, Notification, Plan
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import reply_address_for, turn_of_player
from games.services import bots, plans, take_backs
from games.services import play as playing
from games.services.errors import Conflict
from games.services.projections.games import rebuild
from tests.clients import client_of
from tests.games.notifications.received import SENDER, email
from tests.play import fresh, person
from tests.titles.pairs.rules import Choose, PairsRules
from tests.titles.play import DEALT, choose, dealt_pairs, pairs_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "dealt", "allowed")]

NAMES = ("Ines", "Tobias", "Noor", "Mina")


@pytest.fixture
def dealt() -> Iterator[None]:
    with dealt_pairs():
        yield


@pytest.fixture
def allowed() -> Iterator[None]:
    """In Pairs, the last card of a hand is the only legal one."""
    with mock.patch.object(PairsRules, "plays_forced", True):
        yield


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in NAMES]


def first_round(game: Game, users: list[User]) -> None:
    for user, card in zip(users, (3, 1, 3, 1), strict=True):
        choose(game, user, card)


def log(game: Game) -> list[tuple[int | None, int, int | None]]:
    """Return the seat, the card and the person of each action."""
    rows = Action.objects.filter(game=game).order_by("number")
    return [(action.seat, action.payload["card"], action.made_by_id) for action in rows]


def owed(game: Game, kind: str) -> list[str]:
    """Return who is owed a mail of a kind since the latest action."""
    rows = Notification.objects.filter(game=game, kind=kind, channel="mail", version=fresh(game).version)
    return sorted(rows.values_list("user__username", flat=True))


def second_round(game: Game, users: list[User]) -> None:
    for user, card in zip(users, (6, 2, 5, 2), strict=True):
        choose(game, user, card)


def test_the_last_cards_of_all_are_played_with_the_action_before(users: list[User]) -> None:
    game = pairs_game(*users)
    first_round(game, users)
    second_round(game, users)
    game = fresh(game)
    assert game.is_over
    assert log(game)[8:] == [(0, 7, None), (1, 4, None), (2, 7, None), (3, 4, None)]
    assert owed(game, Kind.OVER) == sorted(NAMES)
    # Nobody was asked for the last cards.
    assert {row.version for row in Notification.objects.filter(game=game, kind=Kind.TURN)} <= {0, 4}


def test_who_wants_to_decide_is_asked(users: list[User]) -> None:
    User.objects.filter(username__in=["Ines", "Mina"]).update(plays_forced=False)
    game = pairs_game(*users)
    first_round(game, users)
    second_round(game, users)
    assert log(game)[8:] == [(1, 4, None), (2, 7, None)]
    assert set(game.seats.awaited().values_list("number", flat=True)) == {0, 3}
    choose(game, users[0], 7)
    choose(game, users[3], 4)
    assert fresh(game).is_over
    assert [made_by for *_others, made_by in log(game)[10:]] == [users[0].pk, users[3].pk]


def test_a_bot_and_a_caretaker_do_not_think_about_an_only_action(users: list[User]) -> None:
    User.objects.update(plays_forced=False)
    game = pairs_game(users[0], users[1], bots=("easy", "easy"))
    for number, cards in ((1, (3, 1, 3, 1)), (5, (6, 2, 5, 2))):
        choose(game, users[0], cards[0])
        playing.play_for_bot(game.pk, Choose(1, cards[1]), number + 1)
        playing.play_for_bot(game.pk, Choose(2, cards[2]), number + 2)
        choose(game, users[1], cards[3])
    assert log(game)[8:] == [(1, 4, None), (2, 7, None)]
    assert set(game.seats.awaited().values_list("number", flat=True)) == {0, 3}


def test_without_the_rules_nothing_is_played(users: list[User]) -> None:
    game = pairs_game(*users)
    first_round(game, users)
    with mock.patch.object(PairsRules, "plays_forced", False):
        second_round(game, users)
    assert len(log(game)) == 8
    assert owed(game, Kind.TURN) == sorted(NAMES)


def test_a_plan_goes_first_and_is_used_up(users: list[User]) -> None:
    game = pairs_game(*users)
    first_round(game, users)
    choose(game, users[0], 6)
    plans.change(game.key, users[0], [Choose(-1, 7)], fresh(game).version + 1, outlasts_reveals=True)
    for user, card in zip(users[1:], (2, 5, 2), strict=True):
        choose(game, user, card)
    game = fresh(game)
    assert log(game)[8] == (0, 7, users[0].pk)
    assert game.seats.get(number=0).planned_number == 9
    assert not Plan.objects.filter(game=game).exists()


def test_a_chain_is_bounded(users: list[User], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOST_IN_A_ROW", 3)
    game = pairs_game(*users)
    first_round(game, users)
    second_round(game, users)
    assert len(log(game)) == 11
    assert owed(game, Kind.TURN) == ["Mina"]
    choose(game, users[3], 4)
    assert fresh(game).is_over


def test_a_game_starts_with_what_nobody_decides(users: list[User]) -> None:
    hands = [[3, 6, 7], [2, 2, 2], [3, 5, 7], [1, 1, 1]]
    with mock.patch.object(PairsRules, "deal", return_value={**DEALT, "hands": hands}):
        game = pairs_game(*users)
    assert log(game) == [(1, 2, None), (3, 1, None)]
    assert set(game.seats.awaited().values_list("number", flat=True)) == {0, 2}
    # One mail to each says that the game has started, or that it is their turn.
    rows = Notification.objects.filter(game=game, channel="mail")
    assert sorted(rows.filter(kind=Kind.TURN).values_list("user__username", flat=True)) == ["Ines", "Noor"]
    assert rebuild(game, check_only=True) == []
    page = client_of(users[1]).get(game.get_absolute_url()).content.decode()
    assert "You chose the 2" in page


def test_a_game_without_any_decision_ends_as_it_starts(users: list[User]) -> None:
    hands = [[3, 3, 3], [2, 2, 2], [5, 5, 5], [1, 1, 1]]
    with mock.patch.object(PairsRules, "deal", return_value={**DEALT, "hands": hands}):
        game = pairs_game(*users)
    assert game.is_over
    assert owed(game, Kind.OVER) == sorted(NAMES)
    assert rebuild(game, check_only=True) == []


def test_only_a_decision_is_taken_back(users: list[User]) -> None:
    """Else the game would wait for the player with a single choice."""
    hands = [[3, 3, 7], [1, 2, 4], [3, 5, 7], [1, 2, 4]]
    with mock.patch.object(PairsRules, "deal", return_value={**DEALT, "hands": hands}):
        game = pairs_game(users[0], bots=("easy",) * 3)
    for number in range(1, 4):
        bots.take_turn(game.pk, number)
    choose(game, users[0], 7)
    assert log(game)[4] == (0, 3, None)
    page = client_of(users[0]).get(game.get_absolute_url()).content.decode()
    assert 'id="take-back"' not in page
    with pytest.raises(Conflict):
        take_backs.take_back(game.key, users[0], 5, uuid.uuid4())


def test_a_double_click_plays_once(users: list[User]) -> None:
    game = pairs_game(*users)
    first_round(game, users)
    for user, card in zip(users[:3], (6, 2, 5), strict=True):
        choose(game, user, card)
    number = fresh(game).version + 1
    request_id = uuid.uuid4()
    first = choose(game, users[3], 2, number, request_id)
    assert choose(game, users[3], 2, number, request_id).number == first.number
    assert len(log(game)) == 12


def test_a_reply_may_name_what_the_house_has_played(users: list[User]) -> None:
    User.objects.exclude(username="Ines").update(plays_forced=False)
    game = pairs_game(*users)
    first_round(game, users)
    for user, card in zip(users[1:], (2, 5, 2), strict=True):
        choose(game, user, card)
    address = reply_address_for(turn_of_player(fresh(game), users[0]))
    assert receive(email("choose 6\nchoose 7"), address, SENDER) is Receipt.HANDLED
    assert log(game)[7:] == [(0, 6, users[0].pk), (0, 7, None)]
    assert "Your 2 moves are played." in AccountMail.objects.get().text
