"""Every kind on every channel: sent once, and stopped by its switch and by silencing the game.

The kinds and channels are those of the registry, so a new one is tested without a change here. What each kind
says, and when nobody needs it, has tests of its own.
"""

from collections.abc import Iterator

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game, Notification, wanted_channels
from games.models import notifications as stored
from games.notifications import delivery
from games.notifications.channel import Channel
from games.notifications.kind import Message
from games.notifications.registry import CHANNELS, KINDS
from games.services import notifications
from tests.play import game_of, person

pytestmark = pytest.mark.django_db

Sent = list[tuple[Channel, str]]  # the channel, and the name of the user


@pytest.fixture
def ines(monkeypatch: pytest.MonkeyPatch) -> User:
    """A user who has every channel, also those that people set up first."""
    for module in (stored, notifications, delivery):
        monkeypatch.setattr(module, "channels_of", lambda *_: list(CHANNELS))
    return person("Ines")


@pytest.fixture
def game(ines: User) -> Game:
    """A game that nobody has open and about which nobody is owed anything."""
    game = game_of(ines, person("Tobias"))
    game.seats.update(seen_at=None)
    Notification.objects.all().delete()
    return game


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sent]:
    """What is sent during the test. Every notification is still needed, and every user has an address."""
    found: Sent = []
    for kind in KINDS.values():
        monkeypatch.setattr(kind, "why_unwanted", lambda _notification: "")
    for channel in CHANNELS.values():
        monkeypatch.setattr(channel, "address_of", lambda _user: "an address")
        monkeypatch.setattr(
            channel, "send", lambda _message, user, _address, by=channel: found.append((by, user.username))
        )
    message = Message(id="1", thread="1", subject="", text="", html="", unsubscribe_url="")
    monkeypatch.setattr(delivery, "write_message", lambda _notifications: message)
    return found


def owe(game: Game, user: User, kind: str, version: int) -> list[Notification]:
    """Store a notification as services do, and make it due now."""
    notifications._owe(game, user, kind, version)
    owed = Notification.objects.filter(game=game, user=user, kind=kind, version=version)
    owed.update(due_at=timezone.now())
    return list(owed)


def outcomes(owed: list[Notification]) -> list[str]:
    """Deliver notifications twice, and return what became of each."""
    for one in owed * 2:
        delivery.deliver(one.pk)
    for one in owed:
        one.refresh_from_db()
    return ["sent" if one.sent_at else one.why_dropped for one in owed]


@pytest.mark.parametrize("channel", CHANNELS)
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_sent_once_and_stopped_by_its_switch_and_by_silencing_the_game(
    kind: str, channel: str, game: Game, ines: User, sent: Sent
) -> None:
    notifications.choose_channels(ines, {kind: {channel}})
    assert outcomes(owe(game, ines, kind, 1)) == ["sent"]
    assert sent == [(CHANNELS[channel], "Ines")]

    notifications.silence(game, ines, is_silent=True)
    assert outcomes(owe(game, ines, kind, 2)) == ["silent game"]
    notifications.silence(game, ines, is_silent=False)

    owed = owe(game, ines, kind, 3)
    notifications.stop(ines, kind, channel)
    assert outcomes(owed) == ["unwanted"]
    assert outcomes(owe(game, ines, kind, 4)) == ["unwanted"]
    assert len(sent) == 1


def test_everybody_chooses_among_all_kinds_and_channels(ines: User) -> None:
    assert wanted_channels(ines).keys() == KINDS.keys()
    everything = {kind: set(CHANNELS) for kind in KINDS}
    notifications.choose_channels(ines, everything)
    assert wanted_channels(ines) == everything
