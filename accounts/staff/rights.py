"""Rights of people who run the site, and the signal of their changes."""

from django.dispatch import Signal

RIGHTS = ("is_moderator", "is_staff", "is_superuser")

# Sent in the transaction of a change with `user`, the names of rights `before` and `now`, and `by`: the
# superuser in the admin, or None for a command or a shell on the server.
changed = Signal()
