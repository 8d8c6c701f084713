"""Tables: open, join, leave and close them. A table starts when every seat is taken."""

import secrets
import uuid
from collections.abc import Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.engine import MOST_DISCS, RULES_VERSION, SOLO_DISCS, TILES, rules
from games.log.deals import commitment, setup_of
from games.models import Deal, Game, Seat
from games.services import after_commit
from games.services.bot_names import bot_names
from games.services.errors import Conflict, NotSeated
from games.services.play import lock_game, queue_follow_ups
from games.services.projections import project

random = secrets.SystemRandom()

# The discs of the shorter beginner's game, by number of players. For two players, the rules have no
# beginner's game.
BEGINNER_DISCS = {3: 17, 4: 15}
# One person may have opened this many tables that have not started, games with bots that are not over, and
# solo games that are not over. Bots play on in a game that its only person has left, so it counts too. A game
# that its opener has left to other people does not count.
MOST_OPEN_TABLES = 10
MOST_GAMES_WITH_BOTS = 20
MOST_SOLO_GAMES = 20


def open_table(
    user: User,
    seat_count: int,
    bots: Sequence[str],
    *,
    beginner: bool,
    is_public: bool,
    request_id: uuid.UUID | None = None,
) -> Game:
    """Open a table with 2–4 seats and return it, or the table that the same request has opened before.

    `user` takes the first seat, and bots of the levels `bots` take the next ones. A table without a free seat
    starts immediately. The table of a guest is not listed.

    Raises Conflict if `user` has too many open tables or games with bots.
    """
    options = {
        "mode": Game.Mode.MULTIPLAYER,
        "seat_count": seat_count,
        "goal_discs": BEGINNER_DISCS.get(seat_count, MOST_DISCS) if beginner else MOST_DISCS,
        "is_public": is_public and not user.is_guest,
    }
    return _open(user, options, bots, request_id)


def open_solo(user: User, request_id: uuid.UUID | None = None) -> Game:
    """Start a solo game and return it, or the game that the same request has started before.

    Raises Conflict if `user` has too many solo games.
    """
    options = {"mode": Game.Mode.SOLO, "seat_count": 1, "goal_discs": SOLO_DISCS, "is_public": True}
    return _open(user, options, (), request_id)


def _open(user: User, options: dict[str, object], bots: Sequence[str], request_id: uuid.UUID | None) -> Game:
    with transaction.atomic():
        # Locked, so that simultaneous requests of one person are counted one after the other.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        earlier = Game.objects.filter(opened_by=user, request_id=request_id).first() if request_id else None
        if earlier is not None:
            return earlier
        game = Game(opened_by=user, request_id=request_id or uuid.uuid4(), **options)
        _check_limits(game, bots)
        game.save()
        now = timezone.now()
        seats = [Seat(game=game, number=0, user=user, joined_at=now, seen_at=now)]
        seats += [
            Seat(game=game, number=number, bot=level, bot_name=name, joined_at=now)
            for number, (level, name) in enumerate(zip(bots, bot_names(user, bots), strict=True), 1)
        ]
        seats += [Seat(game=game, number=number) for number in range(len(seats), game.seat_count)]
        Seat.objects.bulk_create(seats)
        _start_if_full(game)
        if game.is_open:
            after_commit.update_open_pages(game)
        return game


def _check_limits(game: Game, bots: Sequence[str]) -> None:
    """Raise Conflict if the opener of this new game already has as many like it as one person may have."""
    unfinished = Game.objects.filter(opened_by=game.opened_by).exclude(status=Game.Status.OVER)
    if game.is_solo:
        if unfinished.solo().count() >= MOST_SOLO_GAMES:
            raise Conflict(
                _("You already have twenty solo games. Please finish or resign one of them first.")
            )
        return
    if len(bots) + 1 < game.seat_count and unfinished.open().count() >= MOST_OPEN_TABLES:
        raise Conflict(_("You already have ten open tables. Please close one of them first."))
    if bots:
        _check_games_with_bots(game)


def _check_games_with_bots(game: Game) -> None:
    """Raise Conflict if the opener of this game already has as many other games with bots as allowed."""
    others = (
        Game.objects.filter(opened_by=game.opened_by).exclude(status=Game.Status.OVER).exclude(pk=game.pk)
    )
    if others.with_bots().exclude(*_is_left_to_others()).count() >= MOST_GAMES_WITH_BOTS:
        raise Conflict(
            _(
                "You already have twenty games with bots. Please finish one of them first, "
                "or wait until the bots have finished those that you left."
            )
        )


