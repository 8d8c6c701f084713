"""Another name of a person, which the open pages of their games and tables show."""

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.utils.translation import gettext as _

from accounts import guests
from accounts.models import User
from games.models import Block, Game, Seat
from games.services.errors import Gone
from games.services.play import lock_game
from games.services.tables.changes import count_change


@receiver(post_save, sender=User)
def show_new_name(
    sender: object, instance: User, created: bool, update_fields: Collection[str] | None, **_options: object
) -> None:
    """After the commit, update the open pages of what a person plays, if the name was stored as such.

    Who stores a whole row, such as one with a new password, updates no page. It waits for the commit, because
    who plays locks the game before the person.
    """
    if not created and "username" in (update_fields or ()):
        transaction.on_commit(lambda: _update_pages_of(instance.pk), robust=True)


@receiver(guests.renaming)
def refuse_new_name(sender: object, user: User, **_options: object) -> str | None:
    """Return why a guest keeps their name: somebody has blocked them, and reads it in a game of both.

    Otherwise names would be messages to somebody who wants none. Who has blocked others may take a new one.
    """
    blockers = Block.objects.filter(blocked=user).values("user")
    games = Game.objects.with_seat_of(user).exclude(status=Game.Status.OVER)
    if not Seat.objects.filter(game__in=games.values("pk"), user__in=blockers).exists():
        return None
    return _("You keep this name until the games that you play now are over.")


def _update_pages_of(person: int) -> None:
    for game in Game.objects.filter(seats__user=person).exclude(status=Game.Status.OVER).values("pk"):
        with suppress(Gone), transaction.atomic():
            count_change(lock_game(**game))
