"""Whatever people do, and however long they are away: every game can end, and its rows stay right.

A state machine calls the services as people and the sweep do, in any order, with a clock that stands still
until a rule moves it on. For thousands of steps: `pytest --hypothesis-profile=long` with this file.
"""

import random
import uuid
from datetime import time, timedelta
from email.message import EmailMessage
from zoneinfo import ZoneInfo

import hypothesis
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from pytest_django.fixtures import Settings

from accounts.models import User
from games.clocks import Hours, Sleep
from games.models import SeatOffer, Vacation, Vote
from games.notifications.replies import receive
from games.novaluna.engine import Place, Refill, Resign
from games.queries.mail_links import MailTurn, reply_address_for
from games.services import calendars, hand_overs, plans, seat_changes, tables, votes
from games.services.play import play
from games.services.pruning.people import remove_account
from games.services.talk import nudges
from tests.games.services.two_tables import PEOPLE, SEEDS, TwoTables
from tests.play import fresh, legal_action, person, position_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.databases]


class Games(TwoTables):
    """Four people who do what they want at two tables."""

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
