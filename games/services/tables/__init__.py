"""Tables: open, join, leave and close them, and offer rematches. A table starts when every seat is taken."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.engine import MOST_DISCS, RULES_VERSION, SOLO_DISCS, rules
from games.log.deals import setup_of
from games.models import NO_INVITATION, DailyDeal, Game, Seat, ratings_of, reliabilities_of
from games.services import after_commit, notifications
from games.services.bot_names import bot_names
from games.services.deals import commit_deal, deal_out, mix_in
from games.services.errors import Conflict, NotSeated, Refused
from games.services.play import lock_game, queue_follow_ups
from games.services.projections.games import project
from games.services.tables.limits import check_finished_games

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

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
    pace: str = "",
    caretaker: str = "",
    least_reliability: int = 0,
    changes_ratings: bool = False,
    least_rating: int | None = None,
    most_rating: int | None = None,
    request_id: uuid.UUID | None = None,
    nonce: str = "",
) -> Game:
    """Open a table with 2–4 seats and return it, or the table that the same request has opened before.

    `user` takes the first seat, and bots of the levels `bots` take the next ones. A table without a free seat
    starts immediately. The table of a guest is not listed. Without a `pace`, the game has no clock, which is
    possible only if it is not listed or all the others are bots.
    If the time of a seat is up, a bot of the level `caretaker` plays it; without a level, the seat is out.
    Others who join without an invitation need `least_reliability` in percent, and all others a rating from
    `least_rating` to `most_rating`. The table of a guest is not rated and asks for no rating. `nonce` is what
    the browser of `user` adds to the deal; empty without one.

    Raises TooMany, and Conflict if `user` has too many open tables or games with bots, or needs a clock.
    """
    options = {
        "mode": Game.Mode.MULTIPLAYER,
        "seat_count": seat_count,
        "goal_discs": BEGINNER_DISCS.get(seat_count, MOST_DISCS) if beginner else MOST_DISCS,
        "is_public": is_public and not user.is_guest,
        "pace": pace,
        "caretaker": caretaker,
        "least_reliability": least_reliability,
    }
    if not user.is_guest:
        options |= {
            "changes_ratings": changes_ratings,
            "least_rating": least_rating,
            "most_rating": most_rating,
        }
    names = bot_names(user, bots)
    seats = [Seat(user=user), *(Seat(bot=level, bot_name=next(names)) for level in bots)]
    seats += [Seat() for _free in range(len(seats), seat_count)]
    return open_game(user, Game(**options), seats, request_id, nonce)


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
    many solo games.
    """
    game = Game(
        mode=Game.Mode.SOLO,
        seat_count=1,
        goal_discs=SOLO_DISCS,
        is_public=True,
        daily=daily,
        is_practice=is_practice,
    )
    return open_game(user, game, [Seat(user=user)], request_id, nonce)


def rematch(key: str, user: User, nonce: str = "") -> Game:
    """Return the rematch of the finished game `key`, with a seat for `user`.

    The first call opens it: bots join immediately, and the seats of the other people are kept for them. Every
    later call joins it. So a finished game has one rematch, however often and by whomever this is called.

    Raises Gone, NotSeated and Conflict.
    """
    with transaction.atomic():
        # Locked before the game, in the same order as in `add_bots`.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        finished = lock_game(key=key)
        if not finished.seats.filter(user=user).exists():
            raise NotSeated(_("You had no seat in this game, so you can't offer a rematch."))
        if not finished.is_over or finished.is_solo:
            raise Conflict(_("You can offer a rematch when a game with others is over."))
        offered = Game.objects.filter(rematch_of=finished).first()
        if offered is not None:
            return join(offered.key, user, nonce=nonce)
        return _open_rematch(finished, user, nonce)


def _open_rematch(finished: Game, user: User, nonce: str) -> Game:
    seats = [_seat_again(seat, user) for seat in finished.seats.select_related("user").order_by("number")]
    has_everybody = all(seat.user or seat.bot or seat.invited for seat in seats)
    game = Game(
        mode=finished.mode,
        seat_count=finished.seat_count,
        goal_discs=finished.goal_discs,
        # Only the opener decides who else may take a seat among the same people.
        is_public=finished.is_public
        and not user.is_guest
        and has_everybody
        and _may_be_listed(finished.pace, seats),
        pace=finished.pace,
        caretaker=finished.caretaker,
        least_reliability=finished.least_reliability,
        # The same people may play again, whatever their ratings are now.
        changes_ratings=finished.changes_ratings,
        rematch_of=finished,
    )
    open_game(user, game, seats, nonce=nonce)
    notifications.owe_invitations(game)
    count_change(finished)
    return game


def _seat_again(seat: Seat, opener: User) -> Seat:
    """Return the seat of the rematch: the opener's, a bot's, kept for its person, or free without one."""
    if seat.user is None or not seat.user.is_active:
        return Seat(bot=seat.bot, bot_name=seat.bot_name)
    return Seat(user=opener) if seat.user == opener else Seat(invited=seat.user)


