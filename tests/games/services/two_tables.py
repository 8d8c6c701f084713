"""Two tables whose players are away for any time, and what must hold there at all times."""

import uuid
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import timedelta
from typing import ClassVar
from unittest import mock

from django.db import transaction
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from accounts.models import User
from games.models import (
    Action,
    Game,
    Kind,
    Notification,
    Outage,
    Plan,
    Seat,
    SeatOffer,
    Vote,
    absent_seats,
    voters,
)
from games.notifications.registry import KINDS
from games.novaluna.engine import Place, Position, Refill, Resign
from games.services import bots, deals, hand_overs, pruning, seat_changes, tables, votes
from games.services.errors import Refused
from games.services.notifications import due_reminders, remind
from games.services.play import play
from games.services.projections import outages
from games.services.projections.games import rebuild
from games.services.projections.ratings import rebuild_ratings
from games.titles.registry import Title
from tests.frozen import frozen_clock
from tests.play import fresh, same_deals

PEOPLE = st.integers(0, 3)
SEEDS = st.integers(0, 2**32)
# More than any game has timeouts, vacations and calls.
MOST_WAITS = 100


def choose_first(_title: Title, _game: Game, position: Position, _seat: int, _level: str) -> Place | Refill:
    """Return the first legal action, instead of a random good one."""
    return next(iter(position.legal_actions))


class TwoTables(RuleBasedStateMachine):
    """Two tables for up to three people, from their opening on. Time passes, and bots play.

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
