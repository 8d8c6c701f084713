"""Users and games for tests, made with the services that players use."""

import random
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Any
from unittest import mock

from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.log import replay
from games.log.replay import secret_log
from games.log.turns import turns_of
from games.models import Action as StoredAction
from games.models import Game, Kind, Notification, Review, Seat, SeatOffer, SoloResult
from games.models.seat_offers import OBJECTION_TIME
from games.notifications.delivery import write_message
from games.notifications.mail import build_mail
from games.novaluna.bots import judging, levels, luck
from games.novaluna.bots.face import Budget, Judgement
from games.novaluna.engine import TILES, Action, Place, Position, Refill, RefillRule, Resign, action_to_json
from games.novaluna.rules import BEGINNER_DISCS, NovaLunaRules
from games.services import bots, deals, hand_overs, reviews, tables
from games.services.play import Played, cancel, lock_game, play
from games.services.projections import standings
from games.services.projections.games import project
from games.services.tables import duplicates
from games.titles.registry import TITLES
from games.titles.rules import AnyRules

Judge = Callable[[Position, Action, random.Random], Judgement]

_judgements: dict[tuple[object, ...], Judgement] = {}
_lucks: dict[tuple[object, ...], luck.Luck] = {}


def person(name: str, *, confirmed: bool = True) -> User:
    """Return a new user with an email address, which is `confirmed` or not."""
    user = User.objects.create_user(name, f"{name.lower()}@example.org", "moon-and-stars-17")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=confirmed)
    return user


def same_deals(seed: int) -> Callable[..., Mapping[str, object]]:
    """Return a function for `mixed_deal` whose deals follow from the seed, not from secrets and nonces."""
    rng = random.Random(seed)

    def deal(
        rules: AnyRules, _secret: str, nonces: Sequence[str], options: Mapping[str, object]
    ) -> Mapping[str, object]:
        if not isinstance(rules, NovaLunaRules):
            return rules.deal(rng.randbytes(32), len(nonces), options)
        deck, start_order = list(TILES), list(range(len(nonces)))
        rng.shuffle(deck)
        rng.shuffle(start_order)
        return {"deck": deck, "start_order": start_order}

    return deal


def game_of(*users: User, bots: tuple[str, ...] = (), beginner: bool = False, is_public: bool = True) -> Game:
    """Return a started game of these users and bots, without a clock. The first user has opened its table.

    A listed game of several people is one from before such games needed a clock.
    """
    opener, *others = users
    seats = len(users) + len(bots)
    discs = {"discs": BEGINNER_DISCS[seats]} if beginner else {}
    game = tables.open_table(
        opener, tables.TableOptions(seats, options=discs, is_public=is_public and not others), bots
    )
    if others and is_public:
        Game.objects.filter(pk=game.pk).update(is_public=not opener.is_guest)
    for user in others:
        tables.join(game.key, user)
    return fresh(game)


def game_left_to(*levels: str) -> Game:
    """Return a game whose only person has resigned, so that these bots play on."""
    user = person("Ines")
    # In one transaction, because a bot that is first to move could play before the person resigns.
    with transaction.atomic():
        game = game_of(user, bots=levels)
        play(game.key, user, Resign(0), 1, uuid.uuid4())
    return fresh(game)


def match_of(*users: User, tables: int = 2, seats: int = 2, level: str = "easy") -> list[Game]:
    """Return the games of a duplicate match of these users, with bots of this level on the other seats.

    They are in the order of the tables.
    """
    match = duplicates.open_match(users[0], tables, seats, pace="day", is_public=True)
    for user in users[1:]:
        duplicates.enter(match.key, user)
    duplicates.start(match.key, users[0], level)
    return list(Game.objects.filter(deal=match.deal).select_related("deal__duplicate").order_by("pk"))


def solo_of(user: User) -> Game:
    """Return a new solo game of this user."""
    return fresh(tables.open_solo(user))


def solo_with_refill(user: User) -> Game:
    """Return a solo game in which the wheel may be refilled, but need not: phase 1 took few tiles."""
    with mock.patch.object(deals, "mixed_deal", same_deals(24)):
        game = solo_of(user)
    position, actions = position_of(game), []
    while position.refill is RefillRule.NOT_ALLOWED:
        steps = [position.apply(one) for one in position.legal_actions if isinstance(one, Place)]
        step = min(steps, key=lambda step: step.position.discs)
        position = step.position
        actions.append(step.action)
    return play_all(game, actions)


