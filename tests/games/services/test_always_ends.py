"""Whatever people do, and however long they are away: every game can end, and its rows stay right.

A state machine calls the services as people and the sweep do, in any order, with a clock that stands still
until a rule moves it on. For thousands of steps: `pytest --hypothesis-profile=long` with this file.
"""

import random
import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import time, timedelta
from email.message import EmailMessage
from typing import ClassVar
from unittest import mock
from zoneinfo import ZoneInfo

import hypothesis
import pytest
from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from pytest_django.fixtures import Settings

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import (
    Action,
    Game,
    Kind,
    Notification,
    Outage,
    Plan,
    Seat,
    SeatOffer,
    Vacation,
    Vote,
    absent_seats,
    voters,
)
from games.notifications.registry import KINDS
from games.notifications.replies import receive
from games.novaluna.engine import Place, Position, Refill, Resign
from games.queries.mail_links import MailTurn, reply_address_for
from games.services import (
    bots,
    calendars,
    deals,
    hand_overs,
    nudges,
    plans,
    pruning,
    seat_changes,
    tables,
    votes,
)
from games.services.errors import Refused
from games.services.notifications import due_reminders, remind
from games.services.play import play
from games.services.projections import outages
from games.services.projections.games import rebuild
from games.services.projections.ratings import rebuild_ratings
from games.services.pruning.people import remove_account
from games.titles.registry import Title
from tests.frozen import frozen_clock
from tests.play import fresh, legal_action, person, position_of, same_deals

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.databases]

PEOPLE = st.integers(0, 3)
SEEDS = st.integers(0, 2**32)
# More than any game has timeouts, vacations and calls.
MOST_WAITS = 100


def choose_first(_title: Title, _game: Game, position: Position, _seat: int, _level: str) -> Place | Refill:
    """Return the first legal action, instead of a random good one."""
    return next(iter(position.legal_actions))


