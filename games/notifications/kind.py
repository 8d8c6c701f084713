"""The base class of kinds, and the messages that they write."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.outbox import message_id
from games.models import Game, Notification, deadline_for
from games.models import Kind as KindName
from games.notifications.facts import Facts
from games.queries.mail_links import person_reply_address, stop_url, url_for_reader
from games.queries.notifications import new_outages
from games.shown.lists import lists_of
from games.shown.words import begin_sentence

logger = logging.getLogger(__name__)

# Messages of these kinds say that a game waits for its reader.
OF_A_TURN = (KindName.TURN, KindName.REMINDER, KindName.NUDGE)


@dataclass(frozen=True)
class Picture:
    """A JPEG in a message. The HTML shows it with the address `cid:` and its `cid`."""

    cid: str
    jpeg: bytes


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
    # Of brief messages: their notification, what they are about, where to read more, and until when their
    # reader has time to move.
    notification_id: int = 0
    kind: str = ""
    game: Game | None = None
    url: str = ""
    deadline: datetime | None = None


class Kind(ABC):
    """A kind of notification. It checks whether one is still wanted, and writes its message."""

    @abstractmethod
    def why_unwanted(self, notification: Notification) -> str:
        """Return why nobody needs the notification now, in at most 20 characters; empty if somebody does.

        Whether its user wants this kind at all is checked before.
        """

    def sender_of(self, notification: Notification) -> int | None:
        """Return the id of the person who wants to reach its reader by it; None if a game has caused it."""
        return None

    @abstractmethod
    def context(self, facts: Facts) -> Mapping[str, object]:
        """Return the variables of this kind's templates, in the active language."""

    def templates(self, facts: Facts) -> str:
        """Return the folder of this kind's templates for text and HTML; the one of its subject is "mail"."""
        return "mail"

    def draw(self, facts: Facts) -> bytes | None:
        """Return the picture of the message as a JPEG; None without one."""
        return None

    def details(self, facts: Facts) -> Sequence[str]:
        """Return what the daily email shows below the subject, in the active language."""
        return ()

    def path(self, notification: Notification) -> str:
        """Return the path of the page to which the notification leads."""
        return notification.game.get_absolute_url()

    def subject(self, facts: Facts) -> str:
        """Return what happened, in one line and in the active language."""
        return _one_line(facts, self._values(facts))

    def message(self, facts: Facts) -> Message:
        """Return the message of the notification, in the active language."""
        notification, values = facts.notification, self._values(facts)
        name = f"{self.templates(facts)}/{notification.kind}"
        id = id_of(notification)
        values["subject"] = subject = _one_line(facts, values)
        values["picture"] = picture = self._picture(facts, id)
        return Message(
            id=id,
            thread=thread_of(facts.game, facts.user),
            subject=subject,
            text=render_to_string(f"{name}.txt", values),
            html=render_to_string(f"{name}.html", values),
            unsubscribe_url=str(values["unsubscribe_url"]),
            picture=picture,
            reply_to=str(values.get("reply_to") or person_reply_address(facts.user)),
        )

    def brief(self, facts: Facts) -> Message:
        """Return what happened and the score, for channels other than email, in the active language."""
        notification = facts.notification
        return Message(
            id=id_of(notification),
            thread=thread_of(facts.game, facts.user),
            subject=self.subject(facts),
            text=describe_score(facts.game),
            html="",
            unsubscribe_url="",
            notification_id=notification.pk,
            kind=notification.kind,
            game=facts.game,
            # Without the id of the reader: others can read posts.
            url=settings.SITE_URL + self.path(notification),
            deadline=deadline_for(facts.game, facts.user),
        )

    def _picture(self, facts: Facts, message: str) -> Picture | None:
        """Return the picture of the message with this id; None if it can't be drawn, so that it is sent."""
        try:
            jpeg = self.draw(facts)
        except Exception:
            logger.exception("Cannot draw the picture of notification %s.", facts.notification.pk)
            return None
        return Picture(message_id(f"picture-{message}").strip("<>"), jpeg) if jpeg else None

    def _values(self, facts: Facts) -> dict[str, object]:
        """Return the variables of the templates: the kind's own, and those that every message needs."""
        notification, game, user = facts.notification, facts.game, facts.user
        return {
            "user": user,
            "game": game,
            "game_url": url_for_reader(self.path(notification), user),
            "opponents": facts.opponents,
            "title_name": facts.title_name,
            "unsubscribe_url": stop_url(user, notification.kind, notification.channel),
            "settings_url": settings.SITE_URL + reverse("games:notifications"),
            "outages": new_outages([notification], user),
            **self.context(facts),
        }


def id_of(notification: Notification) -> str:
    """Return the id of the message of a notification.

    It has the time, because receivers drop a message with an id that they know, and the numbers of
    notifications are given out again after a backup was restored.
    """
    digits = "".join(filter(str.isdigit, str(notification.created_at)))
    return f"{notification.kind}-{notification.game.key}-{notification.pk}-{digits}"


def thread_of(game: Game, user: User) -> str:
    """Return the thread of the messages to a player about a game."""
    return f"game-{game.key}-{user.pk}"


def _one_line(facts: Facts, values: dict[str, object]) -> str:
    line = render_to_string(f"mail/{facts.notification.kind}_subject.txt", values)
    return begin_sentence(" ".join(line.split()))


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