def score_of(user: User, score: int, *, tiles: int = 20, ended_at: datetime | None = None) -> SoloResult:
    """Store the result of a finished solo game that has no log, and what follows from it."""
    ended_at = ended_at or timezone.now()
    game = Game.objects.create(
        mode=Game.Mode.SOLO,
        status=Game.Status.OVER,
        seat_count=1,
        goal_discs=21,
        score=score,
        ending="discs",
        moved_at=ended_at,
        opened_by=user,
    )
    figures = {"discs": 0, "tiles": tiles, "score": score}
    Seat.objects.create(game=game, number=0, user=user, joined_at=ended_at, figures=figures)
    result = SoloResult.objects.create(
        game=game, user=user, score=score, tie_break=tiles, ended_at=ended_at, is_without_hints=True
    )
    standings.rebuild_standings(user)
    standings.rebuild_score_counts()
    return result


def fresh(game: Game) -> Game:
    """Return the game with its deal as it is stored now."""
    return Game.objects.select_related("deal").get(pk=game.pk)


def position_of(game: Game) -> Position:
    """Return the position of the game now, with its secrets."""
    return secret_log(fresh(game)).position


def mover(game: Game) -> User:
    """Return the user whose turn it is. Fails if a bot is to move."""
    game = fresh(game)
    user = game.seats.get(number=game.to_move).user
    assert user is not None, "it is a bot's turn"
    return user


def cancel_game(game: Game) -> Game:
    """Cancel a game, as if its players had agreed on it, and return it as it is then."""
    with transaction.atomic():
        cancel(lock_game(pk=game.pk))
    return fresh(game)


def let_wait(game: Game, seat: int) -> None:
    """Store that a game waits for this seat, whatever its log says."""
    Game.objects.filter(pk=game.pk).update(to_move=seat)
    game.seats.update(awaited_since=None)
    game.seats.filter(number=seat).update(awaited_since=0)


def let_everybody_move(game: Game) -> None:
    """Store that each person in a game has made a move, whatever its log says."""
    moved = StoredAction.objects.filter(game=game, made_by__isnull=False).values("made_by")
    StoredAction.objects.bulk_create(
        StoredAction(
            game=game,
            number=1000 + seat.number,
            seat=seat.number,
            payload={"do": "refill"},
            made_by=seat.user,
            request_id=uuid.uuid4(),
        )
        for seat in game.seats.filter(user__isnull=False).exclude(user__in=moved).select_related("user")
    )


def move_deadline(game: Game, at: datetime) -> None:
    """Store that the clocks that run in a game run out at this time, whatever its log says."""
    Game.objects.filter(pk=game.pk).update(deadline=at)
    game.seats.exclude(clock_started_at=None).update(deadline=at)


def hand_over(game: Game, user: User, taker: User) -> None:
    """Hand over the seat of `user`, as if the time to object were over."""
    hand_overs.offer(game.key, user, is_public=False)
    offers = SeatOffer.objects.filter(pk=game.seat_offers.latest("pk").pk)
    hand_overs.take(offers.get().key, taker)
    offers.filter(settled_at=None).update(taken_at=timezone.now() - OBJECTION_TIME)
    hand_overs.finish(offers.get().pk)


def legal_action(game: Game, rng: random.Random | None = None) -> Place | Refill:
    """Return a legal action of the seat to move: the first place action or, with `rng`, a random one."""
    return _choose(position_of(game), rng)


def _choose(position: Position, rng: random.Random | None) -> Place | Refill:
    actions = list(position.legal_actions)
    return rng.choice(actions) if rng else next((a for a in actions if isinstance(a, Place)), actions[0])


def fields_of(action: Place | Refill) -> dict[str, object]:
    """Return an action as the fields of a form, which has no field for the seat."""
    return {key: value for key, value in action_to_json(action).items() if key != "seat"}


def legal_fields(game: Game) -> dict[str, object]:
    """Return a legal action of the seat to move as the fields of a form."""
    return fields_of(legal_action(game))


def play_one(game: Game, rng: random.Random | None = None) -> Played:
    """Play one legal action for the user whose turn it is. Fails if a bot is to move."""
    return play(game.key, mover(game), legal_action(game, rng), fresh(game).version + 1, uuid.uuid4())


def play_all(game: Game, actions: Sequence[Any]) -> Game:
    """Play these actions and return the game as it is then.

    Only the last one goes through `play`, because each call replays the whole log. The earlier ones are
    stored with their projections, but without notifications.
    """
    if not actions:
        return fresh(game)
    *earlier, last = actions
    users = {seat.number: seat.user for seat in game.seats.select_related("user")}
    position, version = position_of(game), fresh(game).version
    rules = TITLES[game.title].rules
    stored = []
    for number, action in enumerate(earlier, version + 1):
        step = position.apply(action)
        position = step.position
        row = StoredAction(game=game, number=number, seat=step.seat, payload=rules.action_to_json(action))
        row.made_by, row.request_id = users[action.seat], uuid.uuid4()
        stored.append(row)
    if stored:
        StoredAction.objects.bulk_create(stored)
        now = fresh(game)
        project(now, now.seats.all(), position, number, row.at, turns_of(secret_log(now)))
        game.seats.filter(user__isnull=False).update(seen_at=timezone.now())
    play(game.key, users[last.seat], last, version + len(actions), uuid.uuid4())
    return fresh(game)


