"""How long actions took, and what clocks showed then: in the history, beside past positions, at the end."""

import re
from datetime import time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Game, Outage, SeatChange, Vote
from games.queries.viewing import view_game
from games.services import bots, calendars, seat_changes, tables, votes
from games.tasks import time_out
from games.titles.view import AnyView
from tests.clients import client_of
from tests.frozen import FrozenClock
from tests.play import fresh, mover, person, play_one, play_out, review_of

pytestmark = pytest.mark.django_db


def started(pace: str, caretaker: str = "", title: str = "novaluna") -> Game:
    options = tables.TableOptions(2, is_public=bool(pace), pace=pace, caretaker=caretaker, title=title)
    game = tables.open_table(person("Ines"), options)
    return tables.join(game.key, person("Tobias"))


def stored_clocks(game: Game, clock: FrozenClock) -> list[timedelta | None]:
    """Return what the clocks of a running game show now, as the projections of its seats say."""
    seats = fresh(game).seats.order_by("number")
    return [
        seat.bank
        if seat.time_is_up_at is None
        else max(seat.time_is_up_at - max(clock.now, seat.clock_started_at), timedelta(0))
        for seat in seats
    ]


def view_of(game: Game) -> AnyView:
    view: AnyView = view_game(fresh(game), AnonymousUser())
    return view


def clocks_after(game: Game) -> list[list[timedelta | None]]:
    clocks = view_of(game).clocks
    assert clocks
    return [list(time.left) for time in clocks.times]


@pytest.mark.parametrize("pace", ["live", "live3", "day"])
def test_past_clocks_are_those_that_the_site_showed_after_each_action(pace: str, clock: FrozenClock) -> None:
    game, shown = started(pace), []
    shown.append(stored_clocks(game, clock))
    for number in range(12):
        clock.move_on(seconds=7 + 3 * number)
        play_one(fresh(game))
        shown.append(stored_clocks(game, clock))
    assert clocks_after(game)[1:] == shown[1:]
    # Nothing that happens later changes them.
    clock.move_on(seconds=20)
    assert clocks_after(game)[1:] == shown[1:]


@pytest.mark.parametrize(
    ("pace", "hours", "is_shown"), [("day", 1, False), ("day", 13, True), ("live", 0, True)]
)
def test_a_review_shows_times_of_actions_that_say_something(
    pace: str, hours: int, is_shown: bool, clock: FrozenClock
) -> None:
    game = started(pace)
    clock.move_on(hours=hours)
    play_out(game)
    client = client_of(User.objects.get(username="Ines"))
    review_of(fresh(game))
    page = client.get(f"/g/{game.key}/review/").text
    assert ("Took" in page) is is_shown
    assert ("Took 13 hours, " in page) is (hours == 13)
    assert "Took less than a minute" not in page


@pytest.mark.parametrize(("sleeps", "took", "left"), [(True, 13, 23), (False, 22, 14)])
def test_sleeping_hours_take_no_time_in_the_past(
    sleeps: bool, took: int, left: int, clock: FrozenClock
) -> None:
    game = started("day")  # at noon
    first = mover(game)
    if sleeps:
        calendars.choose_hours(first, Hours(ZoneInfo("UTC"), Sleep(time(23), time(8))))
    clock.move_on(hours=22)
    play_one(fresh(game))
    while mover(fresh(game)) == first:
        play_one(fresh(game))
    page = client_of(person("Noor")).get(game.get_absolute_url()).text
    assert f"(took {took} hours, {left} hours left)" in page


def test_the_history_says_how_long_an_action_took_and_what_was_left(clock: FrozenClock) -> None:
    game = started("live")
    first = mover(game)
    clock.move_on(seconds=72)
    play_one(fresh(game))
    page = client_of(first).get(game.get_absolute_url()).text
    turn_ended = mover(fresh(game)) != first
    left = "9:18" if turn_ended else "8:48"
    assert f'<b>{left}</b>1:12 min</span><span class="hidden">(took 1:12 min, {left} left)</span>' in page
    text = client_of(first).get(f"{game.get_absolute_url()}text/").text
    assert f"(took 1:12 min, {left} left)" in text


def test_a_past_position_has_the_clocks_of_then_and_they_do_not_run(clock: FrozenClock) -> None:
    game = started("live")
    clock.move_on(seconds=72)
    play_one(fresh(game))
    clock.move_on(seconds=30)
    spectator = client_of(person("Noor"))
    past = spectator.get(f"{game.get_absolute_url()}?at=0").text
    players = past[past.index('class="panel game__players"') : past.index('id="about"')]
    assert players.count("Clock at that moment:") == 2
    assert len(re.findall(r"10:00\s*</span>", players)) == 2
    assert "data-ticks" not in players
    # The clock that runs is on the way back to now.
    assert re.search(r'id="back".*?class="bar__clock".*?>9:30</b>', past, re.DOTALL)
    assert "Clock at that moment:" not in spectator.get(game.get_absolute_url()).text
    players_page = client_of(mover(fresh(game)))
    assert 'id="sound-sign"' in players_page.get(f"{game.get_absolute_url()}?at=0").text
    Game.objects.filter(pk=game.pk).update(status=Game.Status.OVER)
    assert 'id="sound-sign"' not in players_page.get(f"{game.get_absolute_url()}?at=0").text
    assert "Clock at that moment: 10:00." in spectator.get(f"{game.get_absolute_url()}text/?at=0").text


