"""The kind of notification for a seat that somebody takes over."""

from collections.abc import Mapping

from games.models import Notification, SeatOffer
from games.notifications.facts import Facts
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

    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the offer as the user sees it, and whether it is done."""
        offers = facts.game.seat_offers.select_related("game", "offered_by", "taker")
        offer = offers.get(pk=facts.notification.version)
        return {"offer": show_offer(offer, facts.user), "is_done": offer.outcome == SeatOffer.Outcome.DONE}
