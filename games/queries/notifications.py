"""Notifications that were sent to a person, or were not."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from accounts.addresses import unconfirmed_address
from accounts.clock import zone_of
from accounts.models import User, Viewer
from games.clocks import Pause
from games.models import (
    Browser,
    Channel,
    Game,
    Notification,
    Webhook,
    seats_of,
    wanted_channels,
)
from games.queries.outages import outages_during
from games.queries.summaries import GameSummary, summaries
from games.shown.clocks import describe_outage

SHOWN = 50  # in each list
EMAILS = {Channel.MAIL, Channel.DIGEST}


@dataclass(frozen=True)
class Entry:
    """A notification, and its game as its user sees it."""

    notification: Notification
    summary: GameSummary


@dataclass(frozen=True)
class SentNotifications:
    """The newest notifications to a person, newest first: sent, still to be sent, and dropped."""

    sent: Sequence[Entry]
    pending: Sequence[Entry]
    dropped: Sequence[Entry]


def sent_to(user: User) -> SentNotifications:
    """Return what was sent to `user`, what will be, and what was not."""
    all_of_user = Notification.objects.filter(user=user)
    lists = [
        list(rows[:SHOWN])
        for rows in (
            all_of_user.exclude(sent_at=None).order_by("-sent_at", "-pk"),
            all_of_user.pending().order_by("-pk"),
            all_of_user.exclude(dropped_at=None).filter(sent_at=None).order_by("-pk"),
        )
    ]
    games = Game.objects.filter(pk__in={row.game_id for rows in lists for row in rows})
    by_id = {summary.game.pk: summary for summary in summaries(games, user)}
    sent, pending, dropped = (
        [Entry(row, by_id[row.game_id]) for row in rows if row.game_id in by_id] for rows in lists
    )
    return SentNotifications(sent, pending, dropped)


def is_silent(game: Game, player: Viewer) -> bool | None:
    """Return whether `player` gets no notifications about a game; None if nobody gets any about it."""
    if game.is_solo or not isinstance(player, User) or player.is_guest:
        return None
    return any(seat.is_silent for seat in seats_of(game) if seat.is_of(player))


def browsers_of(user: User) -> list[Browser]:
    """Return the browsers of `user` that get push messages, newest first."""
    return list(Browser.objects.filter(user=user).order_by("-pk"))


def address_to_confirm(viewer: Viewer) -> str | None:
    """Return the address that `viewer` must confirm to get emails; None if they have, or want no emails."""
    if not isinstance(viewer, User):
        return None
    address = unconfirmed_address(viewer)
    if address is None or not any(EMAILS & channels for channels in wanted_channels(viewer).values()):
        return None
    return address


def webhook_of(user: User) -> Webhook | None:
    """Return the webhook of `user`, also if it is switched off; None if they have none."""
    return Webhook.objects.filter(user=user).first()


def has_dead_browser(viewer: User) -> bool:
    """Return whether a browser of `viewer` was switched off, because it refused push messages."""
    return Browser.objects.filter(user=viewer, off_at__isnull=False).exists()


def has_dead_webhook(viewer: Viewer) -> bool:
    """Return whether the webhook of `viewer` was switched off, because it took no messages."""
    return viewer.is_authenticated and Webhook.objects.filter(user=viewer, off_at__isnull=False).exists()


def new_outages(notifications: Iterable[Notification], user: User) -> str:
    """Return in words the outages that an email with these notifications is the first to mention."""
    found: set[Pause] = set()
    for notification in notifications:
        game = notification.game
        if pauses := outages_during(game):
            mails = Notification.objects.filter(game=game, user=user, channel__in=EMAILS)
            sent = mails.exclude(sent_at=None).order_by("-sent_at")
            mailed_at = sent.values_list("sent_at", flat=True).first()
            found.update(pause for pause in pauses if mailed_at is None or pause.end > mailed_at)
    return " ".join(
        describe_outage(pause.start, pause.end, zone_of(user.time_zone)) for pause in sorted(found)
    )
