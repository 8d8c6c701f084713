"""How many tables and games one person may have, and which of them strangers may find."""

from collections.abc import Sequence
from datetime import timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.models import Game, Seat
from games.services.errors import Conflict
from games.services.rates import check_rate
from games.services.tables.company import check_may_play

# Nobody plays that many without a program: a game every five minutes for sixteen hours. A program that plays
# on could fill the database and the leaderboards.
MOST_FINISHED_A_DAY = 200
A_DAY = timedelta(days=1)
# One person may have opened this many tables that have not started, games with bots that are not over, and
# solo games that are not over. Bots play on in a game that its only person has left, so it counts too. A game
# that its opener has left to other people does not count.
MOST_OPEN_TABLES = 10
MOST_GAMES_WITH_BOTS = 20
MOST_SOLO_GAMES = 20


def check_games_a_day(user: User) -> None:
    """Raise TooOften if this person has finished as many games within a day as are allowed."""
    ended = Seat.objects.filter(user=user, game__status=Game.Status.OVER)
    text = _("You have finished %(most)d games within a day.") % {"most": MOST_FINISHED_A_DAY}
    check_rate(ended, "game__moved_at", MOST_FINISHED_A_DAY, A_DAY, text)


def check_limits(game: Game, seats: Sequence[Seat]) -> None:
    """Raise Refused if nobody may open this new game, or its opener may not or has as many as allowed."""
    if game.opened_by:
        check_may_play(game.opened_by, is_public=False)  # Who may not play in public lists no table.
        check_games_a_day(game.opened_by)
    unfinished = Game.objects.filter(opened_by=game.opened_by).exclude(status=Game.Status.OVER)
    if game.is_solo:
        if unfinished.solo().count() >= MOST_SOLO_GAMES:
            raise Conflict(
                _("You already have twenty unfinished solo games. Please finish or resign one of them first.")
            )
        return
    if game.is_public and not may_be_listed(game.pace, seats):
        raise Conflict(_("A table on the home page needs a clock. Choose one, or don't list it."))
    is_full = all(seat.user or seat.bot for seat in seats)
    if not is_full and unfinished.open().count() >= MOST_OPEN_TABLES:
        raise Conflict(_("You already have ten open tables. Please close one of them first."))
    if any(seat.bot for seat in seats):
        check_games_with_bots(game)


def may_be_listed(pace: str, seats: Sequence[Seat]) -> bool:
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
