"""Solo games on the same deal: the expert's, and the viewer's others."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from accounts.models import Viewer
from games.models import Game, Seat
from games.titles.registry import has_talent
from games.titles.talents import Talent

MOST_SHOWN = 5


@dataclass(frozen=True)
class OtherGame:
    """Another solo game on the deal. The expert's has no `score` while it runs."""

    url: str
    name: str
    level: str  # of a bot
    score: int | None


@dataclass(frozen=True)
class SameDeal:
    """The other solo games on a deal: the expert's, then the best of the viewer's.

    `may_ask` says whether the viewer may let the expert play it.
    """

    others: Sequence[OtherGame]
    may_ask: bool


def same_deal(game: Game, viewer: Viewer) -> SameDeal | None:
    """Return the games on the deal of a solo game that is over or the expert's; None if there is nothing.

    The viewer knows the deal, because they may see this game.
    """
    own = game.seats.get()
    if not game.is_over and not own.bot:
        return None
    is_finished = Q(user=viewer.pk, user__isnull=False, game__score__isnull=False)
    seats = Seat.objects.filter(~Q(bot="") | is_finished, game__deal=game.deal_id, game__mode=game.mode)
    others = [
        OtherGame(seat.game.get_absolute_url(), seat.name, seat.bot, seat.game.score)
        for seat in seats.exclude(pk=own.pk)
        .select_related("game", "user")
        .order_by("-bot", F("game__score").asc(nulls_last=True), "game")[:MOST_SHOWN]
    ]
    may_ask = (
        has_talent(game.title, Talent.EXPERT_GAMES)
        and own.is_of(viewer)
        and game.score is not None
        and not any(other.level for other in others)
    )
    return SameDeal(others, may_ask) if others or may_ask else None