class Games(RuleBasedStateMachine):
    """Two tables for up to three people, from their opening on, and four people who do what they want.

    All rules are about `game`, until a rule turns to the other one. Time and calendars concern both.
    """

    people: ClassVar[list[User]]
    game: Game
    other: Game

    def __init__(self) -> None:
        super().__init__()
        self.removed: set[int] = set()
        self.ends = ExitStack()
        self.clock = self.ends.enter_context(frozen_clock())
        # The same steps lead to the same game, so that Hypothesis can shorten them.
        self.ends.enter_context(mock.patch.object(deals, "mixed_deal", same_deals(1)))
        self.ends.enter_context(mock.patch.object(bots, "_choose", choose_first))
        self.ends.enter_context(transaction.atomic())

    def teardown(self) -> None:
        """Let everybody go away: games end, and tables are closed, although people sit there."""
        try:
            for _game in self.games:
                self.end()
                self.turn_to_other_game()
        finally:
            transaction.set_rollback(True)
            self.ends.close()

    @initialize(
        pace=st.sampled_from(["", "live", "day", "slow"]),
        caretaker=st.sampled_from(["", "easy"]),
        bot=st.booleans(),
        seats=st.integers(2, 4),
        discs=st.integers(1, 4),
        waits=st.booleans(),
        other_pace=st.sampled_from(["", "slow"]),
    )
    def open(
        self, pace: str, caretaker: str, seats: int, discs: int, other_pace: str, *, bot: bool, waits: bool
    ) -> None:
        self.other = tables.open_table(
            self.people[0], tables.TableOptions(2, pace=other_pace, caretaker="easy" if other_pace else "")
        )
        levels = ("easy",) if bot and seats > 2 else ()
        self.game = tables.open_table(
            self.people[0],
            tables.TableOptions(
                min(seats, 3 + len(levels)),
                is_public=bool(pace),
                pace=pace,
                changes_ratings=True,
                caretaker=caretaker if pace else "",
            ),
            levels,
        )
        Game.objects.filter(pk__in=[game.pk for game in self.games]).update(options={"discs": discs})
        tables.join(self.other.key, self.people[1])
        if not waits:
            self.start()

    # What people do. A refusal changes nothing.

    def attempt(self, service: Callable[..., object], *arguments: object, **options: object) -> None:
        if any(isinstance(one, User) and one.pk in self.removed for one in arguments):
            return
        with suppress(Refused):
            service(*arguments, **options)

    @property
    def games(self) -> list[Game]:
        """Both games, also if they are over or closed; none before the first step."""
        return [self.game, self.other] if hasattr(self, "game") else []

    @rule()
    def turn_to_other_game(self) -> None:
        self.game, self.other = self.other, self.game

    @property
    def is_gone(self) -> bool:
        return not Game.objects.filter(pk=self.game.pk).exists()

    @rule(who=PEOPLE)
    def join(self, who: int) -> None:
        self.attempt(tables.join, self.game.key, self.people[who])

    @rule(who=st.integers(1, 3))
    def leave(self, who: int) -> None:
        self.attempt(tables.leave, self.game.key, self.people[who])

    @rule()
    def start(self) -> None:
        """Fill the table, so that most examples are about games that run."""
        for user in self.people:
            self.attempt(tables.join, self.game.key, user)
        if not self.is_gone:
            self.attempt(tables.add_bots, self.game.key, self.people[0], "easy")

    @rule(count=st.integers(1, 4), seed=SEEDS)
    def move(self, count: int, seed: int) -> None:
        for _move in range(count):
            seat = self.seat_to_move()
            if seat is None or seat.level:
                return
            action = legal_action(self.game, random.Random(seed))
            version = fresh(self.game).version
            play(self.game.key, seat.user, action, version + 1, uuid.uuid4())
            assert fresh(self.game).version > version

    @rule(who=PEOPLE, seed=SEEDS)
    def move_out_of_turn(self, who: int, seed: int) -> None:
        seat = self.seat_to_move()
        if seat is not None and (seat.user != self.people[who] or seat.level):
            version = fresh(self.game).version
            action = legal_action(self.game, random.Random(seed))
            self.attempt(play, self.game.key, self.people[who], action, version + 1, uuid.uuid4())
            assert fresh(self.game).version == version

    @rule(who=PEOPLE, seed=SEEDS, outlasts=st.booleans())
    def plan(self, who: int, seed: int, *, outlasts: bool) -> None:
        seat = self.seat_of(who)
        if seat is None or self.seat_to_move() is None:
            return
        rng, position = random.Random(seed), position_of(self.game)
        tiles = [tile.code for tile in position.wheel.spaces if tile]
        cells = list(position.displays[seat.number].free_cells)
        wishes: list[Place | Refill] = [
            Place(-1, tile, *rng.choice(cells)) for tile in rng.sample(tiles, min(3, len(tiles)))
        ]
        if position.draw_pile and rng.random() < 0.5:
            wishes.append(Refill(-1))
        number = fresh(self.game).version + 1
        self.attempt(plans.change, self.game.key, self.people[who], wishes, number, outlasts)

    @rule(who=PEOPLE)
    def drop_plan(self, who: int) -> None:
        self.attempt(plans.change, self.game.key, self.people[who], [], 1, False)

    @rule(who=PEOPLE, ahead=st.integers(0, 3), days=st.integers(1, 5))
    def take_vacation(self, who: int, ahead: int, days: int) -> None:
        first = self.clock.now.date() + timedelta(days=ahead)
        self.attempt(calendars.plan_vacation, self.people[who], first, first + timedelta(days=days - 1))

    @rule(who=PEOPLE)
    def end_vacation(self, who: int) -> None:
        for vacation in Vacation.objects.filter(user=self.people[who].pk):
            calendars.end_vacation(self.people[who], vacation.pk)

    @rule(
        who=PEOPLE,
        zone=st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Auckland"]),
        sleep=st.booleans(),
        day_off=st.none() | st.integers(0, 6),
        automatic=st.booleans(),
    )
    def choose_hours(self, who: int, zone: str, day_off: int | None, *, sleep: bool, automatic: bool) -> None:
        hours = Hours(ZoneInfo(zone), Sleep(time(22), time(7)) if sleep else None, day_off)
        self.attempt(calendars.choose_hours, self.people[who], hours, automatic_vacation=automatic)

    @rule(who=PEOPLE)
    def take_back(self, who: int) -> None:
        self.attempt(seat_changes.take_back, self.game.key, self.people[who])

    @rule(who=PEOPLE)
    def resign(self, who: int) -> None:
        number = 1 if self.is_gone else fresh(self.game).version + 1
        self.attempt(play, self.game.key, self.people[who], Resign(-1), number, uuid.uuid4())

    @rule(who=PEOPLE, lines=st.sampled_from(["take 1", "take 2", "resign", "plan take 1", "drop plan"]))
    def reply(self, who: int, lines: str) -> None:
        """Reply to an email about the present turn, whether or not it is theirs."""
        user, seat = self.people[who], self.seat_of(who)
        if seat is None or self.seat_to_move() is None:
            return
        version = fresh(self.game).version
        turn = MailTurn(self.game, user, seat.number, version + 1)
        mail = EmailMessage()
        mail["From"], mail["Message-ID"] = user.email, f"<{uuid.uuid4()}@example.org>"
        mail.set_content(lines)
        receive(bytes(mail), reply_address_for(turn), user.email)
        assert fresh(self.game).version - version in (0, 1)

    @rule(who=PEOPLE)
    def delete_account(self, who: int) -> None:
        pk = self.people[who].pk
        if pk in self.removed:
            return
        User.objects.filter(pk=pk).update(is_active=False, removal_due_at=self.clock.now)
        remove_account(pk)
        assert not User.objects.filter(pk=pk).exists()
        self.removed.add(pk)

    @rule(who=PEOPLE)
    def nudge(self, who: int) -> None:
        self.attempt(nudges.nudge, self.game.key, self.people[who])

    @rule(who=PEOPLE, purpose=st.sampled_from(Vote.Purpose.values), pace=st.sampled_from(["", "live", "day"]))
    def start_vote(self, who: int, purpose: str, pace: str) -> None:
        self.attempt(votes.start, self.game.key, self.people[who], purpose, pace)

    @rule(who=PEOPLE, agrees=st.booleans())
    def answer_vote(self, who: int, *, agrees: bool) -> None:
        vote = Vote.objects.filter(game=self.game.pk).running().first()
        if vote is not None:
            self.attempt(votes.answer, self.game.key, self.people[who], vote.pk, agrees=agrees)

    @rule(who=PEOPLE, public=st.booleans())
    def offer_seat(self, who: int, *, public: bool) -> None:
        self.attempt(hand_overs.offer, self.game.key, self.people[who], is_public=public)

    @rule(who=PEOPLE)
    def withdraw_seat(self, who: int) -> None:
        self.attempt(hand_overs.withdraw, self.game.key, self.people[who])

    @rule(who=PEOPLE)
    def take_seat(self, who: int) -> None:
        for offered in SeatOffer.objects.running().filter(game=self.game.pk):
            self.attempt(hand_overs.take, offered.key, self.people[who])

    @rule(who=PEOPLE)
    def object_to_hand_over(self, who: int) -> None:
        for offered in SeatOffer.objects.running().filter(game=self.game.pk):
            self.attempt(hand_overs.object_to, self.game.key, self.people[who], offered.pk)

    # What time does.

    @rule(hours=st.sampled_from([1, 30]), is_seen=st.booleans())
    def be_down(self, hours: int, *, is_seen: bool) -> None:
        """Let the site be down, or only its sweep, so that people can still act before clocks are right."""
        start = self.clock.now
        self.clock.now += timedelta(hours=hours)
        if is_seen:
            self.move(1, hours)
        Outage.objects.create(started_at=start, ended_at=self.clock.now)
        outages.give_back()
        self.sweep()

    @rule(time=st.sampled_from([timedelta(minutes=7), timedelta(hours=11), timedelta(days=3)]))
    def wait(self, time: timedelta) -> None:
        self.clock.now += time
        self.sweep()

    @precondition(lambda self: self.seat_to_move() is not None)
    @rule(seconds=st.sampled_from([-1, 0, 1]))
    def wait_for_deadline(self, seconds: int) -> None:
        game = fresh(self.game)
        if game.deadline is not None:
            self.clock.now = max(self.clock.now, game.deadline + timedelta(seconds=seconds))
            self.sweep()

    @rule()
    def wait_for_absence(self) -> None:
        self.clock.now += timedelta(days=15)
        self.sweep()

    @rule(times=st.integers(1, 2))
    def bots_move(self, times: int) -> None:
        for _turn in range(times):
            seat = self.seat_to_move()
            if seat is not None and seat.level:
                version = fresh(self.game).version
                bots.take_turn(self.game.pk, version + 1)
                assert fresh(self.game).version > version

    @rule()
    def prune(self) -> None:
        pruning.prune()

    def sweep(self) -> None:
        """Do what the sweep queues, at least twice, until nobody's time is up.

        After days without a sweep, several vacation days start by themselves, one in each run.
        """
        runs = 0
        while runs < 2 or seat_changes.due_ids():
            runs += 1
            assert runs < MOST_WAITS, "the sweep always finds somebody whose time is up"
            for pk in seat_changes.due_ids():
                seat_changes.time_out(pk)
            for pk in votes.due_call_ids():
                votes.end_call(pk)
            for pk in hand_overs.undisputed_ids():
                hand_overs.finish(pk)
            for pk in due_reminders():
                remind(pk)
        for notification in Notification.objects.pending().filter(due_at__lte=self.clock.now):
            why = KINDS[notification.kind].why_unwanted(notification)
            sent = {"dropped_at": self.clock.now, "why_dropped": why} if why else {"sent_at": self.clock.now}
            Notification.objects.filter(pk=notification.pk).update(**sent)

    # What is always true.

    @invariant()
    def projections_are_right(self) -> None:
        for game in Game.objects.filter(pk__in=[game.pk for game in self.games], started_at__isnull=False):
            assert rebuild(game, check_only=True) == []
            assert not rebuild_ratings(check_only=True).differences

    @invariant()
    def nothing_is_stored_twice(self) -> None:
        if not self.games or self.is_gone:
            return
        numbers = Action.objects.filter(game=self.game).order_by("number").values_list("number", flat=True)
        assert list(numbers) == list(range(1, fresh(self.game).version + 1))
        owed = Notification.objects.filter(game=self.game, kind=Kind.OVER)
        if not fresh(self.game).is_over:
            assert not owed.exists()
            return
        assert not Plan.objects.filter(game=self.game).exists()
        assert not Vote.objects.filter(game=self.game).running().exists()
        assert not SeatOffer.objects.filter(game=self.game).running().exists()
        rows = list(owed.values_list("user", "channel"))
        assert len(rows) == len(set(rows))

    @invariant()
    def called_player_is_absent(self) -> None:
        for call in Vote.objects.calls().filter(game__in=[game.pk for game in self.games]):
            assert [absent.number for absent in absent_seats(call.game)] == [call.seat]

    @invariant()
    def only_people_who_can_act_are_owed_something_to_do(self) -> None:
        for notification in Notification.objects.pending().filter(game__in=[game.pk for game in self.games]):
            if not KINDS[notification.kind].why_unwanted(notification):
                self.check_can_act(notification)

    def check_can_act(self, notification: Notification) -> None:
        game, user = notification.game, notification.user
        if notification.kind in (Kind.TURN, Kind.REMINDER, Kind.NUDGE):
            seat = game.seats.select_related("user").get(number=game.to_move)
            assert game.is_running
            assert (seat.user, seat.level) == (user, "")
        elif notification.kind == Kind.VOTE:
            assert voters(game).filter(user=user).exists()
        elif notification.kind in (Kind.STARTED, Kind.SEAT):
            assert game.seats.filter(user=user, has_left=False).exists()

    @invariant()
    def nobody_who_cannot_play_has_a_plan(self) -> None:
        for plan in Plan.objects.filter(game__in=[game.pk for game in self.games]):
            assert voters(plan.game).filter(user=plan.user).exists()

    # The end.

    def end(self) -> None:
        """Wait until the game is over or closed, with a call in a game without a clock."""
        for _wait in range(MOST_WAITS):
            if self.is_gone or fresh(self.game).is_over:
                break
            self.wait_once()
        else:
            raise AssertionError("the game never ends")
        self.projections_are_right()
        self.nothing_is_stored_twice()
        self.only_people_who_can_act_are_owed_something_to_do()

    def wait_once(self) -> None:
        game, seat = fresh(self.game), self.seat_to_move()
        if game.is_open:
            self.wait(timedelta(days=8))
            pruning.prune()
        elif seat is not None and seat.level:
            self.bots_move(2)
        elif game.deadline is not None:
            self.wait_for_deadline(1)
        else:
            self.call()

    def call(self) -> None:
        """Let one person call the absent one, and the others be silent. Who is left alone resigns."""
        self.wait_for_absence()
        absent = next(iter(absent_seats(fresh(self.game))), None)
        others = voters(fresh(self.game)).exclude(pk=absent.pk if absent else None)
        caller = others.select_related("user").first()
        if caller is None:
            [alone] = voters(fresh(self.game)).select_related("user")
            play(self.game.key, alone.user, Resign(-1), fresh(self.game).version + 1, uuid.uuid4())
        elif absent is not None:
            self.attempt(votes.start, self.game.key, caller.user, Vote.Purpose.OUT)
            self.wait(timedelta(days=8))

    def seat_to_move(self) -> Seat | None:
        """Return the seat to move in the game while it runs."""
        game = Game.objects.running().filter(pk=self.game.pk).first() if hasattr(self, "game") else None
        if game is None or game.to_move is None:
            return None
        return game.seats.select_related("user").get(number=game.to_move)

    def seat_of(self, who: int) -> Seat | None:
        return Seat.objects.filter(game=self.game.pk, user=self.people[who].pk).first()


def test_every_game_can_end_and_its_rows_stay_right(settings: Settings) -> None:
    settings.BOT_PAUSE = 0
    Games.people = [person(name) for name in ("Ines", "Tobias", "Noor", "Mina")]
    is_long = hypothesis.settings.get_current_profile_name() == "long"
    run_state_machine_as_test(
        Games,
        settings=hypothesis.settings(
            # The same steps in each run, because a new failure must not stop somebody else's work.
            hypothesis.settings.get_profile("long" if is_long else "default"),
            derandomize=not is_long,
            deadline=None,
            suppress_health_check=list(hypothesis.HealthCheck),
            **({} if is_long else {"max_examples": 4, "stateful_step_count": 12}),
        ),
    )