def test_the_result_says_what_was_left_and_nothing_is_added_for_a_turn_that_ran_out(
    clock: FrozenClock,
) -> None:
    game = started("live")
    loser = mover(game)
    clock.move_on(minutes=10)
    time_out(game.pk)
    page = client_of(loser).get(game.get_absolute_url()).text
    result = page[page.index('id="result"') :]
    assert re.search(rf"{loser.username}.*?0:00 left", result, re.DOTALL)
    assert "10:00 left" in result
    assert clocks_after(game)[-1] == [
        timedelta(0) if seat.user == loser else timedelta(minutes=10)
        for seat in game.seats.order_by("number")
    ]


def test_an_outage_takes_no_time(clock: FrozenClock) -> None:
    game = started("live")
    start = clock.now
    clock.move_on(seconds=100)
    Outage.objects.create(started_at=start + timedelta(seconds=20), ended_at=start + timedelta(seconds=80))
    play_one(fresh(game))
    page = client_of(person("Noor")).get(game.get_absolute_url()).text
    assert "(took 40 s, " in page


def test_actions_of_a_bot_in_place_of_a_player_have_no_time(clock: FrozenClock) -> None:
    game = started("live", caretaker="easy")
    user = mover(game)
    seat_changes.hand_to_bot(game, game.seats.get(user=user), "easy", SeatChange.Reason.TIME)
    clock.move_on(seconds=5)
    bots.take_turn(game.pk, 1, without_search=True)
    assert fresh(game).version
    assert "(took " not in client_of(person("Noor")).get(game.get_absolute_url()).text


def test_a_bot_for_a_player_changes_no_earlier_clock_and_has_none(clock: FrozenClock) -> None:
    game = started("day", caretaker="easy")
    clock.move_on(hours=3)
    play_one(fresh(game))
    before = clocks_after(game)
    user = mover(fresh(game))
    seat = game.seats.get(user=user)
    clock.move_on(hours=10)
    seat_changes.hand_to_bot(fresh(game), seat, "easy", SeatChange.Reason.TIME)
    assert clocks_after(game) == before
    bots.take_turn(game.pk, 2, without_search=True)
    *earlier, last = clocks_after(game)
    assert earlier == before
    assert [left is None for left in last] == [number == seat.number for number in range(2)]
    clock.move_on(hours=1)
    seat_changes.take_back(game.key, user)
    assert clocks_after(game) == [*earlier, last]
    play_one(fresh(game))
    assert None not in clocks_after(game)[-1]


def test_a_new_player_changes_no_clock_of_the_others_and_hides_that_of_the_former(clock: FrozenClock) -> None:
    game = started("day")
    for _action in range(3):
        clock.move_on(hours=3)
        play_one(fresh(game))
    before, noor = clocks_after(game), person("Noor")
    clock.move_on(hours=10)
    seat_changes.hand_to_person(fresh(game), game.seats.get(number=0), noor)
    assert clocks_after(game) == [[None, other] for _former, other in before]
    page = client_of(noor).get(game.get_absolute_url()).text
    assert page.count("(took ") == [step.seat for step in view_of(game).steps].count(1)
    clock.move_on(hours=1)
    play_one(fresh(game))
    assert None not in clocks_after(game)[-1]


def test_clocks_before_an_agreed_pace_are_not_shown(clock: FrozenClock) -> None:
    game = started("day")
    clock.move_on(hours=3)
    play_one(fresh(game))
    ines, tobias = (game.seats.get(user__username=name).user for name in ("Ines", "Tobias"))
    assert "(took 3 hours, " in client_of(ines).get(game.get_absolute_url()).text
    votes.start(game.key, ines, Vote.Purpose.PACE, Game.Pace.SLOW)
    votes.answer(game.key, tobias, fresh(game).votes.get().pk, agrees=True)
    assert fresh(game).pace == "slow"
    assert "(took " not in client_of(ines).get(game.get_absolute_url()).text
    clock.move_on(hours=5)
    play_one(fresh(game))
    assert "(took 5 hours, " in client_of(ines).get(game.get_absolute_url()).text


@pytest.mark.parametrize("pace", ["", "live"])
def test_a_game_without_a_clock_has_no_times(pace: str, clock: FrozenClock) -> None:
    game = started(pace)
    clock.move_on(seconds=5)
    play_out(fresh(game))
    page = client_of(game.opened_by).get(game.get_absolute_url()).text
    assert ("(took " in page) == bool(pace)
    assert ("rank__clock" in page) == bool(pace)
