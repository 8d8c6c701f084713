"""The kinds by the names that the database stores, and the channel."""

from collections.abc import Mapping

from games.models import Notification
from games.notifications.channel import Channel
from games.notifications.invitation import InvitationKind
from games.notifications.kind import Kind
from games.notifications.mail import MailChannel
from games.notifications.table import TableKind
from games.notifications.turn import TurnKind

KINDS: Mapping[str, Kind] = {
    Notification.Kind.TURN: TurnKind(),
    Notification.Kind.TABLE: TableKind(),
    Notification.Kind.INVITATION: InvitationKind(),
}
# The only channel. Notifications do not store their channel.
MAIL: Channel = MailChannel()
