"""Games that wait for several seats: numbers, clocks, plans, votes and what each of them is owed."""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from games.log.replay import public_log
from games.models import Action, Game, Kind, Notification, Plan, Seat, SeatChange
from games.queries.mail_links import MailTurn, move_url
from games.queries.summaries import summary
from games.services import bot_queue, hand_overs, notifications, plans, seat_changes, votes
from games.services.errors import Conflict
from games.services.play import play, play_for_bot
from games.services.talk import nudges
from games.titles.actions import Cancel
from games.titles.registry import title_named
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import fresh, hand_over, person
from tests.titles.pairs.rules import Choose
from tests.titles.play import choose, dealt_pairs, pairs_game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("pairs", "dealt")]

NAMES = ("Ines", "Tobias", "Noor", "Mina")


@pytest.fixture
def dealt() -> Iterator[None]:
    with dealt_pairs():
        yield


@pytest.fixture
def users() -> list[User]:
    return [person(name) for name in NAMES]


def seats_awaited(game: Game) -> dict[int, int | None]:
    return dict(game.seats.awaited().values_list("number", "awaited_since"))


def assert_projections_are_right() -> None:
    out = StringIO()
    call_command("rebuild_games", "--check", stdout=out)
    assert " 0 differ " in out.getvalue(), out.getvalue()


def owed(game: Game, kind: str = Kind.TURN) -> list[str]:
    rows = Notification.objects.filter(game=game, kind=kind)
    return sorted(rows.values_list("user__username", flat=True))


def test_each_seat_is_awaited_until_it_has_chosen_and_again_after_the_last(users: list[User]) -> None:
    game = pairs_game(*users)
    assert seats_awaited(game) == {0: 0, 1: 0, 2: 0, 3: 0}
    choose(game, users[1], 1)
    assert seats_awaited(game) == {0: 0, 2: 0, 3: 0}
    assert not Game.objects.waiting_for(users[1]).exists()
    assert Game.objects.waiting_for(users[2]).get() == game
    assert_projections_are_right()
    for user, card in ((users[0], 3), (users[3], 2), (users[2], 5)):
        choose(game, user, card)
    assert seats_awaited(game) == {0: 4, 1: 4, 2: 4, 3: 4}
    assert_projections_are_right()


def test_a_choice_counts_although_others_have_chosen_meanwhile(users: list[User]) -> None:
    game = pairs_game(*users)
    assert [choose(game, user, 3 if seat in (0, 2) else 1, 1).number for seat, user in enumerate(users)] == [
        1,
        2,
        3,
        4,
    ]
    assert fresh(game).version == 4


def test_a_choice_that_is_sent_twice_counts_once(users: list[User]) -> None:
    game, request_id = pairs_game(*users), uuid.uuid4()
    choose(game, users[0], 3, 1)
    assert choose(game, users[1], 1, 1, request_id).number == 2
    assert choose(game, users[1], 1, 1, request_id).number == 2
    with pytest.raises(Conflict, match="moved on"):
        choose(game, users[1], 2, 1)  # From a second tab.
    choose(game, users[2], 3, 1)
    choose(game, users[3], 1, 1)
    with pytest.raises(Conflict, match="moved on"):
        choose(game, users[1], 2, 2)  # For a round that is over.
    assert Action.objects.filter(game=game, seat=1).count() == 1


def test_nobody_cancels_a_game_alone(users: list[User]) -> None:
    game = pairs_game(*users)
    with pytest.raises(Conflict, match="Only all players together"):
        play(game.key, users[0], Cancel(), 1, uuid.uuid4())  # As a form could send it.
    assert fresh(game).version == 0


def test_a_turn_is_owed_once_for_each_choice(users: list[User]) -> None:
    game = pairs_game(*users)
    assert owed(game) == sorted(NAMES)
    for user, card in zip(users[:3], (3, 1, 3), strict=True):
        choose(game, user, card)
    assert owed(game) == sorted(NAMES)
    choose(game, users[3], 1)
    assert owed(game) == sorted([*NAMES, *NAMES])


def test_lists_name_all_who_are_to_move(users: list[User]) -> None:
    game = pairs_game(*users)
    choose(game, users[0], 3)
    choose(game, users[1], 1)
    assert summary(game, users[0]).movers == "Noor and Mina"
    assert not summary(game, users[0]).is_your_turn
    assert summary(game, users[3]).is_your_turn


def test_several_clocks_run_and_only_the_seat_that_is_late_is_played_by_a_bot(
    users: list[User], clock: FrozenClock
) -> None:
    start = clock.now
    game = pairs_game(*users, pace="day", caretaker="easy")
    clock.move_on(hours=20)
    for user, card in zip(users[1:], (1, 3, 1), strict=True):
        choose(game, user, card)
    assert fresh(game).deadline == start + timedelta(days=1)
    choose(game, users[0], 3)  # 24 h - 20 h + 12 h are left to each.
    assert {seat.bank for seat in game.seats.all()} == {timedelta(hours=16)}
    assert {seat.deadline for seat in game.seats.all()} == {clock.now + timedelta(hours=16)}
    assert_projections_are_right()

    clock.move_on(hours=15)
    choose(game, users[0], 6)
    choose(game, users[1], 2)
    late = clock.now + timedelta(hours=1)
    game.seats.filter(number=3).update(bank=timedelta(days=2))
    now = fresh(game)
    seat_changes.run_clocks(now, now.seats.all(), clock.now)
    assert [seat.deadline for seat in game.seats.order_by("number")] == [
        None,
        None,
        late,
        late + timedelta(hours=32),
    ]
    clock.move_on(hours=1)
    assert seat_changes.due_ids() == [game.pk]
    seat_changes.time_out(game.pk)
    seat_changes.time_out(game.pk)
    assert [seat.caretaker for seat in game.seats.order_by("number")] == ["", "", "easy", ""]
    assert fresh(game).deadline == late + timedelta(hours=32)
    assert SeatChange.objects.get().seat == 2
    assert owed(game, Kind.CARETAKER) == ["Noor"]

    number = fresh(game).version + 1
    choose(game, users[3], 2)  # While the bot thinks.
    with pytest.raises(Conflict):
        choose(game, users[2], 5)
    play_for_bot(game.pk, Choose(2, 5), number)
    assert fresh(game).version == 8
    assert [seat.is_awaited for seat in fresh(game).seats.all()] == [True] * 4


