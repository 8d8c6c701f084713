"""The stored parts of a game: facts that are fixed at its start, its log, and projections of the log.

Only `games.services` and `games.notifications` write these tables.
"""

from games.models.actions import Action
from games.models.advice import Hint, Review
from games.models.deals import Deal
from games.models.games import Game, GameQuerySet, new_key
from games.models.notifications import (
    Channel,
    Kind,
    Notification,
    NotificationChoice,
    NotificationQuerySet,
    wanted_channels,
)
from games.models.seats import Seat, SeatQuerySet

__all__ = [
    "Action",
    "Channel",
    "Deal",
    "Game",
    "GameQuerySet",
    "Hint",
    "Kind",
    "Notification",
    "NotificationChoice",
    "NotificationQuerySet",
    "Review",
    "Seat",
    "SeatQuerySet",
    "new_key",
    "wanted_channels",
]
