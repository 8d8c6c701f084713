"""Tables: opened, joined, left and closed; a full one starts."""

import secrets
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.engine import MOST_DISCS, RULES_VERSION, SOLO_DISCS, TILES, rules
from games.log.deals import commitment, setup_of
from games.models import Deal, Game, Seat
from games.services import after_commit
from games.services.errors import Conflict, NotSeated
from games.services.play import lock_game, turn_began
from games.services.projections import project

random = secrets.SystemRandom()

# The beginner's game is shorter; there is none for two.
BEGINNER_DISCS = {3: 17, 4: 15}
MOST_OPEN_TABLES = 10

STARTED = _("This game has started already.")


def open_table(
    user: User,
    seat_count: int,
    bots: Sequence[str],
    *,
    beginner: bool,
    is_public: bool,
    request_id: uuid.UUID | None = None,
) -> Game:
    """Open a table of 2–4 seats with its opener on the first and bots of the levels `bots` on the next ones.

    A table without a free seat starts at once. The same request again gives the same table again. Raises
    Conflict for somebody who has too many open tables already.
    """
    if Game.objects.open().filter(opened_by=user).count() >= MOST_OPEN_TABLES:
        raise Conflict(_("Ten of your tables wait for players. Please close one of them first."))
    facts = {
        "mode": Game.Mode.MULTIPLAYER,
        "seat_count": seat_count,
        "goal_discs": BEGINNER_DISCS.get(seat_count, MOST_DISCS) if beginner else MOST_DISCS,
        "is_public": is_public,
    }
    return _open(user, facts, bots, request_id)


def open_solo(user: User, request_id: uuid.UUID | None = None) -> Game:
    """Deal a solo game and start it. The same request again gives the same game again."""
    facts = {"mode": Game.Mode.SOLO, "seat_count": 1, "goal_discs": SOLO_DISCS, "is_public": True}
    return _open(user, facts, (), request_id)


def _open(user: User, facts: dict[str, object], bots: Sequence[str], request_id: uuid.UUID | None) -> Game:
    with transaction.atomic():
        game, is_new = Game.objects.get_or_create(
            opened_by=user, request_id=request_id or uuid.uuid4(), defaults=facts
        )
        if is_new:
            now = timezone.now()
            seats = [Seat(number=0, user=user, joined_at=now, seen_at=now)]
            seats += [Seat(number=number, bot=level, joined_at=now) for number, level in enumerate(bots, 1)]
            seats += [Seat(number=number) for number in range(len(seats), game.seat_count)]
            for seat in seats:
                seat.game = game
            Seat.objects.bulk_create(seats)
            _start_if_full(game)
        return game


def join(key: str, user: User) -> Game:
    """Take the first free seat at the table `key`; who sits there already just stays.

    Raises Gone, and Conflict when no seat is free.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        if game.seats.filter(user=user).exists():
            return game
        seat = game.seats.free().order_by("number").first()
        if seat is None or not game.is_open:
            raise Conflict(
                _("All seats of this table are taken. You can watch the game, or open a table of your own.")
            )
        seat.user = user
        seat.joined_at = seat.seen_at = timezone.now()
        seat.save(update_fields=["user", "joined_at", "seen_at"])
        _changed(game)
        _start_if_full(game)
        return game


def leave(key: str, user: User) -> Game:
    """Give up a seat at a table that has not started. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game = lock_game(key=key)
        if not game.is_open:
            raise Conflict(_("This game has started: resign on its page if you want to leave it."))
        if user.pk == game.opened_by_id:
            raise Conflict(_("You opened this table: close it if you don't want to play."))
        if not game.seats.filter(user=user).update(user=None, joined_at=None, seen_at=None):
            raise NotSeated(_("You have no seat at this table."))
        _changed(game)
        return game


def close(key: str, user: User) -> None:
    """Take away a table that has not started; only its opener may. Raises as `leave` does."""
    with transaction.atomic():
        game = lock_game(key=key)
        if user.pk != game.opened_by_id:
            raise NotSeated(_("Only the person who opened this table can close it."))
        if not game.is_open:
            raise Conflict(STARTED)
        after_commit.tell_pages(game)
        game.delete()


def _changed(game: Game) -> None:
    """Let the open pages of a table know that somebody came or left."""
    game.changes += 1
    game.save(update_fields=["changes"])
    after_commit.tell_pages(game)


def _start_if_full(game: Game) -> None:
    if game.seats.free().exists():
        return
    game.deal = _draw_deal(game.seat_count)
    game.rules_version = RULES_VERSION
    game.started_at = timezone.now()
    game.save(update_fields=["deal", "rules_version", "started_at"])
    project(game, rules(RULES_VERSION).start(setup_of(game)), None, 0, game.started_at)
    turn_began(game, None)


def _draw_deal(seats: int) -> Deal:
    """Shuffle the 68 tiles, draw the start order, and store both with their commitment."""
    deck, start_order, salt = list(TILES), list(range(seats)), secrets.token_hex(32)
    random.shuffle(deck)
    random.shuffle(start_order)
    return Deal.objects.create(
        deck=deck, start_order=start_order, salt=salt, commitment=commitment(salt, deck, start_order)
    )
