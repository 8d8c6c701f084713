"""The kinds and the channels by the names that the database stores."""

from collections.abc import Mapping

from games.models import Channel as ChannelName
from games.models import Kind as KindName
from games.notifications.caretaker import CaretakerKind
from games.notifications.channel import Channel
from games.notifications.chat import ChatKind
from games.notifications.followed import FollowedKind
from games.notifications.invitation import InvitationKind
from games.notifications.kind import Kind
from games.notifications.left import LeftKind
from games.notifications.mail import MailChannel
from games.notifications.match import MatchKind
from games.notifications.nudge import NudgeKind
from games.notifications.over import OverKind
from games.notifications.push import PushChannel
from games.notifications.reminder import ReminderKind
from games.notifications.seat import SeatKind
from games.notifications.started import StartedKind
from games.notifications.table import TableKind
from games.notifications.turn import TurnKind
from games.notifications.vote import VoteKind
from games.notifications.webhook import WebhookChannel

KINDS: Mapping[str, Kind] = {
    KindName.TURN: TurnKind(),
    KindName.STARTED: StartedKind(),
    KindName.OVER: OverKind(),
    KindName.MATCH: MatchKind(),
    KindName.LEFT: LeftKind(),
    KindName.REMINDER: ReminderKind(),
    KindName.CARETAKER: CaretakerKind(),
    KindName.NUDGE: NudgeKind(),
    KindName.VOTE: VoteKind(),
    KindName.SEAT: SeatKind(),
    KindName.CHAT: ChatKind(),
    KindName.FOLLOWED: FollowedKind(),
    KindName.TABLE: TableKind(),
    KindName.INVITATION: InvitationKind(),
}
# The daily email is an email too; only its time differs.
CHANNELS: Mapping[str, Channel] = {
    ChannelName.MAIL: MailChannel(),
    ChannelName.DIGEST: MailChannel(),
    ChannelName.PUSH: PushChannel(),
    ChannelName.WEBHOOK: WebhookChannel(),
}
