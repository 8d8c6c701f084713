"""Votes: all who play agree on another pace, about an absent player, or to cancel the game."""

import uuid
from datetime import date, timedelta
from io import StringIO

import pytest
from django.core.management import call_command

from accounts.models import User
from games.models import Game, Kind, Notification, SeatChange, Vote
from games.novaluna.engine import Resign
from games.services import calendars, seat_changes, tables, votes
from games.services.errors import Conflict, NotSeated, TooOften
from games.services.play import play
from games.tasks import sweep
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import fresh, game_of, mover, person, play_one

pytestmark = pytest.mark.django_db

BOT, OUT, CANCEL, PACE = Vote.Purpose.BOT, Vote.Purpose.OUT, Vote.Purpose.CANCEL, Vote.Purpose.PACE


@pytest.fixture
def game(clock: FrozenClock) -> Game:
    """A game of three people without a clock, which has waited for one of them for 14 days."""
    game = game_of(person("Ines"), person("Tobias"), person("Mina"), is_public=False)
    clock.move_on(days=14)
    return game


def others(game: Game) -> list[User]:
    """Return the people whose turn it is not."""
    seats = game.seats.filter(user__isnull=False).exclude(number=fresh(game).to_move)
    return [seat.user for seat in seats.select_related("user").order_by("number")]


def vote_of(game: Game) -> Vote:
    return game.votes.latest("pk")


def agree(game: Game, user: User) -> None:
    votes.answer(game.key, user, vote_of(game).pk, agrees=True)


def decline(game: Game, user: User) -> None:
    votes.answer(game.key, user, vote_of(game).pk, agrees=False)


def assert_projections_are_right() -> None:
    out = StringIO()
    call_command("rebuild_games", "--check", stdout=out)
    assert " 0 differ " in out.getvalue()


@pytest.mark.parametrize("purpose", [BOT, OUT, CANCEL])
def test_a_call_happens_when_all_others_have_agreed(game: Game, purpose: str) -> None:
    absent, (first, second) = mover(game), others(game)
    votes.start(game.key, first, purpose)
    assert fresh(game).version == 0
    assert not SeatChange.objects.exists()
    agree(game, second)
    game = fresh(game)
    seat = game.seats.get(user=absent)
    assert vote_of(game).outcome == Vote.Outcome.AGREED
    if purpose == BOT:
        assert (seat.caretaker, game.is_running) == ("medium", True)
        assert SeatChange.objects.get().reason == "call"
        assert Notification.objects.filter(user=absent, kind=Kind.CARETAKER).exists()
    elif purpose == OUT:
        assert (seat.has_left, game.is_running) == (True, True)
        assert game.actions.get().payload["reason"] == "absent"
    else:
        assert (game.is_over, game.winner, game.ending) == (True, None, "cancelled")
        owed = Notification.objects.filter(kind=Kind.OVER).values_list("user", flat=True)
        assert {*owed} == {absent.pk, first.pk, second.pk}
    assert_projections_are_right()


@pytest.mark.databases
@pytest.mark.parametrize("purpose", [BOT, OUT])
def test_nobody_is_called_who_has_waited_less_or_moves_or_is_on_vacation(
    clock: FrozenClock, purpose: str
) -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"), is_public=False)
    absent, (first, second) = mover(game), others(game)
    clock.move_on(days=14, seconds=-1)
    with pytest.raises(Conflict, match="14 days"):
        votes.start(game.key, first, purpose)
    calendars.plan_vacation(absent, date(2026, 6, 10), date(2026, 6, 16))
    clock.move_on(seconds=1)
    with pytest.raises(Conflict, match="14 days"):
        votes.start(game.key, first, purpose)
    clock.move_on(days=2)
    votes.start(game.key, first, purpose)
    with pytest.raises(Conflict, match="only the others answer it"):
        agree(game, absent)
    play_one(game)
    assert vote_of(game).outcome == Vote.Outcome.LAPSED
    agree(game, second)
    assert fresh(game).version == 1
    assert fresh(game).is_running


def test_vacation_days_do_not_count_as_absence(clock: FrozenClock) -> None:
    game = game_of(person("Ines"), person("Tobias"), is_public=False)
    absent, [other] = mover(game), others(game)
    today = clock.now.date()
    calendars.plan_vacation(absent, today, today + timedelta(days=14))
    clock.now += timedelta(days=14, hours=12)
    for wait in (timedelta(0), timedelta(days=14, seconds=-1)):
        clock.now += wait
        with pytest.raises(Conflict, match="14 days"):
            votes.start(game.key, other, OUT)
    clock.move_on(seconds=1)
    votes.start(game.key, other, OUT)
    assert fresh(game).is_over


def test_a_game_with_a_clock_knows_no_absent_player(clock: FrozenClock, game: Game) -> None:
    votes.start(game.key, others(game)[0], PACE, "slow")
    for user in (mover(game), others(game)[1]):
        agree(game, user)
    clock.move_on(days=20)
    with pytest.raises(Conflict, match="14 days"):
        votes.start(game.key, others(game)[0], BOT)