def play_some(game: Game, count: int, rng: random.Random | None = None) -> Game:
    """Play `count` legal actions, each the first place action or, with `rng`, a random one."""
    position, actions = position_of(game), []
    for _action in range(count):
        actions.append(_choose(position, rng))
        position = position.apply(actions[-1]).position
    return play_all(game, actions)


def play_out(game: Game, seed: int = 1) -> Game:
    """Play a game without bots to its end with random legal actions."""
    return play_all(game, [*random_actions(position_of(game), random.Random(seed))])


def play_bots(game: Game) -> Game:
    """Play a game of bots to its end, without searches."""
    while not fresh(game).is_over:
        bots.take_turn(game.pk, fresh(game).version + 1, without_search=True)
    return fresh(game)


def random_actions(position: Position, rng: random.Random) -> Iterator[Place | Refill]:
    """Yield random legal actions to the end of the game."""
    while not position.over:
        action = rng.choice(list(position.legal_actions))
        position = position.apply(action).position
        yield action


def _judge_as(judge: Judge) -> Judge:
    """Return `judge` with a cache, because many tests review the same game."""

    def judge_once(position: Position, action: Action, rng: random.Random) -> Judgement:
        # The key contains the functions that a test can replace.
        key = (judge, judging.estimates, judging.evaluate, repr(position), action, rng.getstate())
        if key not in _judgements:
            _judgements[key] = judge(position, action, rng)
        return _judgements[key]

    return judge_once


def _count_luck_as(count: Callable[..., luck.Luck]) -> Callable[..., luck.Luck]:
    """Return a function that counts luck with a cache, for the same reason."""

    def count_once(*args: object) -> luck.Luck:
        *positions, rng = args
        assert isinstance(rng, random.Random)
        key = (count, luck.evaluate_shortly, luck.SAMPLES, repr(positions), rng.getstate())
        if key not in _lucks:
            _lucks[key] = count(*args)
        return _lucks[key]

    return count_once


@contextmanager
def quick_judging(samples: int = 5) -> Iterator[None]:
    """Judge, and count luck with few samples, with a tiny search budget."""
    budget = Budget(rollouts=24)
    with (
        mock.patch.multiple(
            judging, FIRST_LOOK=budget, SECOND_LOOK=budget, SOLO_LOOK=budget, LINE_LOOK=budget
        ),
        mock.patch.object(levels, "SHORT", levels.SHORT.with_budget(budget)),
        mock.patch.object(luck, "SAMPLES", samples),
    ):
        yield


def review_of(game: Game, turns: int | None = None, samples: int = 5) -> Review:
    """Judge the first `turns` actions of a game, or all, with a tiny search budget, and return the review.

    Its luck has few `samples`.
    """
    review = reviews.ask(game, User.objects.first() or person("Ines"))
    # The game is over, so one replay of its log serves all its turns.
    log = mock.patch.object(replay, "public_log", lru_cache(replay.public_log))
    once = {name: _count_luck_as(getattr(luck, name)) for name in ("luck_of_deal", "luck_of_refill")}
    judged_once = mock.patch.object(judging, "judge", _judge_as(judging.judge))
    with quick_judging(samples), judged_once, mock.patch.multiple(luck, **once), log:
        for number in range(1, 1 + (game.version if turns is None else turns)):
            reviews.judge_next(review.pk, number)
    review.refresh_from_db()
    return review


def turn_mail(game: Game, user: User, version: int | None = None) -> EmailMultiAlternatives:
    """Return the mail for the turn of `user` that began at `version`, or now."""
    number = game.version if version is None else version
    notification = Notification(game=game, user=user, kind=Kind.TURN, version=number)
    return build_mail(write_message([notification]), user, user.email)


def form_of(game: Game, fields: dict[str, object], **changes: object) -> dict[str, object]:
    """Return the body that the confirm form of the game page posts, with `changes` to it."""
    now = fresh(game)
    page = {"number": now.version + 1, "changes": now.changes, "request_id": str(uuid.uuid4())}
    return {**page, **fields, **changes}


def is_present(key: str, user_id: int) -> bool:
    """Return whether this player has seen a page of the game `key` within the last minute."""
    return Seat.objects.here(timezone.now()).filter(game__key=key, user=user_id).exists()
