"""How people and bots take the free seats of a table."""

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import NO_INVITATION, Game, Seat, ratings_of, reliabilities_of
from games.services.bot_names import bot_names
from games.services.deals import mix_in
from games.services.errors import Conflict, NotSeated
from games.services.tables.changes import count_answer, lock_table
from games.services.tables.company import check_may_sit, lock_person, people_at
from games.services.tables.leaving import end_by_address
from games.services.tables.limits import check_games_a_day, check_games_with_bots
from games.services.tables.seating import exchange
from games.services.tables.starting import start_if_full

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


def join(key: str, user: User, address: str = "", *, nonce: str = "", number: int | None = None) -> Game:
    """Seat `user` at the table `key`; do nothing if they have a seat there already.

    They get the seat to which they are invited, even if they have declined it, or else the first one that is
    kept for nobody. If they ask for the seat `number`, the seat that they get and this one change places.
    `address` is the one to which their invitation was sent; empty without one. `nonce` is
    what their browser adds to the deal; empty without one.

    Raises Gone, TooOften, Suspended, and Conflict if there is no seat, if they may not sit among the people
    there, if the table asks for more reliability and has not invited them, or for another rating.
    """
    with transaction.atomic():
        user = lock_person(user)
        game, finished = lock_table(key=key)
        if game.seats.filter(user=user).exists():
            return game
        free = list(game.seats.free_for(user, address))
        if not free or not game.is_open:
            raise Conflict(_why_full(game))
        seat = free[0]
        if number not in {None, seat.number}:
            exchange(game, seat, _chosen(free, number))
        is_invited = seat.is_kept_for(user, address)
        check_may_sit(user, people_at(game), is_public=game.is_public and not is_invited)
        check_games_a_day(user)
        check_rating(game, user)
        if not is_invited:
            check_reliability(game, user)
        seat.user = user
        seat.joined_at = seat.seen_at = timezone.now()
        seat.end_invitation()
        mix_in(game, seat, nonce)
        columns = ["user", "joined_at", "seen_at", "nonce", "has_own_nonce", *NO_INVITATION]
        seat.save(update_fields=columns)
        end_by_address(game, user)
        game.seats.free().filter(invited=user).update(**NO_INVITATION)
        game.closes_at = None
        count_answer(game, finished)
        start_if_full(game)
        return game


def _chosen(free: list[Seat], number: int | None) -> Seat:
    """Return the seat `number` of those that somebody may take. Raises Conflict if it is not one of them."""
    for seat in free:
        if seat.number == number:
            return seat
    raise Conflict(_("Somebody has taken this seat in the meantime. Please choose again."))


def check_reliability(game: Game, user: User) -> None:
    """Raise Conflict if this table or game is for people who finish more of their games."""
    reliability = reliabilities_of([user.pk])[user.pk]
    if not reliability.meets(game.least_reliability):
        raise Conflict(
            _(
                "This table is for players who finish %(least)d%% of their games, and you finished "
                "%(finished)d of your latest %(counted)d. Please join another table, or open your own. "
                "Each game that you finish counts."
            )
            % {
                "least": game.least_reliability,
                "finished": reliability.finished,
                "counted": reliability.counted,
            }
        )


def check_rating(game: Game, user: User) -> None:
    """Raise Conflict if this table or game is for people with another rating, or for people with any."""
    if user.is_guest and game.needs_account:
        raise Conflict(
            _(
                "Guests have no rating, so they can't play here. "
                "Please sign up, or join a table without ratings."
            )
        )
    if game.admits(own := ratings_of([user.pk], game.title)[user.pk]):
        return
    words = {"least": game.least_rating, "most": game.most_rating, "own": own.number}
    if game.most_rating is None:
        rule = _("This table is for players rated %(least)d or more, and your rating is %(own)d.")
    elif game.least_rating is None:
        rule = _("This table is for players rated %(most)d or less, and your rating is %(own)d.")
    else:
        rule = _("This table is for players rated %(least)d to %(most)d, and your rating is %(own)d.")
    raise Conflict(_("%(rule)s Please join another table, or open your own.") % {"rule": rule % words})


def _why_full(game: Game) -> "_StrPromise":
    """Return why nobody else can take a seat in a game or at a table."""
    if game.is_open and game.seats.kept().exists():
        return _("The free seats at this table are kept for other people. You can open your own table.")
    return _("Every seat at this table is taken. You can watch the game, or open your own table.")


def add_bots(key: str, user: User, level: str, seat: int | None = None) -> Game:
    """Give bots of a level the free seat `seat` of the table `key`, or every seat that is kept for nobody.

    The seat `seat` may be kept for somebody, whose invitation ends. Only the opener may do so. Does nothing
    if the seat has a bot already, or if the game has started.

    Raises Gone, NotSeated, and Conflict if a person has the seat, or `user` has too many games with bots.
    """
    with transaction.atomic():
        # As when a table is opened, so that the games of one person are counted correctly.
        lock_person(user)
        game, finished = lock_table(key=key)
        if user.pk != game.opened_by_id:
            raise NotSeated(_("Only the person who opened this table can add bots."))
        free = _free_seats(game, seat)
        if not free:
            return game
        check_games_with_bots(game)
        taken = game.seats.values_list("bot_name", flat=True)
        uninvited = [free_seat.invited_id for free_seat in free if free_seat.invited_id is not None]
        for free_seat, name in zip(free, bot_names(user, [level] * len(free), taken), strict=True):
            free_seat.bot, free_seat.bot_name, free_seat.joined_at = level, name, timezone.now()
            free_seat.end_invitation()
        Seat.objects.bulk_update(free, ["bot", "bot_name", "joined_at", *NO_INVITATION])
        game.closes_at = None
        count_answer(game, finished, *uninvited)
        start_if_full(game)
        return game


def _free_seats(game: Game, number: int | None) -> list[Seat]:
    """Return the seats of a table that are kept for nobody, or this free one. Raises Conflict if it is taken.

    A bot that has it is no conflict: it is there because of an earlier press of the same button.
    """
    if number is None:
        return list(game.seats.free_for_anybody().order_by("number"))
    if game.is_open and game.seats.filter(number=number, user__isnull=False).exists():
        raise Conflict(_("Somebody has taken this seat in the meantime."))
    return list(game.seats.free().filter(number=number))
