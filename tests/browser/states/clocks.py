"""Games with a clock: deadlines, sleeping hours, and bots that play for people whose time is up."""

from datetime import time, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import Action, Game, SeatChange, Vote
from games.services import bots, calendars, presence, seat_changes, tables, votes
from tests import play
from tests.browser.states.catalogue import Visit, minor_state, state
from tests.browser.states.making import (
    after_actions,
    fixed_deal,
    people,
    play_until,
    play_well,
    resign,
    start_game,
)

BERLIN = ZoneInfo("Europe/Berlin")


def paced_game(name: str = "day") -> Game:
    """Return a game of three with a clock, in which Tobias sleeps at night and Mina plans a vacation."""
    ines, tobias, mina = people("Ines", "Tobias", "Mina")
    calendars.choose_hours(tobias, Hours(BERLIN, Sleep(time(22), time(7, 30)), day_off=6))
    today = timezone.now().date()
    calendars.plan_vacation(mina, today + timedelta(days=30), today + timedelta(days=34))
    with fixed_deal(1):
        game = tables.open_table(ines, tables.TableOptions(3, is_public=True, pace=name, caretaker="medium"))
        tables.join(game.key, tobias)
        tables.join(game.key, mina)
    return play_until(game, after_actions(9))


def game_of_absent_player() -> tuple[Game, User]:
    """Return a game in which a bot plays for the player to move, and that player."""
    game = paced_game("slow")
    user = play.mover(game)
    seat_changes.hand_to_bot(game, game.seats.get(user=user), "medium", SeatChange.Reason.TIME)
    return play.fresh(game), user


@minor_state
def clock_board() -> Visit:
    game = paced_game()
    return Visit(game.get_absolute_url(), play.mover(game))


@state
def clock_live() -> Visit:
    game = paced_game("live")
    mover = play.mover(game)
    other = game.seats.exclude(user=mover).latest("number")
    presence.mark(game.key, other.user_id)
    return Visit(game.get_absolute_url(), mover)


@minor_state
def clock_past() -> Visit:
    game = paced_game("live")
    return Visit(f"{game.get_absolute_url()}?at=6", play.mover(game))


@minor_state
def clock_past_day() -> Visit:
    game = paced_game()
    return Visit(f"{game.get_absolute_url()}?at=6", play.mover(game))


@minor_state
def clock_past_text() -> Visit:
    game = paced_game("live")
    return Visit(f"{game.get_absolute_url()}text/?at=6", play.mover(game))


@minor_state
def clock_over() -> Visit:
    game = paced_game("live")
    loser = play.mover(game)
    while not (game := play.fresh(game)).is_over:
        resign(game, play.mover(game))
    return Visit(game.get_absolute_url(), loser)


@minor_state
def clock_take_back() -> Visit:
    game = paced_game("live")
    asker = play.mover(game)
    game = play_until(game, lambda position, _number: position.to_move != game.to_move)
    votes.start(game.key, asker, Vote.Purpose.TAKE_BACK, number=game.version)
    return Visit(game.get_absolute_url(), play.mover(game))


@minor_state
def clock_text() -> Visit:
    game = paced_game()
    return Visit(f"{game.get_absolute_url()}text/", play.mover(game))


@minor_state
def clock_away() -> Visit:
    game, user = game_of_absent_player()
    return Visit(game.get_absolute_url(), user)


@minor_state
def clock_offer() -> Visit:
    game = paced_game()
    mover = play.mover(game)
    other = game.seats.exclude(user=mover).first()
    assert other is not None
    assert other.user is not None
    votes.start(game.key, other.user, Vote.Purpose.PACE, Game.Pace.SLOW)
    return Visit(game.get_absolute_url(), mover)


@minor_state
def clock_pace() -> Visit:
    game = paced_game()
    return Visit(f"{game.get_absolute_url()}vote/", play.mover(game))


@minor_state
def clock_home() -> Visit:
    game = paced_game()
    paced_game("slow")
    game_of_absent_player()
    return Visit("/", play.mover(game))


