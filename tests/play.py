"""People and games for tests, made through the services that make them for players."""

import random
import uuid
from unittest import mock

from allauth.account.models import EmailAddress
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.bots import Budget
from games.engine import Place, Position, Refill, action_to_json
from games.log.replay import secret_log
from games.models import Game, Notification, Review
from games.notifications.delivery import write_message
from games.notifications.mail import build_mail
from games.services import reviews, tables
from games.services.play import Played, play


def person(name: str, *, confirmed: bool = True) -> User:
    """Return a new user, with an address that is confirmed unless the test says otherwise."""
    user = User.objects.create_user(name, f"{name.lower()}@example.org", "moon-and-stars-17")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=confirmed)
    return user


def game_of(*users: User, bots: tuple[str, ...] = (), beginner: bool = False, is_public: bool = True) -> Game:
    """Return a started game of these people, the first of whom opened it, and of bots."""
    opener, *others = users
    game = tables.open_table(opener, len(users) + len(bots), bots, beginner=beginner, is_public=is_public)
    for user in others:
        tables.join(game.key, user)
    return fresh(game)


def solo_of(user: User) -> Game:
    return fresh(tables.open_solo(user))


def fresh(game: Game) -> Game:
    """Return the game as it is stored now."""
    return Game.objects.select_related("deal").get(pk=game.pk)


def position_of(game: Game) -> Position:
    return secret_log(fresh(game)).position


def mover(game: Game) -> User:
    """Return the person whose turn it is."""
    game = fresh(game)
    user = game.seats.get(number=game.to_move).user
    assert user is not None, "it is a bot's turn"
    return user


def legal_action(game: Game, rng: random.Random | None = None) -> Place | Refill:
    """Return a legal action of the seat to move: the first place action, or one by chance."""
    actions = list(position_of(game).legal_actions)
    return rng.choice(actions) if rng else next((a for a in actions if isinstance(a, Place)), actions[0])


def fields_of(action: Place | Refill) -> dict[str, object]:
    """Return an action as the fields of a form, which does not name the seat."""
    return {key: value for key, value in action_to_json(action).items() if key != "seat"}


def legal_fields(game: Game) -> dict[str, object]:
    """Return a legal action of the seat to move as the fields of a form."""
    return fields_of(legal_action(game))


def play_one(game: Game, rng: random.Random | None = None) -> Played:
    """Play one legal action for whoever is to move, who must be a person."""
    return play(game.key, mover(game), legal_action(game, rng), fresh(game).version + 1, uuid.uuid4())


def play_out(game: Game, seed: int = 1) -> Game:
    """Play a game of people alone to its end by random legal actions."""
    rng = random.Random(seed)
    users = {seat.number: seat.user for seat in game.seats.select_related("user")}
    position, number = position_of(game), fresh(game).version
    while not position.over:
        action = rng.choice(list(position.legal_actions))
        position, number = position.apply(action).position, number + 1
        play(game.key, users[action.seat], action, number, uuid.uuid4())
    return fresh(game)


def review_of(game: Game, turns: int | None = None) -> Review:
    """Return the review of a game with its first `turns`, or all, judged in a blink."""
    review, budget = reviews.ask(game), Budget(rollouts=24)
    with mock.patch.multiple("games.bots.judging", FIRST_LOOK=budget, SECOND_LOOK=budget, SOLO_LOOK=budget):
        for number in range(1, 1 + (game.version if turns is None else turns)):
            reviews.judge_next(review.pk, number)
    review.refresh_from_db()
    return review


def turn_mail(game: Game, user: User, version: int | None = None) -> EmailMultiAlternatives:
    """Return the mail that says it is the turn of `user`."""
    number = game.version if version is None else version
    owed = Notification(game=game, user=user, kind=Notification.Kind.TURN, version=number)
    return build_mail(write_message(owed), user, user.email)


def form_of(game: Game, fields: dict[str, object], **changes: object) -> dict[str, object]:
    """Return what the confirm form of the game's page posts for an action, given as its fields."""
    return {"number": fresh(game).version + 1, "request_id": str(uuid.uuid4()), **fields, **changes}
