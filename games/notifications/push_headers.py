"""How push servers treat a message (RFC 8030): how long they keep it, its urgency, and what it replaces."""

import hashlib
from datetime import timedelta

from django.utils import timezone

from games.models import Kind
from games.notifications.kind import OF_A_TURN, Message

# The longest that push servers keep a message for a device that is off.
LONGEST = timedelta(days=28)
SHORTEST = timedelta(minutes=1)
# Of messages that are about no turn.
LASTING = timedelta(days=7)
# Others have a day to object to a new player, and old lines of a chat are no news.
SHORT_LIVED = {Kind.CHAT: timedelta(days=1), Kind.SEAT: timedelta(days=1)}
# A device that was off for longer has nothing to close, or shows the right thing when its player looks.
WITHDRAWN = timedelta(hours=12)


def headers_of(message: Message) -> dict[str, str]:
    """Return the headers of a message.

    All messages about one turn have the same topic and end with it, so one that replaces another is kept as
    long. A message about anything else replaces those of its kind about the same game, as it does on screen.
    """
    if message.kind in OF_A_TURN:
        return _headers(message.thread, _time_for_turn(message), "high")
    lasts = SHORT_LIVED.get(Kind(message.kind), LASTING)
    urgency = "low" if message.kind == Kind.CHAT else "normal"
    return _headers(f"{message.thread}-{message.kind}", lasts, urgency)


def headers_of_withdrawal(message: Message) -> dict[str, str]:
    """Return the headers of a message that closes those about a turn. It replaces one that still waits."""
    return _headers(message.thread, WITHDRAWN, "low")


def _time_for_turn(message: Message) -> timedelta:
    """Return how long a player can still move: until their deadline, if there is one."""
    deadline = message.deadline
    return max(SHORTEST, min(LONGEST, deadline - timezone.now())) if deadline else LONGEST


def _headers(topic: str, lasts: timedelta, urgency: str) -> dict[str, str]:
    return {
        "TTL": str(int(lasts.total_seconds())),
        "Urgency": urgency,
        "Topic": hashlib.sha256(topic.encode()).hexdigest()[:32],
    }
