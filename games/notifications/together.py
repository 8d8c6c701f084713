"""One message for several notifications: turns that begin at about the same time, and the daily email."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse

from games.models import Channel, Kind, Notification, deadline_for
from games.notifications.facts import Facts
from games.notifications.kind import Message, id_of
from games.notifications.registry import KINDS
from games.queries.mail_links import person_reply_address, stop_url, url_for_reader
from games.queries.notifications import new_outages


@dataclass(frozen=True)
class Item:
    """One notification in a message for several: what happened in one line, where, and since when.

    `move_by` says until when a person has time for a turn, and they can answer it at the address `reply_to`;
    both are empty for other kinds.
    """

    subject: str
    url: str
    since: datetime
    details: Sequence[str] = ()
    move_by: str = ""
    reply_to: str = ""


def write_together(notifications: Sequence[Notification]) -> Message:
    """Return one message for notifications of one user on one channel, in the active language.

    Turns are first: those with a deadline in its order, then the others, longest wait first.
    """
    newest = max(notifications, key=lambda one: one.pk)
    user, channel = newest.user, newest.channel
    kinds = {one.kind for one in notifications}
    stop = stop_url(user, kinds.pop() if len(kinds) == 1 else "", channel)
    turns = [_item(one) for one in sorted(notifications, key=_urgency) if one.kind == Kind.TURN]
    values: dict[str, object] = {
        "user": user,
        "is_daily": channel == Channel.DIGEST,
        "turns": turns,
        "others": [_item(one) for one in _by_age(notifications) if one.kind != Kind.TURN],
        "outages": new_outages(notifications, user),
        "home_url": settings.SITE_URL + reverse("games:home"),
        "unsubscribe_url": stop,
        "settings_url": settings.SITE_URL + reverse("games:notifications"),
    }
    values["subject"] = subject = " ".join(render_to_string("mail/together_subject.txt", values).split())
    return Message(
        id=f"together-{channel}-{id_of(newest)}",
        thread=f"together-{channel}-{user.pk}",
        subject=subject,
        text=render_to_string("mail/together.txt", values),
        html=render_to_string("mail/together.html", values),
        unsubscribe_url=stop,
        # An answer to an email about several turns does not say for which it is.
        reply_to=turns[0].reply_to if len(turns) == 1 else person_reply_address(user),
    )


def _by_age(notifications: Sequence[Notification]) -> Sequence[Notification]:
    return sorted(notifications, key=lambda one: one.created_at)


def _urgency(turn: Notification) -> tuple[bool, datetime]:
    """Return what sorts turns as the home page does: by deadline, and those without one last."""
    deadline = deadline_for(turn.game, turn.user)
    return deadline is None, deadline or turn.created_at


def _item(notification: Notification) -> Item:
    facts, kind = Facts(notification), KINDS[notification.kind]
    is_turn = notification.kind == Kind.TURN and not facts.game.is_over
    return Item(
        subject=kind.subject(facts),
        url=url_for_reader(kind.path(notification), facts.user),
        since=notification.created_at,
        details=kind.details(facts),
        move_by=facts.move_by if is_turn else "",
        reply_to=facts.reply_to if is_turn else "",
    )
