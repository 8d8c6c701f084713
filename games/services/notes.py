"""Private notes of players about their games."""

from django.utils.translation import gettext_lazy as _

from accounts.models import User, Viewer
from games.models import PrivateNote, Seat
from games.services.errors import NotSeated


def keep_note(key: str, user: Viewer, text: str) -> None:
    """Store what `user` notes about the game `key`, in place of their earlier note. Raises NotSeated."""
    seat = Seat.objects.of(user).filter(game__key=key).first()
    if seat is None or not isinstance(user, User):
        raise NotSeated(_("Only the players of a game can keep notes about it."))
    if text:
        PrivateNote.objects.update_or_create(game_id=seat.game_id, user=user, defaults={"text": text})
    else:
        PrivateNote.objects.filter(game_id=seat.game_id, user=user).delete()