def open_game(
    user: User, game: Game, seats: Sequence[Seat], request_id: uuid.UUID | None = None, nonce: str = ""
) -> Game:
    """Store this new table of `user` with these seats, in their order, and return it.

    Returns the table that the same request has opened before. A table without a free seat starts immediately,
    on a new deal if it has none yet. Raises Conflict if `user` has too many games like it.
    """
    with transaction.atomic():
        # Locked, so that simultaneous requests of one person are counted one after the other.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        earlier = Game.objects.filter(opened_by=user, request_id=request_id).first() if request_id else None
        if earlier is not None:
            return earlier
        game.opened_by, game.request_id = user, request_id or uuid.uuid4()
        _check_limits(game, seats)
        if game.deal is None:
            game.deal = game.daily.deal if game.daily else commit_deal(_ticket_of(game))
        for seat in seats:
            if seat.user == user:
                seat.seen_at = timezone.now()
                mix_in(game, seat, nonce)
        seat_players(game, seats)
        if game.is_open:
            after_commit.update_open_pages(game)
        return game


def seat_players(game: Game, seats: Sequence[Seat]) -> None:
    """Store a new table with these seats, in their order; it starts immediately if none is free."""
    game.save()
    now = timezone.now()
    for number, seat in enumerate(seats):
        seat.game, seat.number = game, number
        if seat.user or seat.bot:
            seat.joined_at = now
    Seat.objects.bulk_create(seats)
    _start_if_full(game)


def _ticket_of(game: Game) -> str:
    """Return the text for which the page with the form has shown the commitment to the deal of this table."""
    return game.rematch_of.key if game.rematch_of else str(game.request_id)


def _check_limits(game: Game, seats: Sequence[Seat]) -> None:
    """Raise Conflict or TooMany if nobody may open this new game, or its opener has as many as allowed."""
    if game.opened_by:
        check_finished_games(game.opened_by)
    unfinished = Game.objects.filter(opened_by=game.opened_by).exclude(status=Game.Status.OVER)
    if game.is_solo:
        if unfinished.solo().count() >= MOST_SOLO_GAMES:
            raise Conflict(
                _("You already have twenty solo games. Please finish or resign one of them first.")
            )
        return
    if game.is_public and not _may_be_listed(game.pace, seats):
        raise Conflict(_("A table on the home page needs a clock. Choose one, or don't list it."))
    is_full = all(seat.user or seat.bot for seat in seats)
    if not is_full and unfinished.open().count() >= MOST_OPEN_TABLES:
        raise Conflict(_("You already have ten open tables. Please close one of them first."))
    if any(seat.bot for seat in seats):
        check_games_with_bots(game)


def _may_be_listed(pace: str, seats: Sequence[Seat]) -> bool:
    """Return whether strangers may find a game: with a clock, or if one person plays against bots."""
    return bool(pace) or sum(not seat.bot for seat in seats) == 1


def check_games_with_bots(game: Game, *, more: int = 1) -> None:
    """Raise Conflict if the opener of this game can't have so many more games with bots, with this one."""
    others = (
        Game.objects.filter(opened_by=game.opened_by).exclude(status=Game.Status.OVER).exclude(pk=game.pk)
    )
    if others.with_bots().exclude(*_is_left_to_others()).count() + more > MOST_GAMES_WITH_BOTS:
        raise Conflict(
            _(
                "You already have twenty games with bots. Please finish one of them first, "
                "or wait until the bots have finished those that you left."
            )
        )


def _is_left_to_others() -> tuple[Q, Q]:
    """Return the conditions that the opener has left a game, and that other people still play it.

    An opener who has handed their seat over has left it too.
    """
    seats = Seat.objects.filter(game=OuterRef("pk"))
    has_stayed = Exists(seats.filter(user=OuterRef("opened_by"), has_left=False))
    return Q(~has_stayed), Q(Exists(seats.filter(has_left=False, user__isnull=False)))


