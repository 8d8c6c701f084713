"""Where push messages and webhooks of a person go."""

from datetime import datetime, timedelta

from games.models import Browser, Webhook

# After this time without a message that arrived, an address is switched off. A server may be down for a
# while, so its failures count only if none of its answers in all that time was good.
LONGEST_FAILURE = timedelta(days=5)
# Failures further apart say nothing about the time between them, in which nothing was sent.
LONGEST_SILENCE = timedelta(days=1)


def fails_without_a_break(address: Browser | Webhook, now: datetime) -> bool:
    """Return whether an address that fails now has failed within a day before too."""
    return address.failed_at is not None and now - address.failed_at <= LONGEST_SILENCE
