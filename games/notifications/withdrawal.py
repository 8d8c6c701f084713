"""Withdrawal of what a channel still shows about a turn that is over."""

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import override

from accounts.languages import language_of
from games.board.words import join_words
from games.models import Game, Kind, Notification, wanted_channels
from games.notifications.kind import Message, describe_score, thread_of
from games.notifications.registry import CHANNELS
from games.queries.viewing import view_game


def withdraw(notification_id: int) -> None:
    """Correct what the channel of a notification shows about a turn, if it is over."""
    notification = (
        Notification.objects.select_related("game__deal", "user").filter(pk=notification_id).first()
    )
    if notification is None:
        return
    game, user = notification.game, notification.user
    if Game.objects.waiting_for(user).filter(pk=game.pk).exists():
        return
    if not user.is_active or notification.channel not in wanted_channels(user)[Kind.TURN]:
        return
    channel = CHANNELS[notification.channel]
    if channel.address_of(user) is not None:
        with override(language_of(user) or settings.LANGUAGE_CODE):
            channel.withdraw(_message(notification), user)


def _message(notification: Notification) -> Message:
    """Return a message that stays true when others move."""
    game, user = notification.game, notification.user
    words = {"names": join_words(view_game(game, user).opponents)}
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
