"""What pages show of seats that are handed over."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from accounts.models import User, Viewer
from games.models import Game, SeatOffer, apart_from, facts_of


@dataclass(frozen=True)
class ShownOffer:
    """An offer of a seat as one viewer sees it.

    `taker` is empty while nobody has taken it. The seat changes hands at `happens_at`. Only the player of the
    seat sees the `key` of its link, unless everybody does.
    """

    pk: int
    game: Game
    key: str
    giver: str
    taker: str
    happens_at: datetime | None
    is_public: bool
    is_yours: bool
    is_taken_by_you: bool
    can_object: bool


def seat_offers(game: Game, viewer: Viewer) -> Sequence[ShownOffer]:
    """Return the offers of seats that run in a game, for the people who play in it."""
    if not isinstance(viewer, User) or not game.is_running or game.is_solo:
        return ()
    if "offers" not in facts_of(game, viewer.pk):
        return ()
    # Few games have an offer, so most need no query of the people.
    offers = game.seat_offers.running().prefetch_related("offered_by", "taker")
    return [show_offer(offer, viewer) for offer in offers]


def listed_offers(viewer: Viewer) -> Sequence[ShownOffer]:
    """Return the seats that everybody is offered, newest first, except those in games of the viewer."""
    offers = SeatOffer.objects.listed().filter(game__status=Game.Status.RUNNING)
    if viewer.is_authenticated:
        offers = offers.exclude(game__seats__user=viewer.pk)
        offers = offers.exclude(game__seats__user__in=apart_from(viewer.pk))
    # There are rarely any, so most pages need no query of the people and games.
    newest = offers.prefetch_related("offered_by", "taker", "game").order_by("-pk")[:20]
    return [show_offer(offer, viewer) for offer in newest]


def show_offer(offer: SeatOffer, viewer: Viewer) -> ShownOffer:
    """Return an offer as `viewer` sees it."""
    is_yours = offer.offered_by_id is not None and offer.offered_by_id == viewer.pk
    return ShownOffer(
        pk=offer.pk,
        game=offer.game,
        key=offer.key if is_yours or offer.is_public else "",
        giver=offer.offered_by.username if offer.offered_by else "",
        taker=offer.taker.username if offer.taker else "",
        happens_at=offer.happens_at,
        is_public=offer.is_public,
        is_yours=is_yours,
        is_taken_by_you=offer.taker_id is not None and offer.taker_id == viewer.pk,
        can_object=not is_yours and not offer.game.is_live,
    )
