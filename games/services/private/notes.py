"""Private notes of players about their games, and the lines that they have tried."""

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Viewer
from games.models import MOST_LINES, PrivateNote, Seat, TryLine, version_of_note
from games.services.errors import Conflict, NotSeated


class NoteChanged(Conflict):
    """The note has another text than on the page that was read. `stored` is that text."""

    def __init__(self, stored: str) -> None:
        super().__init__(_("Not saved: your note was changed on another page."))
        self.stored = stored


@transaction.atomic
def keep_note(key: str, user: Viewer, text: str, read: str = "") -> None:
    """Store what `user` notes about the game `key`, in place of their earlier note.

    `read` is the version of the note that the writer has seen; empty replaces any. Raises NotSeated, and
    NoteChanged if a part of a newer note would be lost.
    """
    seat = Seat.objects.of(user).filter(game__key=key).first()
    if seat is None or not isinstance(user, User):
        raise NotSeated(_("Only the players of a game can keep notes about it."))
    # Two pages that store the first text at the same time must see each other's.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    note = PrivateNote.objects.filter(game_id=seat.game_id, user=user).first()
    stored = note.text if note else ""
    # A page that did not get the answer to its last request does not know the version of its own text.
    if read and read != version_of_note(stored) and stored not in text:
        raise NoteChanged(stored)
    if text:
        PrivateNote.objects.update_or_create(game_id=seat.game_id, user=user, defaults={"text": text})
    else:
        PrivateNote.objects.filter(game_id=seat.game_id, user=user).delete()


@transaction.atomic
def keep_line(key: str, user: Viewer, start: int, text: str, name: str) -> None:
    """Store a line that `user` has tried in the game `key`. The same line again changes only its name.

    `text` is a legal line after action `start`, as addresses write it. Raises NotSeated, and Conflict if the
    player has kept too many lines.
    """
    seat = Seat.objects.of(user).filter(game__key=key).first()
    if seat is None or not isinstance(user, User):
        raise NotSeated(_("Only the players of a game can keep lines."))
    # Two lines of one person at the same time must not exceed the limit.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    lines = TryLine.objects.filter(game_id=seat.game_id, user=user)
    if lines.filter(start=start, text=text).update(name=name):
        return
    if lines.count() >= MOST_LINES:
        raise Conflict(
            _("You can keep up to %(count)d lines in a game. Delete one first.") % {"count": MOST_LINES}
        )
    TryLine.objects.create(game_id=seat.game_id, user=user, start=start, text=text, name=name)


def drop_line(key: str, user: Viewer, pk: int) -> None:
    """Delete a line that `user` has kept in the game `key`. Lines of others, and unknown ones, stay."""
    TryLine.objects.filter(pk=pk, game__key=key, user=user.pk).delete()
