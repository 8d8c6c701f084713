"""Notifications that were sent to a person, or were not."""

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02
from py_vapid.utils import b64urlencode

from accounts.addresses import unconfirmed_address
from accounts.models import User, Viewer
from games.models import (
    Browser,
    Channel,
    Game,
    Notification,
    NotificationQuerySet,
    Webhook,
    seats_of,
    wanted_channels,
)

SHOWN = 50
EMAILS = {Channel.MAIL, Channel.DIGEST}


def sent_to(user: User) -> NotificationQuerySet:
    """Return the newest notifications to `user`, newest first, with their games."""
    return Notification.objects.filter(user=user).select_related("game").order_by("-pk")[:SHOWN]


def is_silent(game: Game, player: Viewer) -> bool | None:
    """Return whether `player` gets no notifications about a game; None if nobody gets any about it."""
    if game.is_solo or not isinstance(player, User) or player.is_guest:
        return None
    return any(seat.is_silent for seat in seats_of(game) if seat.is_of(player))


def browsers_of(user: User) -> list[Browser]:
    """Return the browsers of `user` that get push messages, newest first."""
    return list(Browser.objects.filter(user=user).order_by("-pk"))


def push_key() -> str:
    """Return the public key with which browsers ask for push messages; empty if the site sends none."""
    if not settings.PUSH_KEY:
        return ""
    public = Vapid02.from_raw(settings.PUSH_KEY.encode()).public_key
    return b64urlencode(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


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
