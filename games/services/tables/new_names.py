"""Another name of a person, which the open pages of their games and tables show."""

from collections.abc import Collection
from contextlib import suppress

from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver

from accounts.models import User
from games.models import Game
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


def _update_pages_of(person: int) -> None:
    for game in Game.objects.filter(seats__user=person).exclude(status=Game.Status.OVER).values("pk"):
        with suppress(Gone), transaction.atomic():
            count_change(lock_game(**game))