def table_with_clock() -> Game:
    ines, tobias = people("Ines", "Tobias")
    calendars.choose_hours(tobias, Hours(BERLIN, Sleep(time(22), time(7, 30))))
    game = tables.open_table(tobias, tables.TableOptions(3, is_public=True, pace="slow", caretaker="medium"))
    tables.join(game.key, ines)
    return game


@minor_state
def clock_vacation() -> Visit:
    game = paced_game()
    mover, today = play.mover(game), timezone.now().date()
    calendars.plan_vacation(mover, today, today + timedelta(days=2))
    return Visit(game.get_absolute_url(), game.seats.exclude(user=mover).earliest("number").user)


def game_with_estimate() -> tuple[Game, User]:
    """Return a game and the player who waits, whose opponent has usually answered after an hour."""
    past = play_until(start_game("Ines", "Tobias"), after_actions(58))
    rows = list(Action.objects.filter(game=past).order_by("number"))
    first_day = timezone.now() - timedelta(days=len(rows) // 10 + 1)
    for place, row in enumerate(rows):
        row.at = first_day + timedelta(days=place // 10, hours=place % 10 - 3)
    Action.objects.bulk_update(rows, ["at"])
    game = play_until(start_game("Ines", "Tobias"), after_actions(9))
    waiting = game.seats.exclude(user=play.mover(game)).get().user
    assert waiting is not None
    return game, waiting


@minor_state
def clock_estimate() -> Visit:
    game, waiting = game_with_estimate()
    return Visit(game.get_absolute_url(), waiting)


@minor_state
def clock_estimate_text() -> Visit:
    game, waiting = game_with_estimate()
    return Visit(f"{game.get_absolute_url()}text/", waiting)


def game_with_bot_actions() -> tuple[Game, User]:
    """Return a game in which a bot has played a turn for a person, who then took the seat back."""
    game = paced_game("slow")
    user = play.mover(game)
    seat_changes.hand_to_bot(game, game.seats.get(user=user), "medium", SeatChange.Reason.TIME)
    bots.take_turn(game.pk, play.fresh(game).version + 1, without_search=True)
    seat_changes.take_back(game.key, user)
    return play.fresh(game), user


@minor_state
def clock_bot_actions() -> Visit:
    game, user = game_with_bot_actions()
    return Visit(game.get_absolute_url(), user)


@minor_state
def clock_bot_actions_text() -> Visit:
    game, user = game_with_bot_actions()
    return Visit(f"{game.get_absolute_url()}text/", user)


@minor_state
def clock_bot_actions_review() -> Visit:
    game, user = game_with_bot_actions()
    play.review_of(play_well(game, "easy", "easy", "easy"))
    return Visit(f"{game.get_absolute_url()}review/", user)


@minor_state
def hours_pending() -> Visit:
    [ines] = people("Ines")
    for start in (time(22), time(23)):
        calendars.choose_hours(ines, Hours(BERLIN, Sleep(start, time(7))))
    return Visit("/account/hours/", ines)


def choose_long_night(page: Page) -> None:
    page.locator("[name=sleep_start]").fill("20:00")
    page.locator("[name=sleep_end]").fill("09:00")
    page.locator("[name=sleep_end]").press("Enter")
    expect(page.locator(".errorlist").first).to_be_visible()


@minor_state
def hours_refused() -> Visit:
    return Visit("/account/hours/", people("Ines")[0], after=choose_long_night, is_refused=True)


@minor_state
def hours() -> Visit:
    [ines] = people("Ines")
    calendars.choose_hours(ines, Hours(BERLIN, Sleep(time(22), time(7, 30)), day_off=6))
    today = timezone.now().date()
    calendars.plan_vacation(ines, today, today + timedelta(days=4))
    calendars.plan_vacation(ines, today + timedelta(days=14), today + timedelta(days=18))
    return Visit("/account/hours/", ines)


@minor_state
def clock_invitation() -> Visit:
    return Visit(table_with_clock().get_absolute_url(), people("Noor")[0])


@minor_state
def clock_table() -> Visit:
    return Visit(table_with_clock().get_absolute_url(), people("Tobias")[0])