def test_each_player_is_reminded_of_their_own_deadline(users: list[User], clock: FrozenClock) -> None:
    game = pairs_game(*users, pace="day", caretaker="easy")
    game.seats.filter(number=2).update(bank=timedelta(hours=30))
    now = fresh(game)
    seat_changes.run_clocks(now, now.seats.all(), clock.now)
    choose(game, users[0], 3)
    clock.move_on(hours=19)
    assert notifications.due_reminders() == [game.pk]
    notifications.remind(game.pk)
    assert owed(game, Kind.REMINDER) == ["Mina", "Tobias"]
    clock.move_on(hours=4, minutes=30)
    assert notifications.due_reminders() == []
    clock.move_on(minutes=31)
    notifications.remind(game.pk)
    notifications.remind(game.pk)
    assert owed(game, Kind.REMINDER) == ["Mina", "Noor", "Tobias"]


def test_a_plan_is_played_when_all_choose_again(users: list[User]) -> None:
    game = pairs_game(*users)
    choose(game, users[0], 3)
    choose(game, users[3], 1)
    for user, card in ((users[0], 6), (users[3], 2)):
        plans.change(game.key, user, [Choose(-1, card)], 3, outlasts_reveals=True)
    with pytest.raises(Conflict, match="It is your turn now"):
        plans.change(game.key, users[2], [Choose(-1, 5)], 3, outlasts_reveals=True)
    choose(game, users[1], 1)
    assert fresh(game).version == 3
    choose(game, users[2], 3)
    assert list(Action.objects.filter(game=game, number__gt=4).values_list("seat", flat=True)) == [0, 3]
    assert seats_awaited(game) == {1: 4, 2: 4}
    assert not Plan.objects.exists()
    assert owed(game) == sorted([*NAMES, "Tobias", "Noor"])
    assert_projections_are_right()


def test_others_vote_about_one_absent_player_although_several_are_awaited(
    users: list[User], clock: FrozenClock
) -> None:
    game = pairs_game(*users)
    clock.move_on(days=5)
    choose(game, users[0], 3)
    clock.move_on(days=10)
    choose(game, users[1], 1)
    for user in users[:2]:
        votes.start(game.key, user, "bot")
    assert game.votes.running().get().seat == 2, "the first of two who have not chosen for 14 days"
    votes.answer(game.key, users[3], game.votes.get().pk, agrees=True)
    assert [seat.caretaker for seat in game.seats.order_by("number")] == ["", "", "medium", ""]
    assert seats_awaited(game) == {2: 0, 3: 0}


def test_all_who_are_late_are_nudged(users: list[User], clock: FrozenClock) -> None:
    game = pairs_game(*users)
    with pytest.raises(Conflict):
        nudges.nudge(game.key, users[0])
    clock.move_on(hours=23)
    choose(game, users[0], 3)
    clock.move_on(hours=2)
    choose(game, users[1], 1)
    assert [nudge.user for nudge in nudges.nudge(game.key, users[0])] == users[2:]
    assert owed(game, Kind.NUDGE) == ["Mina", "Noor"]
    with pytest.raises(Conflict, match="once a day"):
        nudges.nudge(game.key, users[1])


def test_who_has_handed_a_seat_over_cannot_look_on(users: list[User]) -> None:
    game, taker = pairs_game(*users), person("Vera")
    page = game.get_absolute_url()
    hand_over(game, users[0], taker)
    assert game.seats.get(number=0).user == taker
    refused = client_of(users[0]).get(page)
    assert refused.status_code == 403
    assert "You have handed over your seat, so you have seen hidden cards." in refused.text
    hand_overs.offer(game.key, users[1], is_public=False)
    key = game.seat_offers.latest("pk").key
    with pytest.raises(Conflict, match="you have seen another hand"):
        hand_overs.take(key, users[0])
    assert owed(game).count("Vera") == 1, "it is their turn"


def test_several_bots_choose_one_after_the_other(users: list[User]) -> None:
    game = pairs_game(*users[:2], bots=("easy", "easy"))
    awaited = Seat.objects.awaited().played_by_bots().filter(game=game)
    assert [seat.number for seat in awaited] == [
        seat.number for seat in game.seats.order_by("number") if seat.bot
    ]
    assert Game.objects.filter(pk__in=bot_queue.turns_of("games.bots.take_quick_turn")).get() == game


def test_the_link_of_an_email_counts_although_others_have_chosen_meanwhile(users: list[User]) -> None:
    game = pairs_game(*users)
    line = title_named("pairs").pages.write_action(Choose(1, 1), public_log(game, seat=1).position)
    link = move_url(MailTurn(game, users[1], 1, 1), line).removeprefix(settings.SITE_URL)
    choose(game, users[0], 3)
    for _press in range(2):
        assert Client().post(link).status_code in (200, 302)
    assert Action.objects.get(game=game, seat=1).number == 2
    assert Client().get(link).status_code == 200
