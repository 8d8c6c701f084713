"""The kind of notification for a seat that somebody takes over."""

from collections.abc import Mapping

from games.models import Notification, SeatOffer, opponents_of
from games.notifications.kind import Kind
from games.queries.hand_overs import show_offer


class SeatKind(Kind):
    """The other players are owed one when somebody takes an offered seat, and the new player who gets it."""

    def why_unwanted(self, notification: Notification) -> str:
        """Return "over" or "offer over"; empty while the game runs and the seat was not kept."""
        game, user = notification.game, notification.user
        if not game.is_running or not game.seats.filter(user=user, has_left=False).exists():
            return "over"
        kept = game.seat_offers.filter(pk=notification.version).exclude(
            outcome__in=["", SeatOffer.Outcome.DONE]
        )
        return "offer over" if kept.exists() else ""

    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the offer as the user sees it, whether it is done, and the names of the opponents."""
        game, user = notification.game, notification.user
        offer = game.seat_offers.select_related("game", "offered_by", "taker").get(pk=notification.version)
        return {
            "offer": show_offer(offer, user),
            "is_done": offer.outcome == SeatOffer.Outcome.DONE,
            "opponents": opponents_of(game, user),
        }