def _is_left_to_others() -> tuple[Exists, Exists]:
    """Return the conditions that the opener has left a game, and that other people still play it."""
    seats = Seat.objects.filter(game=OuterRef("pk"))
    return Exists(seats.filter(number=0, has_left=True)), Exists(
        seats.filter(has_left=False, user__isnull=False)
    )


def join(key: str, user: User) -> Game:
    """Seat `user` on the first free seat of the table `key`; do nothing if they have a seat there already.

    Raises Gone, and Conflict if no seat is free.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        if game.seats.filter(user=user).exists():
            return game
        seat = game.seats.free().order_by("number").first()
        if seat is None or not game.is_open:
            raise Conflict(
                _("Every seat at this table is taken. You can watch the game, or open your own table.")
            )
        seat.user = user
        seat.joined_at = seat.seen_at = timezone.now()
        seat.save(update_fields=["user", "joined_at", "seen_at"])
        _count_change(game)
        _start_if_full(game)
        return game


def add_bots(key: str, user: User, level: str, seat: int | None = None) -> Game:
    """Give the free seat `seat` of the table `key`, or every free seat, to bots of a level.

    Only its opener may do so. Does nothing if the seat has a bot already, or if the game has started.

    Raises Gone, NotSeated, and Conflict if a person has the seat, or `user` has too many games with bots.
    """
    with transaction.atomic():
        # Locked first, as when a table is opened, so that the games of one person are counted correctly.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        game = lock_game(key=key)
        if user.pk != game.opened_by_id:
            raise NotSeated(_("Only the person who opened this table can add bots."))
        free = _free_seats(game, seat)
        if not free:
            return game
        _check_games_with_bots(game)
        taken = game.seats.values_list("bot_name", flat=True)
        for free_seat, name in zip(free, bot_names(user, [level] * len(free), taken), strict=True):
            free_seat.bot, free_seat.bot_name, free_seat.joined_at = level, name, timezone.now()
        Seat.objects.bulk_update(free, ["bot", "bot_name", "joined_at"])
        _count_change(game)
        _start_if_full(game)
        return game


def _free_seats(game: Game, number: int | None) -> list[Seat]:
    """Return the free seats of a table, or only this one. Raises Conflict if a person has it."""
    free = game.seats.free().order_by("number")
    if number is None:
        return list(free)
    if game.is_open and game.seats.filter(number=number, user__isnull=False).exists():
        raise Conflict(_("Somebody has taken this seat in the meantime."))
    return list(free.filter(number=number))


def leave(key: str, user: User) -> Game:
    """Free the seat of `user` at a table that has not started. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game = lock_game(key=key)
        if not game.is_open:
            raise Conflict(_("This game has started. To leave it, resign on its page."))
        if user.pk == game.opened_by_id:
            raise Conflict(_("You opened this table. If you don't want to play, close it."))
        if not game.seats.filter(user=user).update(user=None, joined_at=None, seen_at=None):
            raise NotSeated(_("You have no seat at this table."))
        _count_change(game, user.pk)
        return game


def close(key: str, user: User) -> None:
    """Delete a table that has not started; only its opener may do so. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game = lock_game(key=key)
        if user.pk != game.opened_by_id:
            raise NotSeated(_("Only the person who opened this table can close it."))
        if not game.is_open:
            raise Conflict(_("You can't close this table, because the game has started."))
        after_commit.update_open_pages(game)
        game.delete()


def _count_change(game: Game, *leavers: int) -> None:
    """Count a change of the seats, so that open pages of the table update."""
    game.changes += 1
    game.save(update_fields=["changes"])
    after_commit.update_open_pages(game, *leavers)


def _start_if_full(game: Game) -> None:
    if game.seats.free().exists():
        return
    game.deal = _draw_deal(game.seat_count)
    game.rules_version = RULES_VERSION
    game.started_at = timezone.now()
    game.save(update_fields=["deal", "rules_version", "started_at"])
    project(game, rules(RULES_VERSION).start(setup_of(game)), None, 0, game.started_at)
    queue_follow_ups(game, None)


def _draw_deal(seats: int) -> Deal:
    """Shuffle the 68 tiles, draw the start order, and store both with their commitment."""
    deck, start_order, salt = list(TILES), list(range(seats)), secrets.token_hex(32)
    random.shuffle(deck)
    random.shuffle(start_order)
    return Deal.objects.create(
        deck=deck, start_order=start_order, salt=salt, commitment=commitment(salt, deck, start_order)
    )
