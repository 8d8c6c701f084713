"""New tables and solo games."""

import uuid
from collections.abc import Sequence
from operator import attrgetter

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import DailyDeal, Game, Seat
from games.services import after_commit
from games.services.bot_names import bot_names
from games.services.deals import commit_deal, mix_in
from games.services.errors import Conflict
from games.services.tables.company import lock_person
from games.services.tables.limits import check_limits
from games.services.tables.options import TableOptions, new_game
from games.services.tables.starting import seat_players
from games.titles.registry import title_with
from games.titles.talents import Talent

REUSED = _("You have already opened another game from this page. Press again to open this one too.")

_choices_of = attrgetter(
    "title",
    "seat_count",
    "all_options",
    "is_public",
    "pace",
    "caretaker",
    "least_reliability",
    "changes_ratings",
    "least_rating",
    "most_rating",
    "daily_id",
    "is_practice",
)


def open_table(
    user: User,
    options: TableOptions,
    bots: Sequence[str] = (),
    *,
    request_id: uuid.UUID | None = None,
    nonce: str = "",
) -> Game:
    """Open a table and return it, or the table that the same request has opened before.

    `user` takes the first seat, and bots of the levels `bots` take the next ones. A table without a free seat
    starts immediately. `nonce` is what the browser of `user` adds to the deal; empty without one.

    Raises TooOften, and Conflict if `user` has too many open tables or games with bots, or needs a clock, or
    if the same request has opened another table.
    """
    names = bot_names(user, bots)
    seats = [Seat(user=user), *(Seat(bot=level, bot_name=next(names)) for level in bots)]
    seats += [Seat() for _free in range(len(seats), options.seat_count)]
    return open_game(user, options.new_game(user), seats, request_id, nonce)


def open_solo(
    user: User,
    request_id: uuid.UUID | None = None,
    *,
    daily: DailyDeal | None = None,
    is_practice: bool = False,
    nonce: str = "",
) -> Game:
    """Start a solo game and return it, or the game that the same request has started before.

    With `daily`, it is played on that deal, to which `user` adds no nonce. Raises Conflict if `user` has too
    many solo games, or if the same request has started another game, and UnknownTitle if the site has none.
    """
    title = daily.deal.title if daily else title_with(Talent.SOLO).key
    game = new_game(title, 1, {}, is_public=True, daily=daily, is_practice=is_practice)
    return open_game(user, game, [Seat(user=user)], request_id, nonce)


def open_game(
    user: User, game: Game, seats: Sequence[Seat], request_id: uuid.UUID | None = None, nonce: str = ""
) -> Game:
    """Store this new table of `user` with these seats, in their order, and return it.

    Returns the table that the same request has opened before. A table without a free seat starts immediately,
    on a new deal if it has none yet. Raises Conflict if `user` has too many games like it, or if the same
    request has opened another one.
    """
    with transaction.atomic():
        # So that simultaneous requests of one person are counted one after the other.
        user = lock_person(user)
        earlier = Game.objects.filter(opened_by=user, request_id=request_id).first() if request_id else None
        if earlier is not None:
            levels = sorted(earlier.seats.exclude(bot="").values_list("bot", flat=True))
            is_same = levels == sorted(seat.bot for seat in seats if seat.bot)
            if not is_same or _choices_of(earlier) != _choices_of(game):
                raise Conflict(REUSED)
            return earlier
        game.opened_by, game.request_id = user, request_id or uuid.uuid4()
        check_limits(game, seats)
        if game.deal is None:
            game.deal = game.daily.deal if game.daily else commit_deal(game.title, _ticket_of(game))
        for seat in seats:
            if seat.user == user:
                seat.seen_at = timezone.now()
                mix_in(game, seat, nonce)
        seat_players(game, seats)
        if game.is_open:
            after_commit.update_open_pages(game)
        return game


def _ticket_of(game: Game) -> str:
    """Return the text for which the page with the form has shown the commitment to the deal of this table."""
    return game.rematch_of.key if game.rematch_of else str(game.request_id)
