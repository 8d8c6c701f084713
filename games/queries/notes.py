"""Private notes of players about their games."""

from accounts.models import Viewer
from games.models import Game, PrivateNote


def note_of(game: Game, viewer: Viewer) -> str | None:
    """Return the viewer's own note about a started game, empty if there is none; None without a seat."""
    if game.is_open or not game.seats.of(viewer).exists():
        return None
    note = PrivateNote.objects.filter(game=game, user=viewer.pk).first()
    return note.text if note else ""
