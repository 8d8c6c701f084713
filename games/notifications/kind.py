"""The base class of kinds, and the messages that they write."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.clock import zone_of
from accounts.models import User
from accounts.outbox import message_id
from games.models import Game, Notification
from games.models import Kind as KindName
from games.queries.mail_links import (
    MailTurn,
    person_reply_address,
    reply_address_for,
    stop_url,
    url_for_reader,
)
from games.queries.notifications import new_outages
from games.shown.clocks import describe_move_by
from games.shown.words import begin_sentence
from games.titles.lists import lists_of

logger = logging.getLogger(__name__)

# Messages of these kinds say that a game waits for its reader.
OF_A_TURN = (KindName.TURN, KindName.REMINDER, KindName.NUDGE)


@dataclass(frozen=True)
class Picture:
    """A PNG in a message. The HTML shows it with the address `cid:` and its `cid`."""

    cid: str
    png: bytes


@dataclass(frozen=True)
class Message:
    """The words of one or more notifications, in the forms that channels need.

    A second message of the same notifications has the same `id`, so that a receiver can drop it. Messages
    with the same `thread` belong together. Replies go to the address `reply_to`, if there is one.
    """

    id: str
    thread: str
    subject: str
    text: str
    html: str
    unsubscribe_url: str
    picture: Picture | None = None
    reply_to: str = ""
    # Of brief messages: their notification, what they are about, and where to read more.
    notification_id: int = 0
    kind: str = ""
    game: Game | None = None
    url: str = ""


class Kind(ABC):
    """A kind of notification. It checks whether one is still wanted, and writes its message."""

    @abstractmethod
    def why_unwanted(self, notification: Notification) -> str:
        """Return why nobody needs the notification now, in at most 20 characters; empty if somebody does.

        Whether its user wants this kind at all is checked before.
        """

    @abstractmethod
    def context(self, notification: Notification) -> Mapping[str, object]:
        """Return the variables of this kind's templates, in the active language."""

    def draw(self, notification: Notification) -> bytes | None:
        """Return the picture of the message as a PNG; None without one."""
        return None

    def details(self, notification: Notification) -> Sequence[str]:
        """Return what the daily email shows below the subject, in the active language."""
        return ()

    def path(self, notification: Notification) -> str:
        """Return the path of the page to which the notification leads."""
        return notification.game.get_absolute_url()

    def subject(self, notification: Notification) -> str:
        """Return what happened, in one line and in the active language."""
        return _one_line(f"mail/{notification.kind}_subject.txt", self._values(notification))

    def message(self, notification: Notification) -> Message:
        """Return the message of the notification, in the active language."""
        name, values = f"mail/{notification.kind}", self._values(notification)
        game, user = notification.game, notification.user
        id = f"{notification.kind}-{game.key}-{notification.pk}"
        values["picture"] = picture = self._picture(notification, id)
        return Message(
            id=id,
            thread=thread_of(game, user),
            subject=_one_line(f"{name}_subject.txt", values),
            text=render_to_string(f"{name}.txt", values),
            html=render_to_string(f"{name}.html", values),
            unsubscribe_url=str(values["unsubscribe_url"]),
            picture=picture,
            reply_to=str(values.get("reply_to") or person_reply_address(user)),
        )

    def brief(self, notification: Notification) -> Message:
        """Return what happened and the score, for channels other than email, in the active language."""
        game, user = notification.game, notification.user
        return Message(
            id=f"{notification.kind}-{game.key}-{notification.pk}",
            thread=thread_of(game, user),
            subject=self.subject(notification),
            text=describe_score(game),
            html="",
            unsubscribe_url="",
            notification_id=notification.pk,
            kind=notification.kind,
            game=game,
            # Without the id of the reader: others can read posts.
            url=settings.SITE_URL + self.path(notification),
        )

    def _picture(self, notification: Notification, message: str) -> Picture | None:
        """Return the picture of the message with this id; None if it can't be drawn, so that it is sent."""
        try:
            png = self.draw(notification)
        except Exception:
            logger.exception("Cannot draw the picture of notification %s.", notification.pk)
            return None
        return Picture(message_id(f"picture-{message}").strip("<>"), png) if png else None

    def _values(self, notification: Notification) -> dict[str, object]:
        """Return the variables of the templates: the kind's own, and those that every message needs."""
        game, user = notification.game, notification.user
        return {
            "user": user,
            "game": game,
            "game_url": url_for_reader(self.path(notification), user),
            "unsubscribe_url": stop_url(user, notification.kind, notification.channel),
            "settings_url": settings.SITE_URL + reverse("games:notifications"),
            "outages": new_outages([notification], user),
            **self.context(notification),
        }


def move_by(game: Game, user: User) -> str:
    """Return until when `user` has time for their turn, in words and in their zone; empty without a clock."""
    if game.deadline is None:
        return ""
    return describe_move_by(game.deadline, zone_of(user.time_zone))


def reply_address_to_turn(game: Game, user: User) -> str:
    """Return where `user`, who is to move, can reply with a move; empty if they can't."""
    assert game.to_move is not None, "the game is over"
    return reply_address_for(MailTurn(game, user, game.to_move, game.version + 1))


def thread_of(game: Game, user: User) -> str:
    """Return the thread of the messages to a player about a game."""
    return f"game-{game.key}-{user.pk}"


def _one_line(template: str, values: dict[str, object]) -> str:
    return begin_sentence(" ".join(render_to_string(template, values).split()))


def describe_score(game: Game) -> str:
    """Return the figures of each player in words; empty before the start."""
    if game.is_open:
        return ""
    seats = game.seats.select_related("user").order_by("number")
    lists = lists_of(game.title)
    return " · ".join(
        _("%(name)s: %(figures)s") % {"name": seat.name, "figures": lists.describe_figures(seat.figures)}
        for seat in seats
        if seat.figures is not None
    )