def test_the_absent_player_is_back_once_and_then_has_to_move(game: Game, clock: FrozenClock) -> None:
    absent, (first, second) = mover(game), others(game)
    votes.start(game.key, first, BOT)
    decline(game, absent)
    assert vote_of(game).outcome == Vote.Outcome.BACK
    clock.move_on(days=2)
    with pytest.raises(TooOften, match=r"proposed recently\. Please try again in 24 hours"):
        votes.start(game.key, first, OUT)
    clock.move_on(days=1)
    votes.start(game.key, first, OUT)
    with pytest.raises(Conflict, match="Please move"):
        decline(game, absent)
    agree(game, second)
    assert game.seats.get(user=absent).has_left


def test_everybody_who_plays_must_agree_to_a_cancel(clock: FrozenClock) -> None:
    game = game_of(person("Ines"), person("Tobias"), bots=("easy",))
    users = [seat.user for seat in game.seats.filter(user__isnull=False).select_related("user")]
    with pytest.raises(NotSeated):
        votes.start(game.key, person("Noor"), CANCEL)
    for _press in range(2):
        votes.start(game.key, users[0], CANCEL)
    assert fresh(game).is_running
    shown = fresh(game).live_version
    assert shown > 0, "open pages load the vote"
    decline(game, users[1])
    assert fresh(game).live_version == shown + 1, "open pages drop the vote"
    decline(game, users[1])
    with pytest.raises(TooOften, match=r"proposed recently\. Please try again in 72 hours"):
        votes.start(game.key, users[0], CANCEL)
    clock.move_on(days=3)
    votes.start(game.key, users[0], CANCEL)
    votes.start(game.key, users[1], CANCEL)
    assert fresh(game).ending == "cancelled"
    with pytest.raises(Conflict):
        votes.start(game.key, users[0], CANCEL)
    assert_projections_are_right()


def test_an_absent_player_who_is_back_can_ask_to_cancel(game: Game) -> None:
    absent, (first, second) = mover(game), others(game)
    with pytest.raises(Conflict, match="14 days"):
        votes.start(game.key, absent, BOT)
    votes.start(game.key, absent, CANCEL)
    agree(game, first)
    assert fresh(game).is_running
    agree(game, second)
    assert fresh(game).ending == "cancelled"


def test_nobody_cancels_a_game_alone(clock: FrozenClock) -> None:
    alone = person("Ines")
    with pytest.raises(Conflict, match="Only people"):
        votes.start(game_of(alone, bots=("easy",)).key, alone, CANCEL)
    game = game_of(alone, person("Tobias"))
    away = game.seats.exclude(user=alone).get()
    seat_changes.hand_to_bot(game, away, "easy", SeatChange.Reason.TIME)
    with pytest.raises(Conflict, match="Only people"):
        votes.start(game.key, alone, CANCEL)
    with pytest.raises(Conflict, match="Only people who play"):
        votes.start(game.key, away.user, CANCEL)


def test_a_vote_lapses_when_somebody_leaves_or_a_bot_takes_over(clock: FrozenClock) -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"))
    first, second = others(game)
    votes.start(game.key, first, CANCEL)
    play_one(game)
    assert vote_of(game).settled_at is None, "a move ends only a vote on its player"
    seat_changes.hand_to_bot(fresh(game), game.seats.get(user=second), "easy", SeatChange.Reason.TIME)
    assert vote_of(game).outcome == Vote.Outcome.LAPSED
    votes.start(game.key, first, CANCEL)
    play(game.key, second, Resign(0), fresh(game).version + 1, uuid.uuid4())
    assert [vote.outcome for vote in game.votes.all()] == ["lapsed", "lapsed"]
    assert fresh(game).is_running


@pytest.mark.databases
def test_one_vote_runs_at_a_time(game: Game) -> None:
    first, second = others(game)
    votes.start(game.key, first, BOT)
    with pytest.raises(Conflict, match="Another proposal is open"):
        votes.start(game.key, second, OUT)
    decline(game, second)
    votes.start(game.key, second, OUT)
    agree(game, first)
    assert game.seats.filter(has_left=True).exists()


@pytest.mark.parametrize("purpose", [PACE, CANCEL])
def test_a_call_replaces_a_vote_that_waits_for_the_absent_player(clock: FrozenClock, purpose: str) -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"), is_public=False)
    votes.start(game.key, others(game)[0], purpose, "slow")
    clock.move_on(days=14)
    votes.start(game.key, others(game)[1], OUT)
    assert [vote.outcome for vote in game.votes.order_by("pk")] == [Vote.Outcome.LAPSED, ""]
    with pytest.raises(Conflict, match="Another proposal is open"):
        votes.start(game.key, others(game)[0], PACE, "slow")
    agree(game, others(game)[0])
    assert game.seats.filter(has_left=True).exists()