def join(key: str, user: User, address: str = "", *, nonce: str = "") -> Game:
    """Seat `user` at the table `key`; do nothing if they have a seat there already.

    They get the seat to which they are invited, even if they have declined it, or else the first one that is
    kept for nobody. `address` is the one to which their invitation was sent; empty without one. `nonce` is
    what their browser adds to the deal; empty without one.

    Raises Gone, TooMany, and Conflict if there is no seat, if the table asks for more reliability and has not
    invited them, or for another rating.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        if game.seats.filter(user=user).exists():
            return game
        seat = game.seats.free_for(user, address).first()
        if seat is None or not game.is_open:
            raise Conflict(_why_full(game))
        check_finished_games(user)
        check_rating(game, user)
        if not seat.is_kept_for(user, address):
            check_reliability(game, user)
        seat.user = user
        seat.joined_at = seat.seen_at = timezone.now()
        seat.end_invitation()
        mix_in(game, seat, nonce)
        columns = ["user", "joined_at", "seen_at", "nonce", "has_own_nonce", *NO_INVITATION]
        seat.save(update_fields=columns)
        game.closes_at = None
        count_change(game)
        _start_if_full(game)
        return game


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
    if game.admits(own := ratings_of([user.pk])[user.pk]):
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
        # Locked first, as when a table is opened, so that the games of one person are counted correctly.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        game = lock_game(key=key)
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
        count_change(game, *uninvited)
        _start_if_full(game)
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


def leave(key: str, user: User) -> Game:
    """Free the seat of `user` at a table that has not started. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game = lock_game(key=key)
        if not game.is_open:
            raise Conflict(_("This game has started. To leave it, resign on its page."))
        if user.pk == game.opened_by_id:
            raise Conflict(_("You opened this table. If you don't want to play, close it."))
        columns = {"user": None, "invited": None, "joined_at": None, "seen_at": None}
        if not game.seats.filter(user=user).update(**columns, nonce="", has_own_nonce=False):
            raise NotSeated(_("You have no seat at this table."))
        count_change(game, user.pk)
        return game


def decline(key: str, user: User) -> Game:
    """Free the seat that is kept for `user` at a table; do nothing if they have declined it before.

    The others see who has declined, and a rematch is not listed from then on. Raises Gone, NotSeated if no
    seat is kept for `user`, and Conflict if the answer comes too late.
    """
    with transaction.atomic():
        game = lock_game(key=key)
        if game.seats.kept_for(user).update(has_declined=True):
            _unlist_rematch(game)
            count_change(game, user.pk)
        elif not game.seats.free().filter(invited=user).exists():
            raise _too_late_to_decline(game, user)
        return game


def _too_late_to_decline(game: Game, user: User) -> Refused:
    """Return why `user`, for whom no seat is kept in a game or at a table, can't decline."""
    has_seat = game.seats.filter(user=user).exists()
    if has_seat and game.is_open:
        return Conflict(_("You have accepted already. If you don't want to play, leave the table."))
    if has_seat:
        return Conflict(_("You can't decline any more, because the game has started. To leave it, resign."))
    if not game.is_open:
        return Conflict(_("You need not decline any more: the game has started without you."))
    return NotSeated(_("No seat at this table is kept for you, so you need not decline."))


def free_seats_kept_before(game: Game, moment: datetime) -> None:
    """Free the seats of a table, whose row the caller has locked, that were kept since before this moment."""
    game.seats.kept_before(moment).update(**NO_INVITATION)
    _unlist_rematch(game)
    count_change(game)


def _unlist_rematch(game: Game) -> None:
    """Hide a rematch from strangers; the caller stores it. Its opener has invited only the same people."""
    if game.rematch_of_id is not None:
        game.is_public = False


def close(key: str, user: User) -> None:
    """Delete a table that has not started; only its opener may do so. Raises Gone, NotSeated and Conflict."""
    with transaction.atomic():
        game, finished = lock_to_close(key=key)
        if user.pk != game.opened_by_id:
            raise NotSeated(_("Only the person who opened this table can close it."))
        if not game.is_open:
            raise Conflict(_("You can't close this table, because the game has started."))
        remove(game, finished)


def lock_to_close(**lookup: object) -> tuple[Game, Game | None]:
    """Return a table, and the finished game whose rematch it is, with their rows locked. Raises Gone.

    The finished game is locked first, as in `rematch`.
    """
    followed = Game.objects.filter(**lookup).values("rematch_of")
    finished = Game.objects.select_for_update().filter(pk__in=followed).first()
    return lock_game(**lookup), finished


def remove(game: Game, finished: Game | None) -> None:
    """Delete a table. The open pages of the finished game that it follows update too."""
    after_commit.update_open_pages(game)
    deal = game.deal
    game.delete()
    if deal is not None:
        deal.delete()
    if finished is not None:
        count_change(finished)


def count_change(game: Game, *leavers: int) -> None:
    """Count and store a change of the seats, of who may find the table, of its closing, or of the rematch.

    Open pages of the table or game update.
    """
    game.changes += 1
    game.save(update_fields=["changes", "is_public", "closes_at"])
    after_commit.update_open_pages(game, *leavers)


def _start_if_full(game: Game) -> None:
    if game.seats.free().exists():
        return
    game.deal = deal_out(game)
    game.rules_version = RULES_VERSION
    game.started_at = timezone.now()
    game.changes = 0  # Those of the table do not count in the game.
    game.save(update_fields=["deal", "rules_version", "started_at", "changes"])
    project(game, rules(RULES_VERSION).start(setup_of(game)), None, 0, game.started_at)
    queue_follow_ups(game, is_start=True)
