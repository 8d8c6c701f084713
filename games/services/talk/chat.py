"""The chat of the players or spectators of a game: write lines, mark them as read, and mute people."""

import uuid
from datetime import timedelta

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from accounts.models import User, Viewer
from games.models import ChatLine, Mute, Seat, is_spectator
from games.services import after_commit, notifications
from games.services.errors import Conflict, NotSeated
from games.services.play import lock_game
from games.services.rates import check_rate

LINES_AN_HOUR = 20
AN_HOUR = timedelta(hours=1)
REUSED = _("You have already sent another line from this page. Press Send to send this one too.")


def write(key: str, user: Viewer, text: str, request_id: uuid.UUID) -> None:
    """Store a line of `user` in the chat of the players of the game `key`, or of those who watch it.

    A player has read the chat up to it. A second call with the same request id stores nothing. Raises Gone,
    NotSeated, Conflict (also if the request id belongs to another line) and TooOften.
    """
    if not isinstance(user, User):
        raise NotSeated(_("You are not logged in. Please log in to write in the chat."))
    with transaction.atomic():
        # Locked first, so that simultaneous requests of one person are counted one after the other.
        writer = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        own = ChatLine.objects.filter(author=user)
        sent = own.filter(request_id=request_id).first()
        if sent is not None:
            if sent.text != text:
                raise Conflict(REUSED)
            return
        # Locked until the commit, so that the ids of the lines of a game are in the order of their commits.
        game = lock_game(key=key)
        seat = game.seats.filter(user=user).first()
        if user.is_guest:
            raise NotSeated(_("Guests can't write in the chat. Sign up, and your games stay yours."))
        if seat is None and not is_spectator(game, user):
            raise NotSeated(_("Only the players of this game can write in its chat."))
        if game.is_solo:
            raise Conflict(_("A solo game has no chat."))
        if writer.is_muted:
            raise NotSeated(_("You can't write in chats now. The page Reports in your settings says why."))
        refusal = _("You have written twenty lines within an hour.")
        check_rate(own, "written_at", LINES_AN_HOUR, AN_HOUR, refusal)
        line = ChatLine(author=user, text=text, request_id=request_id)
        after_commit.update_pages_of_chat(game)
        if seat is None:
            line.watched = game
            line.save()
            return
        line.game = game
        line.save()
        Seat.objects.filter(pk=seat.pk).update(chat_read_to=line.pk)
        notifications.owe_chat(line)


def mark_read(key: str, user: Viewer, line_id: int) -> None:
    """Store that `user` has read the chat of the game `key` up to this line. Skip users without a seat."""
    with transaction.atomic():
        newest = ChatLine.objects.filter(game__key=key, pk__lte=line_id).aggregate(newest=Max("pk"))["newest"]
        unread = Seat.objects.of(user).filter(game__key=key, chat_read_to__lt=newest or 0)
        seat = unread.select_related("game").first()
        if seat is not None and unread.update(chat_read_to=newest):
            after_commit.update_open_pages(seat.game)


def mute(user: User, person: User, *, is_muted: bool) -> None:
    """Hide the chat lines of `person` from `user`, in all games, or show them again."""
    if not is_muted:
        Mute.objects.filter(user=user, muted=person).delete()
    elif user != person:
        Mute.objects.get_or_create(user=user, muted=person)