@pytest.mark.databases
def test_those_who_do_not_answer_a_call_for_a_week_count_as_agreeing(
    game: Game, clock: FrozenClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    queued: list[tuple[object, ...]] = []
    monkeypatch.setattr("games.tasks.queue", lambda *task, **options: queued.append(task) or True)
    votes.start(game.key, others(game)[0], CANCEL)
    clock.move_on(days=7, seconds=-1)
    sweep()
    votes.end_call(game.pk)
    assert fresh(game).is_running
    clock.move_on(seconds=1)
    sweep()
    assert ("games.end_silent_call", game.pk) in queued
    for _run in range(2):
        votes.end_call(game.pk)
    assert (fresh(game).version, fresh(game).ending) == (1, "cancelled")


def test_nobody_agrees_to_another_vote_by_silence(game: Game, clock: FrozenClock) -> None:
    votes.start(game.key, others(game)[0], PACE, "slow")
    clock.move_on(days=30)
    votes.end_call(game.pk)
    assert (votes.due_call_ids(), fresh(game).pace) == ([], "")


def test_those_who_are_asked_get_a_notification(game: Game) -> None:
    Notification.objects.all().delete()
    absent, (first, second) = mover(game), others(game)
    votes.start(game.key, first, PACE, "slow")
    owed = Notification.objects.filter(kind=Kind.VOTE)
    assert {one.user for one in owed} == {absent, second}
    decline(game, second)
    owed.delete()
    votes.start(game.key, first, OUT)
    assert {one.user for one in owed} == {absent, second}, "the absent player learns of it too"


def test_a_call_lapses_if_the_absent_player_goes_on_vacation(game: Game, clock: FrozenClock) -> None:
    absent, (first, second) = mover(game), others(game)
    votes.start(game.key, first, OUT)
    shown = fresh(game).live_version
    calendars.plan_vacation(second, clock.now.date(), clock.now.date() + timedelta(days=9))
    assert vote_of(game).settled_at is None
    calendars.plan_vacation(absent, clock.now.date(), clock.now.date() + timedelta(days=9))
    assert (fresh(game).version, vote_of(game).outcome) == (0, Vote.Outcome.LAPSED)
    assert fresh(game).live_version == shown + 1, "open pages drop the call"
    agree(game, second)
    assert vote_of(game).outcome == Vote.Outcome.LAPSED
    clock.move_on(days=8)
    votes.end_call(game.pk)
    assert fresh(game).version == 0


def test_a_call_lapses_when_a_planned_vacation_starts(game: Game, clock: FrozenClock) -> None:
    absent, (first, _second) = mover(game), others(game)
    tomorrow = clock.now.date() + timedelta(days=1)
    calendars.plan_vacation(absent, tomorrow, tomorrow)
    votes.start(game.key, first, OUT)
    assert votes.due_call_ids() == []
    clock.move_on(hours=12, seconds=-1)
    assert votes.due_call_ids() == []
    clock.move_on(seconds=1)
    assert votes.due_call_ids() == [game.pk]
    votes.end_call(game.pk)
    assert (fresh(game).version, vote_of(game).outcome) == (0, Vote.Outcome.LAPSED)
    clock.move_on(days=1)
    votes.start(game.key, first, OUT)
    assert vote_of(game).settled_at is None, "nobody has declined the call that lapsed"


@pytest.mark.parametrize("pace", ["", "live"])
def test_nobody_changes_the_pace_of_a_person_whose_seat_a_bot_plays(clock: FrozenClock, pace: str) -> None:
    ines, tobias = person("Ines"), person("Tobias")
    game = tables.open_table(ines, tables.TableOptions(2, is_public=True, pace="slow", caretaker="easy"))
    tables.join(game.key, tobias)
    away = game.seats.get(user=tobias)
    seat_changes.hand_to_bot(fresh(game), away, "easy", SeatChange.Reason.TIME)
    with pytest.raises(Conflict, match="while a bot plays for a person"):
        votes.start(game.key, ines, PACE, pace)
    page = f"{game.get_absolute_url()}vote/"
    words = ("while a bot plays for a person", "Propose this pace")
    assert [one in client_of(ines).get(page).text for one in words] == [True, False]
    assert fresh(game).pace == "slow"
    seat_changes.take_back(game.key, tobias)
    assert [one in client_of(ines).get(page).text for one in words] == [False, True]


def test_who_has_left_does_not_keep_the_others_from_changing_the_pace(clock: FrozenClock) -> None:
    game = game_of(person("Ines"), person("Tobias"), person("Mina"), is_public=False)
    first, second = others(game)
    gone = mover(game)
    seat_changes.hand_to_bot(fresh(game), game.seats.get(user=gone), "easy", SeatChange.Reason.TIME)
    play(game.key, gone, Resign(0), fresh(game).version + 1, uuid.uuid4())
    votes.start(game.key, first, PACE, "live")
    agree(game, second)
    assert fresh(game).pace == "live"
