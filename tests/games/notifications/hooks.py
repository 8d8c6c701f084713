"""Webhooks of people, and the posts that are owed to them."""

from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import (
    Channel,
    Game,
    Kind,
    Notification,
    Seat,
    Webhook,
)
from games.notifications import delivery
from tests.clients import client_of
from tests.play import game_of, mover, person, play_one
from tests.receiver import Receiver

PAGE = "/account/notifications/webhook/"


def set_up(user: User, receiver: Receiver, format: str = "json") -> Client:
    """Store a webhook of this user by the page, and return their client."""
    client = client_of(user)
    assert client.post(PAGE, {"url": f"{receiver.url}/hook", "format": "json"}).url == PAGE
    # For the other formats, the page takes only addresses of Discord and Slack.
    Webhook.objects.filter(user=user).update(format=format)
    return client


def turn_of(ines: User, game: Game | None = None) -> Notification:
    """Return the notification by webhook about a turn that begins for Ines in a game."""
    game = game or game_of(ines, person("Tobias"))
    while mover(game) == ines:
        play_one(game)
    while mover(game) != ines:
        play_one(game)
    Seat.objects.update(seen_at=None)
    rows = Notification.objects.filter(user=ines, kind=Kind.TURN, channel=Channel.WEBHOOK)
    return rows.latest("version")


def deliver(notification: Notification, attempts: int = 1) -> Notification:
    """Deliver a notification as if it were due each time."""
    for _attempt in range(attempts):
        Notification.objects.filter(pk=notification.pk).update(due_at=timezone.now())
        delivery.deliver(notification.pk)
    notification.refresh_from_db()
    return notification
