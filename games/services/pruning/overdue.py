"""Removal of rows that nobody needs any more. Started games, their logs, deals and reviews stay for ever."""

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import BarredAddress, GuestCode, PastMail, RetiredName, ReturnedMail, SecurityEvent
from games.models import (
    FollowedGame,
    Game,
    GameQuerySet,
    Hint,
    Notification,
    ReceivedReply,
    Report,
    Review,
    Seat,
    Seek,
    WebhookPost,
    time_before,
)
from games.services import notifications, tables
from games.services.errors import Gone
from games.services.play import lock_game
from games.services.private.exports import old_exports
from games.services.pruning import people, pictures
from games.services.tables import duplicates

BATCH = 500  # rows for each transaction, so that no lock lasts long
# Long enough to find out why somebody got no email.
NOTIFICATIONS_KEPT = timedelta(days=90)
# Mail servers try again for a week at most, and a copy that arrives later is too late for its turn anyway.
REPLIES_KEPT = timedelta(days=30)
# The page of these events says half a year.
SECURITY_EVENTS_KEPT = timedelta(days=180)
# After the end of the game. A review of it reads them, and hardly anybody asks for one months later.
HINTS_KEPT = timedelta(days=90)
# After the end of the game. The home page shows its result for thirty days.
FOLLOWS_KEPT = timedelta(days=31)
# After the end of the game. Until then, an edit of the post in Discord can say that a turn is over.
POSTS_KEPT = timedelta(days=7)
# Since it was opened and since somebody last took a seat, which shows that it is alive. An older table only
# hides those that can still start.
TABLES_KEPT = timedelta(days=7)
# After the invitation. A seat that is kept for longer only keeps others from playing.
INVITATIONS_KEPT = timedelta(days=7)
# From the warning until the table closes. All who sit there see it on the home page and at the table.
WARNING = timedelta(days=7)
# Nobody looks for others for so long.
SEEKS_KEPT = timedelta(days=1)


def prune() -> None:
    """Remove what has had its time, and warn those who sit at tables that are closed next."""
    now = timezone.now()
    _delete(Session.objects.filter(expire_date__lt=now))
    _delete(UserSession.objects.filter(~Exists(Session.objects.filter(pk=OuterRef("session_key")))))
    _delete(Notification.objects.filter(sent_at__lt=now - NOTIFICATIONS_KEPT))
    _delete(Notification.objects.filter(dropped_at__lt=now - NOTIFICATIONS_KEPT))
    # They wait for an address that is never confirmed.
    _delete(Notification.objects.pending().filter(created_at__lt=now - NOTIFICATIONS_KEPT))
    _delete(PastMail.objects.filter(ended_at__lt=now - NOTIFICATIONS_KEPT))
    _delete(ReturnedMail.objects.filter(received_at__lt=now - NOTIFICATIONS_KEPT))
    _delete(RetiredName.objects.filter(retired_at__lt=now - RetiredName.KEPT))
    _delete(BarredAddress.objects.filter(ends_at__lte=now))
    _delete(SecurityEvent.objects.filter(at__lt=now - SECURITY_EVENTS_KEPT))
    _delete(ReceivedReply.objects.filter(received_at__lt=now - REPLIES_KEPT))
    _delete(old_exports())
    _delete(GuestCode.objects.filter(made_at__lt=now - GuestCode.LIVES))
    _delete(Report.objects.filter(decided_at__lt=now - Report.KEPT))
    _delete(_unread_hints(now))
    ended = Game.objects.over().filter(moved_at__lt=now - POSTS_KEPT)
    _delete(WebhookPost.objects.filter(game__in=ended))
    ended = Game.objects.over().filter(moved_at__lt=now - FOLLOWS_KEPT)
    _delete(FollowedGame.objects.filter(game__in=ended))
    _delete(Seek.objects.filter(at__lt=now - SEEKS_KEPT))
    # Nobody could use a table or answer an invitation while the site was down.
    for pk in _ids(_tables_with_late_answers(now)):
        _stop_waiting(pk, now)
    for pk in _ids(_tables_to_close(now)):
        _close(pk, now)
    for pk in _ids(_tables_to_warn_about(now)):
        _warn(pk, now)
    duplicates.close_late_matches()
    people.remove_guests()
    pictures.remove_pictures()


def _delete(rows: QuerySet[Any]) -> None:
    """Delete rows in batches."""
    while pks := _ids(rows):
        rows.model._default_manager.filter(pk__in=pks).delete()


def _ids(rows: QuerySet[Any]) -> list[Any]:
    """Return the primary keys of one batch."""
    return list(rows.order_by("pk").values_list("pk", flat=True)[:BATCH])


def _unread_hints(now: datetime) -> QuerySet[Hint]:
    """Return the hints that no page and no unfinished review reads."""
    games = Game.objects.over().filter(moved_at__lt=now - HINTS_KEPT)
    return Hint.objects.filter(game__in=games).exclude(
        game__in=Review.objects.filter(finished_at=None).values("game")
    )


def _tables_to_close(now: datetime) -> GameQuerySet:
    """Return the unused tables about which their owners were warned in time."""
    return _unused_tables(now).filter(closes_at__lte=time_before(now, WARNING) + WARNING)


def _tables_to_warn_about(now: datetime) -> GameQuerySet:
    """Return the tables that are closed next, and about which nobody was warned since their last use."""
    return _unused_tables(now).filter(closes_at=None)


def _unused_tables(now: datetime) -> GameQuerySet:
    """Return the tables that have not started, and where nobody has taken a seat lately."""
    since = time_before(now, TABLES_KEPT)
    newcomers = Seat.objects.filter(game=OuterRef("pk"), joined_at__gte=since)
    return Game.objects.open().filter(~Exists(newcomers), opened_at__lt=since)


def _tables_with_late_answers(now: datetime) -> GameQuerySet:
    """Return the tables at which a seat is kept for somebody who has not answered in time."""
    kept = Seat.objects.kept_before(time_before(now, INVITATIONS_KEPT))
    return Game.objects.open().filter(pk__in=kept.values("game"))


def _stop_waiting(pk: int, now: datetime) -> None:
    """Free the seats that are kept at a table, unless it has been closed in the meantime."""
    with transaction.atomic(), suppress(Gone):
        game = lock_game(pk=pk)
        if _tables_with_late_answers(now).filter(pk=pk).exists():
            tables.free_seats_kept_before(game, time_before(now, INVITATIONS_KEPT))


def _close(pk: int, now: datetime) -> None:
    """Delete a table, unless somebody has joined or closed it in the meantime."""
    with transaction.atomic(), suppress(Gone):
        game, finished = tables.lock_table(pk=pk)
        if _tables_to_close(now).filter(pk=pk).exists():
            tables.remove(game, finished)


def _warn(pk: int, now: datetime) -> None:
    """Show at a table when it closes, and notify its owner, unless somebody has joined or closed it."""
    with transaction.atomic(), suppress(Gone):
        game = lock_game(pk=pk)
        if _tables_to_warn_about(now).filter(pk=pk).exists():
            game.closes_at = now + WARNING
            tables.count_change(game)
            if game.opened_by is not None:
                notifications.owe_table_warning(game)
