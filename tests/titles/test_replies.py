"""Replies with several actions: they are played in order while possible, and an answer says which."""

import pytest

from accounts.models import AccountMail, User
from games.models import Action, Game, Plan, ReceivedReply, Seat
from games.notifications.replies import Receipt, receive
from games.queries.mail_links import reply_address_for, turn_of_player
from tests.games.notifications.received import SENDER, email
from tests.play import fresh, person
from tests.titles.play import choose, dealt_pairs, pairs_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "template_fields_exist")]

NAMES = ("Ines", "Tobias", "Mina", "Noor")


@pytest.fixture
def game() -> Game:
    """A game in which Ines, with the cards 3, 6 and 7, is the last to choose, and then chooses again."""
    users = [person(name) for name in NAMES]
    with dealt_pairs():
        game = pairs_game(*users)
    for user, card in zip(users[1:], (1, 3, 1), strict=True):
        choose(game, user, card)
    Seat.objects.update(seen_at=None)
    return fresh(game)


def ines() -> User:
    return User.objects.get(username="Ines")


def address_of(game: Game) -> str:
    return reply_address_for(turn_of_player(fresh(game), ines()))


def reply(game: Game, text: str, address: str = "") -> None:
    assert receive(email(text), address or address_of(game), SENDER) is Receipt.HANDLED


def chosen_by_ines(game: Game) -> list[int]:
    return [action.payload["card"] for action in Action.objects.filter(game=game, made_by=ines())]


def answer() -> str:
    [mail] = AccountMail.objects.all()
    return mail.text.partition("#-#")[2].partition("-- \n")[0]


@pytest.mark.parametrize(
    "text",
    [
        "choose 3\nchoose 6",
        "Hello!\n\nchoose 3\nHave a nice evening.\nchoose 6\nInes",
        "choose 3; choose 6",
        "Choose 3, then choose 6, please.",
        "choose the 3 and then choose the 6",
    ],
)
def test_the_actions_of_a_reply_are_played_in_order(game: Game, text: str) -> None:
    reply(game, text)
    assert chosen_by_ines(game) == [3, 6]
    assert "Your 2 moves are played." in answer()


def test_an_answer_says_which_actions_were_planned_or_not_played_because_others_are_awaited(
    game: Game,
) -> None:
    reply(game, "choose 3\nchoose 6\nchoose 7\nchoose 7")
    assert chosen_by_ines(game) == [3, 6]
    text = answer()
    assert "Played: “choose 3” and “choose 6”. Not played: “choose 7”." in text
    assert "“choose 7” is your plan for your next turn." in text
    assert "A plan is for one turn, so write “choose 7” again later." in text
    assert Plan.objects.get(game=game, user=ines()).outlasts_reveals


@pytest.mark.parametrize(
    "text", ["choose 6", "Hello!", "choose 6?", "choose 6\nNo wait, choose 7", "resign", "no"]
)
def test_an_action_that_comes_while_others_are_awaited_is_planned_if_nothing_is_doubtful(
    game: Game, text: str
) -> None:
    reply(game, "choose 3\nchoose 7")
    AccountMail.objects.all().delete()
    plan = Plan.objects.filter(game=game, user=ines())
    reply(game, text)
    assert "It is not your turn." in answer()
    assert plan.exists() is (text == "choose 6")
    assert chosen_by_ines(game) == [3, 7]


def test_an_answer_says_why_a_later_action_was_not_possible(game: Game) -> None:
    reply(game, "choose 3\nchoose 3\nchoose 7")
    assert chosen_by_ines(game) == [3]
    text = answer()
    assert "Played: “choose 3”. Not played: “choose 3” and “choose 7”." in text
    assert "“choose 3” is not possible now. Write one of these: choose 6, choose 7." in text
    assert "It is your turn." in text
    assert "was not played, and it is still your turn" not in text


def test_nothing_is_played_if_the_first_action_is_not_possible(game: Game) -> None:
    reply(game, "choose 5\nchoose 6")
    assert chosen_by_ines(game) == []
    assert "Your reply was not played, and it is still your turn." in answer()


@pytest.mark.parametrize("text", ["choose 3\nresign", "choose 3\nNo wait, choose 6", "choose 3\nno, wait"])
def test_doubt_plays_nothing(game: Game, text: str) -> None:
    reply(game, text)
    assert chosen_by_ines(game) == []
    assert not Action.objects.filter(game=game, payload__do="resign").exists()
    assert AccountMail.objects.count() == 1


def test_a_reply_that_arrives_twice_plays_its_actions_once(game: Game) -> None:
    raw, address = email("choose 3\nchoose 6"), address_of(game)
    for _copy in range(2):
        receive(raw, address, SENDER)
    assert chosen_by_ines(game) == [3, 6]
    assert ReceivedReply.objects.count() == 1


def test_a_plan_can_follow_the_actions(game: Game) -> None:
    reply(game, "choose 3\nchoose 6\nplan choose 7; also later")
    assert chosen_by_ines(game) == [3, 6]
    assert "Your 2 moves are played. Your plan is saved." in answer()
    assert Plan.objects.get(game=game, user=ines()).wishes == [{"seat": 0, "do": "choose", "card": 7}]


def test_an_action_that_is_not_possible_is_named_above_a_plan_too(game: Game) -> None:
    reply(game, "choose 5\nplan choose 7")
    assert chosen_by_ines(game) == []
    assert "“choose 5” is not possible now." in answer()


def test_a_second_email_with_the_same_actions_changes_nothing(game: Game) -> None:
    address = address_of(game)
    reply(game, "choose 3\nchoose 6", address)
    AccountMail.objects.all().delete()
    reply(game, "choose 3\nchoose 6", address)
    assert chosen_by_ines(game) == [3, 6]
    assert not AccountMail.objects.exists()
