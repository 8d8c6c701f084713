"""Withdrawal of what a channel still shows about a turn that is over."""

from collections.abc import Sequence

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.languages import language_of
from accounts.models import User
from games.models import Game, Kind, Notification, seats_of, wanted_channels
from games.notifications.kind import Message, describe_score, thread_of
from games.notifications.registry import CHANNELS
from games.queries.mail_links import opponents_of
from games.shown.words import join_words


def withdraw(notification_id: int) -> None:
    """Correct what the channel of a notification shows about a turn, if it is over."""
    notification = (
        Notification.objects.select_related("game__deal", "user").filter(pk=notification_id).first()
    )
    if notification is None:
        return
    user = notification.user
    if not user.is_active or notification.channel not in wanted_channels(user)[Kind.TURN]:
        return
    channel = CHANNELS[notification.channel]
    if channel.address_of(user) is not None:
        with override(language_of(user) or settings.LANGUAGE_CODE):
            channel.withdraw(_message(notification), user)


def _message(notification: Notification) -> Message:
    """Return a message that stays true when others move."""
    game, user = notification.game, notification.user
    words = {"names": join_words(_opponents(game, user))}
    return Message(
        id=f"withdrawal-{game.key}-{notification.pk}",
        thread=thread_of(game, user),
        subject=_("It is no longer your turn against %(names)s") % words,
        text=describe_score(game),
        html="",
        unsubscribe_url="",
        kind=Kind.TURN,
        game=game,
        url=settings.SITE_URL + game.get_absolute_url(),
    )


def _opponents(game: Game, user: User) -> Sequence[str]:
    """Return the names of the other players; the one who has got the seat of `user` is none of them."""
    seats = seats_of(game)
    if any(seat.is_of(user) for seat in seats):
        return opponents_of(game, user)
    own = game.seat_changes.filter(former=user).values_list("seat", flat=True).last()
    return [seat.name for seat in seats if seat.number != own]
