"""Where push messages and webhooks of a person go."""

from datetime import timedelta

# After this time without a message that arrived, an address is switched off. A server may be down for a
# while, so its failures count only if none of its answers in all that time was good.
LONGEST_FAILURE = timedelta(days=5)
